package oracle

import (
	"slices"
	"strings"
)

// Set is a set of values for every key:
//
//	add v      answers "false" if v was there already, or whatever it likes if not
//	remove v   answers "false" if v was not there, or whatever it likes if it was
//	contains v answers "true" or "false"
//	read       answers all values, in any order, as an EDN vector or set
func Set() Model {
	return Model{
		Name:  "set",
		Types: []string{"add", "remove", "contains", "read"},
		Apply: applySet,
		Moot:  mootSet,
	}
}

// The state is a run of items in order, see item.
func applySet(state string, op *Op) (string, Answer) {
	vs := items(state)
	if op.Type == "read" {
		if op.Status == StatusOK && slices.Equal(vs, members(op.Output)) {
			return state, Allowed
		}
		return state, Exactly(Values(vs...))
	}
	i, in := slices.BinarySearch(vs, op.Input)
	switch op.Type {
	case "add":
		if in {
			return state, Any
		}
		return join(slices.Insert(vs, i, op.Input)), said(op, true)
	case "remove":
		if !in {
			return state, Any
		}
		return join(slices.Delete(vs, i, i+1)), said(op, true)
	}
	if in {
		return state, Exactly("true")
	}
	return state, Exactly("false")
}

// mootSet: a change is moot if no other call can tell whether its value is in.
func mootSet(op *Op, ops []*Op) bool {
	if op.Type == "read" || op.Type == "contains" {
		return true
	}
	for _, o := range ops {
		if o != op && o.Status == StatusOK && (o.Type == "read" || o.Input == op.Input) {
			return false
		}
	}
	return true
}

func join(vs []string) string {
	var b strings.Builder
	for _, v := range vs {
		b.WriteString(item(v))
	}
	return b.String()
}

// members returns the values of a written vector, list or set, in order and once.
func members(s string) []string {
	v, ok := parseOne(s)
	if !ok || v.kind != ednVector && v.kind != ednList && v.kind != ednSet {
		return []string{s}
	}
	var vs []string
	for i := range v.kids {
		vs = append(vs, v.kids[i].value())
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}
