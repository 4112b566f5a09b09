package sim

import (
	"reflect"
	"testing"
)

type ring struct {
	next *ring
	n    int
}

type everything struct {
	plain  [2]int
	text   string
	list   []*ring
	byName map[string][]int
	any    any
	values map[struct{ a any }]struct{ n []int }
	hidden struct{ p *int }
	c      chan int
	f      func()
}

// A copy shares nothing with its original but channels, and has its shape.
func TestDeepCopy(t *testing.T) {
	loop := &ring{n: 1}
	loop.next = loop
	n := 7
	v := everything{
		plain: [2]int{1, 2}, text: "x", list: []*ring{loop, loop, nil}, byName: map[string][]int{"a": {1}, "b": nil},
		any: map[int]*int{1: &n}, c: make(chan int),
	}
	v.hidden.p = &n
	key := struct{ a any }{"k"}
	v.values = map[struct{ a any }]struct{ n []int }{key: {[]int{1}}}
	got := deepCopy(reflect.ValueOf(&v).Elem()).Interface().(everything)
	if got.plain != v.plain || got.text != "x" || got.c != v.c || got.f != nil || !reflect.DeepEqual(got.byName, v.byName) {
		t.Fatalf("got %+v, want a copy of %+v", got, v)
	}
	if l := got.list; l[0] == loop || l[0] != l[1] || l[0].next != l[0] || l[2] != nil {
		t.Error("a ring that is met twice is not one ring of its own")
	}
	if p := got.hidden.p; p == &n || *p != 7 || got.any.(map[int]*int)[1] != p {
		t.Error("what two pointers lead to is not one number of its own")
	}
	if got.values[key].n[0]++; v.values[key].n[0] != 1 || got.values[key].n[0] != 2 {
		t.Error("a slice in a struct in a map is shared with the original")
	}
	got.byName["a"][0] = 2
	if v.byName["a"][0] != 1 {
		t.Error("a slice is shared with the original")
	}
}
