package plan

import (
	"reflect"
	"strings"
	"time"
)

// field is a field of a plan's types, as its tags describe it.
type field struct {
	name     string
	want     string       // what belongs there
	sep      string       // what parts the items of a list in one line of text
	ref      string       // what its text refers to by id, "" for nothing
	id       string       // what its text is the id of, "" for nothing
	presence presence     // whether it can be left out
	typ      reflect.Type // of the Go field
	index    int          // of the Go field
}

type presence string

const (
	required presence = "required"
	optional presence = "optional"
)

// fieldsOf returns the fields of a struct that have a name, in their order.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		g := t.Field(i)
		tag, ok := g.Tag.Lookup("plan")
		if !ok {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		f := field{name: name, want: g.Tag.Get("want"), sep: g.Tag.Get("sep"),
			ref: g.Tag.Get("ref"), id: g.Tag.Get("id"), presence: required, typ: g.Type, index: i}
		if rest == "optional" {
			f.presence = optional
		}
		out = append(out, f)
	}
	return out
}

// find returns the field of a name.
func find(fields []field, name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func names(fields []field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return out
}

// form is how the values of a Go type are written.
type form string

const (
	formText     form = "text"
	formWord     form = "word" // of a fixed set
	formCount    form = "count"
	formDuration form = "duration"
	formScalar   form = "scalar" // a line of text with a grammar of its own
	formFields   form = "fields" // a struct
	formBudget   form = "budget"
	formList     form = "list"
)

// worded are types whose values are words of a fixed set.
type worded interface{ words() []string }

// scalar are types that a line of text is parsed into.
type scalar interface{ parse(text string) *misread }

// misread says what was wrong with a line of text.
type misread struct{ found, want, do string }

var (
	typeDuration = reflect.TypeFor[time.Duration]()
	typeBudget   = reflect.TypeFor[Budget]()
	typeScenario = reflect.TypeFor[Scenario]()
	typeArm      = reflect.TypeFor[Arm]()
	typeTarget   = reflect.TypeFor[Target]()
	typeParam    = reflect.TypeFor[Param]()
	typeConfig   = reflect.TypeFor[Config]()
	typeWorded   = reflect.TypeFor[worded]()
	typeScalar   = reflect.TypeFor[scalar]()
	typeLister   = reflect.TypeFor[lister]()
)

// lister is a List of anything.
type lister interface {
	parts() (items reflect.Value, none *string)
}

func (l *List[T]) parts() (reflect.Value, *string) {
	return reflect.ValueOf(&l.Items).Elem(), &l.None
}

func formOf(t reflect.Type) form {
	switch {
	case t == typeDuration:
		return formDuration
	case t == typeBudget:
		return formBudget
	case t.Implements(typeWorded):
		return formWord
	case reflect.PointerTo(t).Implements(typeScalar):
		return formScalar
	case reflect.PointerTo(t).Implements(typeLister), t.Kind() == reflect.Slice:
		return formList
	case t.Kind() == reflect.Int:
		return formCount
	case t.Kind() == reflect.String:
		return formText
	}
	return formFields
}

// elemOf returns the type of a list's items.
func elemOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return t.Field(0).Type.Elem()
}

// itemsOf returns the items of a list, and where the reason of an empty one is:
// nil if the list has to have items.
func itemsOf(v reflect.Value) (items reflect.Value, none *string) {
	if l, ok := v.Addr().Interface().(lister); ok {
		return l.parts()
	}
	return v, nil
}

// structOf returns the struct that a type is or points to.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}
