package plan

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var (
	idShape  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	armShape = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*$`)
)

// collect takes the ids that things are known by, and tells of those that two
// have.
func (c *checker) collect(v reflect.Value, at place) {
	for _, f := range fieldsOf(v.Type()) {
		here, w := at.field(f.name), v.Field(f.index)
		switch {
		case f.id != "":
			c.collectID(f, here, w.String())
		case formOf(structOf(f.typ)) == formList:
			items, _ := itemsOf(w)
			if formOf(items.Type().Elem()) == formFields {
				eachItem(items, here, c.collect)
			}
		}
	}
}

func (c *checker) collectID(f field, at place, id string) {
	if silent(id) {
		return // told as silence
	}
	shape, want := idShape, "letters and digits, as in "+f.want
	switch f.id {
	case "arm":
		shape = armShape
	case "need", "technique":
		shape = nil
	}
	if shape != nil && !shape.MatchString(id) {
		c.fail(at, "the id "+quote(id), want, "write one word")
		return
	}
	if c.ids[f.id] == nil {
		c.ids[f.id] = map[string]int{}
	}
	if line, twice := c.ids[f.id][id]; twice {
		first := "another one has it"
		if line > 0 {
			first = fmt.Sprintf("line %d has it first", line)
		}
		c.fail(at, fmt.Sprintf("the %s %s a second time", f.id, quote(id)), "an id of its own", first+": write another one, and mend what refers to it")
		return
	}
	c.ids[f.id][id] = c.line(at.path)
	c.all[f.id] = append(c.all[f.id], id)
}

// ref tells of a text that refers to nothing.
func (c *checker) ref(f field, at place, id string) {
	if f.ref == "" || None(id) != "" {
		return
	}
	known := c.all[f.ref]
	if f.ref == "scenario" {
		known = slices.Concat(known, c.all["arm"])
	}
	if slices.Contains(known, id) || c.lostSome(f.ref) {
		return
	}
	want, do := "the "+f.ref+" of a row or a heading; there is none", "add the "+f.ref+", or take the reference out"
	if len(known) > 0 {
		want = "one of " + strings.Join(known, ", ")
		do = fmt.Sprintf("write %s if that was meant, or add the %s", nearest(id, known), f.ref)
	}
	c.fail(at, fmt.Sprintf("the unknown %s %s", f.ref, quote(id)), want, do)
}

// definedIn are the sections that things are defined in.
var definedIn = map[string][]string{
	"claim": {"claims", "unstated-claims"}, "hypothesis": {"hypotheses"}, "scenario": {"scenarios"}, "technique": {"techniques"},
}

// lostSome says whether a part of a section could not be read, that may have
// defined anything.
func (c *checker) lostSome(kind string) bool {
	for _, section := range definedIn[kind] {
		if c.p.source.bad[section] > 0 {
			return true
		}
		for i := range 1 + len(c.p.source.bad) + len(c.all[kind]) {
			row := fmt.Sprintf("%s.%d", section, i)
			if c.p.source.bad[row] > 0 || c.p.source.bad[row+".id"] > 0 {
				return true
			}
		}
	}
	return false
}

// category returns the category of a claim, "" if there is no such claim.
func (p *Plan) category(id string) Category {
	for _, claim := range p.Claims {
		if claim.ID == id {
			return claim.Category
		}
	}
	for _, claim := range p.Unstated.Items {
		if claim.ID == id {
			return claim.Category
		}
	}
	return ""
}

// Categories returns the categories of claims, each once, in their order.
func (p *Plan) Categories(claims []string) []Category {
	var out []Category
	for _, id := range claims {
		if c := p.category(id); c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
