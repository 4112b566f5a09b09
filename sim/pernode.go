package sim

import (
	"reflect"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/internal/rt"
)

// perNode is a variable that each process has for itself.
type perNode struct {
	at   uintptr
	size uintptr
	keep func() // remembers its value for new processes
}

var (
	perNodes    []perNode
	worldsBegan bool // no more variables can be added
)

// PerNode gives every process of a node its own copy of a package-level variable,
// as real processes have: a new one starts with the value that the variable had
// when the test started, with maps, slices and what pointers lead to copied. Call
// it before [Test], as in
//
//	var _ = sim.PerNode(&kv.Cache)
//
// Channels and functions in it stay shared. Clients have copies of their own too.
func PerNode[T any](v *T) *T {
	if worldsBegan {
		panic("sim.PerNode: called inside a world: want it at package level, before sim.Test")
	}
	var first reflect.Value
	at, size := uintptr(unsafe.Pointer(v)), unsafe.Sizeof(*v)
	if size == 0 {
		return v
	}
	perNodes = append(perNodes, perNode{at, size, func() { first = deepCopy(reflect.ValueOf(v).Elem()) }})
	rt.Vars(unsafe.Pointer(v), size, func() { reflect.ValueOf(v).Elem().Set(deepCopy(first)) })
	return v
}

// keepPerNodes remembers the values that processes start with.
func keepPerNodes() {
	for _, v := range perNodes {
		v.keep()
	}
	worldsBegan = true
}

// deepCopy copies a value and all that it leads to, but for channels and functions.
func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	(&copier{done: map[seen]reflect.Value{}}).copy(out, v)
	return out
}

// seen is a pointer, map or slice that was met: cycles and sharing stay as they are.
type seen struct {
	at  unsafe.Pointer
	len int
	t   reflect.Type
}

type copier struct{ done map[seen]reflect.Value }

// once sets to to the copy of what from refers to, which is made when it is first met.
func (c *copier) once(to, from reflect.Value, length int, make func() reflect.Value, fill func(made reflect.Value)) {
	key := seen{from.UnsafePointer(), length, from.Type()}
	made, found := c.done[key]
	if !found {
		made = make()
		c.done[key] = made
		fill(made)
	}
	to.Set(made)
}

// copy sets to, which is zero, to a copy of from.
func (c *copier) copy(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		if !from.IsNil() {
			c.reference(to, from)
		}
	case reflect.Struct:
		for i := range from.NumField() {
			c.copy(open(to.Field(i)), open(from.Field(i)))
		}
	case reflect.Array:
		for i := range from.Len() {
			c.copy(to.Index(i), from.Index(i))
		}
	default:
		to.Set(from)
	}
}

func (c *copier) reference(to, from reflect.Value) {
	t := from.Type()
	switch from.Kind() {
	case reflect.Pointer:
		c.once(to, from, 0, func() reflect.Value { return reflect.New(t.Elem()) }, func(made reflect.Value) {
			c.copy(made.Elem(), from.Elem())
		})
	case reflect.Map:
		c.once(to, from, 0, func() reflect.Value { return reflect.MakeMapWithSize(t, from.Len()) }, func(made reflect.Value) {
			for it := from.MapRange(); it.Next(); {
				k, v := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
				c.copy(k, addressable(it.Key()))
				c.copy(v, addressable(it.Value()))
				made.SetMapIndex(k, v)
			}
		})
	case reflect.Slice:
		c.once(to, from, from.Len(), func() reflect.Value { return reflect.MakeSlice(t, from.Len(), from.Cap()) }, func(made reflect.Value) {
			for i := range from.Len() {
				c.copy(made.Index(i), from.Index(i))
			}
		})
	case reflect.Interface:
		made := reflect.New(from.Elem().Type()).Elem()
		c.copy(made, addressable(from.Elem()))
		to.Set(made)
	}
}

// addressable is the same value where its fields can be reached: what a map or an
// interface holds cannot.
func addressable(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// open is a field that may be set, exported or not.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
}
