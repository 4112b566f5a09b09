package plan

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// encode makes the tree of a plan, as decode reads it.
func encode(p *Plan) *node { return encodeFields(reflect.ValueOf(p).Elem()) }

func encodeFields(v reflect.Value) *node {
	out := &node{kind: kindFields}
	for _, f := range fieldsOf(v.Type()) {
		w := v.Field(f.index)
		if f.presence == optional && w.IsZero() {
			continue
		}
		out.set(f.name, encodeValue(w, f))
	}
	return out
}

func encodeValue(v reflect.Value, f field) *node {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch formOf(v.Type()) {
	case formFields:
		return encodeFields(v)
	case formBudget:
		return encodeBudget(v.Interface().(Budget))
	case formList:
		return encodeList(v, f)
	case formCount:
		return &node{kind: kindNumber, text: strconv.FormatInt(v.Int(), 10)}
	case formDuration:
		return textNode(0, shortDuration(time.Duration(v.Int())))
	case formScalar:
		return textNode(0, v.Interface().(fmt.Stringer).String())
	}
	return textNode(0, v.String())
}

func encodeList(v reflect.Value, f field) *node {
	items, none := itemsOf(v)
	if items.Len() == 0 && none != nil {
		if *none == "" {
			return textNode(0, "")
		}
		return textNode(0, nonePrefix+*none)
	}
	switch all := items.Interface().(type) {
	case []Param:
		return textNode(0, joined(all, " "))
	case []Config:
		out := &node{kind: kindFields}
		for _, c := range all {
			out.set(c.Name, textNode(0, joined(c.Parameters, " ")))
		}
		return out
	}
	out := &node{kind: kindList}
	for i := range items.Len() {
		out.items = append(out.items, encodeValue(items.Index(i), f))
	}
	return out
}

func encodeBudget(b Budget) *node {
	out := &node{kind: kindFields}
	out.set("smoke", encodeTier(b.Smoke))
	out.set("hardening", encodeTier(b.Hardening))
	switch {
	case b.NoRelease != NoRelease{}:
		out.set("release", textNode(0, b.NoRelease.String()))
	default:
		out.set("release", encodeTier(b.Release))
	}
	return out
}

// encodeTier leaves a tier that says nothing empty: zeros would be an answer.
func encodeTier(t Tier) *node {
	if t != (Tier{}) {
		return encodeFields(reflect.ValueOf(t))
	}
	out := &node{kind: kindFields}
	for _, f := range fieldsOf(reflect.TypeFor[Tier]()) {
		out.set(f.name, textNode(0, ""))
	}
	return out
}

// shortDuration is a duration without the zeros at its end.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// flat is a node in one line of text, as the cell of a table has it.
func flat(n *node, sep string) string {
	var parts []string
	for _, i := range n.items {
		parts = append(parts, i.text)
	}
	for _, e := range n.fields {
		parts = append(parts, e.name+": "+e.value.text)
	}
	if n.kind == kindScalar || n.kind == kindNumber {
		return n.text
	}
	if sep = sep[:1]; sep != " " {
		sep += " "
	}
	return strings.Join(parts, sep)
}
