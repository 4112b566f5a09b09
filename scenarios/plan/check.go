package plan

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// checker looks for what is missing in a plan, and for what contradicts itself.
type checker struct {
	teller
	p   *Plan
	ids map[string]map[string]int // of a kind of thing, with their lines
	all map[string][]string       // the same, in order
}

// Check returns what is missing in a plan, and what contradicts itself, in the
// order of lines.
func (p *Plan) Check() Problems {
	c := &checker{teller{file: p.source.file}, p, map[string]map[string]int{}, map[string][]string{}}
	if c.file == "" {
		c.file = "plan " + quote(p.Name)
	}
	root := reflect.ValueOf(p).Elem()
	c.collect(root, place{})
	c.fields(root, place{})
	c.header()
	for i := range p.Scenarios {
		c.scenario(&p.Scenarios[i], place{"scenarios." + strconv.Itoa(i), p.Scenarios[i].label(i)})
	}
	c.coverage()
	return inOrder(c.problems)
}

// label names a scenario for people.
func (s *Scenario) label(i int) string {
	if silent(s.ID) {
		return fmt.Sprintf("scenarios %d", i+1)
	}
	return s.ID
}

// line returns where a part is, or else what it is part of.
func (c *checker) line(path string) int {
	for path != "" {
		if l := c.p.source.lines[path]; l > 0 {
			return l
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	if c.p.source.lines == nil {
		return 0
	}
	return 1
}

// told says whether a part, or one that it is part of, was told already.
func (c *checker) told(path string) bool {
	for path != "" {
		if c.p.source.bad[path] > 0 {
			return true
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return false
}

func (c *checker) weigh(w Weight, at place, found, want, do string) {
	if c.told(at.path) {
		return
	}
	c.problems = append(c.problems, Problem{c.file, c.line(at.path), w, orPlan(at.about), found, want, do})
}

func (c *checker) fail(at place, found, want, do string) { c.weigh(Error, at, found, want, do) }

func (c *checker) warn(at place, found, want, do string) { c.weigh(Warning, at, found, want, do) }

// eachItem calls f for the items of a list, with their places.
func eachItem(items reflect.Value, at place, f func(v reflect.Value, here place)) {
	for i := range items.Len() {
		v := items.Index(i)
		here := place{join(at.path, strconv.Itoa(i)), at.about}
		if formOf(v.Type()) == formFields {
			here.about = valueName(v, at.about, i)
		}
		f(v, here)
	}
}

// valueName names an item by its id, or else by its number.
func valueName(v reflect.Value, list string, index int) string {
	for _, f := range fieldsOf(v.Type()) {
		if f.id != "" && !silent(v.Field(f.index).String()) {
			return strings.Join(strings.Fields(v.Field(f.index).String()), " ")
		}
	}
	return fmt.Sprintf("%s %d", list, index+1)
}

// fields looks for silence and for broken references in a struct's fields.
func (c *checker) fields(v reflect.Value, at place) {
	for _, f := range fieldsOf(v.Type()) {
		c.field(v.Field(f.index), f, at.field(f.name))
	}
}

func (c *checker) field(v reflect.Value, f field, at place) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return // who needs it asks for it
		}
		v = v.Elem()
	}
	switch formOf(v.Type()) {
	case formText:
		if f.presence == optional && v.String() == "" {
			return
		}
		if silent(v.String()) {
			c.silence(f, at, v.String())
			return
		}
		c.ref(f, at, v.String())
	case formWord:
		c.word(v, f, at)
	case formScalar:
		if v.IsZero() && v.Type() != typeTarget { // of targets, binding tells
			c.silence(f, at, "")
		}
	case formFields:
		c.fields(v, at)
	case formList:
		c.list(v, f, at)
	}
}

func (c *checker) word(v reflect.Value, f field, at place) {
	known := v.Interface().(worded).words()
	for _, w := range known {
		if w == v.String() {
			return
		}
	}
	if v.String() != "" {
		c.fail(at, "the word "+quote(v.String()), "one of "+strings.Join(known, ", "), "write one of them")
		return
	}
	c.silence(f, at, "")
}

func (c *checker) list(v reflect.Value, f field, at place) {
	items, none := itemsOf(v)
	if items.Len() == 0 {
		if f.presence == required && (none == nil || silent(*none)) {
			c.silence(f, at, "")
		}
		return
	}
	eachItem(items, at, func(item reflect.Value, here place) { c.field(item, f, here) })
}

// musts cannot be none: a scenario without them proves nothing.
var musts = map[string]bool{"oracle": true, "exit-criteria": true}

// silence tells of a field that says nothing.
func (c *checker) silence(f field, at place, text string) {
	do := `write it, or "none, because WHY"`
	parts := strings.Split(at.path, ".")
	if parts[0] == "scenarios" && musts[f.name] && !strings.Contains(at.path, ".matrix.") {
		c.handBack(at, found(text), f.want)
		return
	}
	if f.id != "" || f.ref != "" && f.sep == "" || parts[0] == f.name && f.typ.Kind() == reflect.Slice {
		do = "write it"
	}
	c.fail(at, found(text), f.want, do)
}

func (c *checker) handBack(at place, found, want string) {
	c.weigh(HandBack, at, found, want, "the plan goes back to its designer, and nothing of it is run before")
}

func (c *checker) header() {
	h, at := c.p.Header, place{"header", "header"}
	if _, err := time.Parse(time.DateOnly, h.Date); err != nil && !silent(h.Date) {
		c.fail(at.field("date"), quote(h.Date), "a day, as 2026-01-31", "write year, month and day")
	}
	none := None(h.Change) != ""
	if h.Mode == ChangeScoped && none {
		c.fail(at.field("change"), "no change", "the change that is tested, as the mode says", "name the change, or make the mode project-wide")
	}
	if h.Mode == ProjectWide && !none && !silent(h.Change) {
		c.warn(at.field("change"), "a change", `"none, because WHY", as the mode says`, "take it out, or make the mode change-scoped")
	}
	const most = 30
	if n := strings.Count(c.p.Architecture, "\n") + 1; n > most {
		c.fail(place{"architecture", "architecture"}, fmt.Sprintf("%d lines", n), fmt.Sprintf("%d at most", most), "tell less: what the scenarios touch")
	}
}
