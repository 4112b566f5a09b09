package plan

import (
	"reflect"
	"strings"
)

// scenarios makes a list of the sections under the heading of scenarios.
func (d *document) scenarios(s section) *node {
	for _, b := range s.body {
		d.stray(b, "scenarios", "a heading for each scenario, as: ### S1 name")
	}
	out := &node{line: s.heading.line, kind: kindList}
	for _, sub := range s.subs {
		out.items = append(out.items, d.scenario(sub))
	}
	return out
}

// scenario makes the fields of a scenario: of its heading, its table, and the
// sections under it.
func (d *document) scenario(s section) *node {
	out := &node{line: s.heading.line, kind: kindFields}
	id, name, _ := strings.Cut(s.heading.text, " ")
	out.set("id", textNode(s.heading.line, id))
	out.set("name", textNode(s.heading.line, strings.TrimSpace(name)))
	known := fieldsOf(typeScenario)
	d.fieldBody(out, s, id, known)
	arms := &node{kind: kindList}
	for _, sub := range s.subs {
		name := key(sub.heading.text)
		f, ok := find(known, name)
		switch {
		case strings.Contains(name, "/"):
			if len(arms.items) == 0 {
				arms.line = sub.heading.line
			}
			arms.items = append(arms.items, d.arm(sub))
		case ok && formOf(f.typ) == formBudget:
			out.set(name, d.budget(sub, id))
		case ok && f.typ.Kind() == reflect.Pointer:
			part := &node{line: sub.heading.line, kind: kindFields}
			d.fieldBody(part, sub, id+": "+name, fieldsOf(f.typ.Elem()))
			out.set(name, part)
		default:
			d.unknown(sub.heading.line, id, "the section", sub.heading.text, []string{"budget", "model", "matrix", id + "/arm"})
		}
		d.noSubs(sub)
	}
	if len(arms.items) > 0 {
		out.set("arms", arms)
	}
	return out
}

func (d *document) arm(s section) *node {
	out := &node{line: s.heading.line, kind: kindFields}
	out.set("id", textNode(s.heading.line, s.heading.text))
	d.fieldBody(out, s, s.heading.text, fieldsOf(typeArm))
	return out
}

func (d *document) budget(s section, id string) *node {
	about := id + ": budget"
	table, ok := d.only(s, blockTable, about, "one table of tiers")
	if !ok {
		return &node{line: s.heading.line, kind: kindFields}
	}
	known := append([]field{{name: "tier", want: "smoke, hardening or release", presence: required}}, fieldsOf(reflect.TypeFor[Tier]())...)
	return d.tierTable(table, about, known)
}
