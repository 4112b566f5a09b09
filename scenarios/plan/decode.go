package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// decoder makes a plan of what was written. Both forms of a plan come through it,
// so that they mean the same.
type decoder struct {
	teller
	src *source
}

// decode makes a plan of a tree.
func decode(file string, tree *node) (*Plan, Problems) {
	p := &Plan{source: source{file: file, lines: map[string]int{}, bad: map[string]int{}}}
	d := &decoder{teller{file: file}, &p.source}
	d.fields(reflect.ValueOf(p).Elem(), tree, place{})
	return p, d.problems
}

func (d *decoder) lost(at place, line int) { d.src.bad[at.path] = line }

func (d *decoder) fail(n *node, at place, m misread) {
	d.tell(n.line, at.about, m.found, m.want, m.do)
	d.lost(at, n.line)
}

// value sets v to what n says.
func (d *decoder) value(v reflect.Value, n *node, f field, at place) {
	d.src.lines[at.path] = n.line
	if n.kind == kindLost {
		d.lost(at, n.line)
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch form := formOf(v.Type()); form {
	case formList:
		d.list(v, n, f, at)
	case formFields:
		d.fields(v, n, at)
	case formBudget:
		d.budget(v, n, at)
	default:
		if n.kind != kindScalar && n.kind != kindNumber {
			d.fail(n, at, misread{string(n.kind), "one " + string(form) + ": " + f.want, "write it in one value"})
			return
		}
		d.line(v, n, form, at)
	}
}

// line sets v to what a line of text says.
func (d *decoder) line(v reflect.Value, n *node, form form, at place) {
	text := bare(n.text)
	if form == formText {
		v.SetString(tidy(n.text))
		return
	}
	if silent(text) && (form != formWord || text == "") {
		if form == formCount || form == formDuration {
			delete(d.src.lines, at.path) // 0 would be an answer
		}
		return // Check tells
	}
	switch form {
	case formWord:
		d.word(v, n, key(text), at)
	case formCount:
		count, err := strconv.Atoi(text)
		if err != nil || count < 0 {
			d.fail(n, at, misread{quote(text), "a count, as 3", "write a whole number"})
			return
		}
		v.SetInt(int64(count))
	case formDuration:
		length, err := time.ParseDuration(text)
		if err != nil || length < 0 {
			d.fail(n, at, misread{quote(text), "a duration, as 90s or 1h30m", "write numbers with their units"})
			return
		}
		v.SetInt(int64(length))
	case formScalar:
		if m := v.Addr().Interface().(scalar).parse(text); m != nil {
			d.fail(n, at, *m)
		}
	}
}

func (d *decoder) word(v reflect.Value, n *node, text string, at place) {
	known := v.Interface().(worded).words()
	for _, w := range known {
		if w == text {
			v.SetString(w)
			return
		}
	}
	if silent(text) {
		return
	}
	d.unknown(n.line, at.about, "the word", text, known)
	d.lost(at, n.line)
}

// tidy takes off the spaces around a text and at the ends of its lines.
func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return bare(strings.Join(lines, "\n"))
}

// fields sets a struct's fields.
func (d *decoder) fields(v reflect.Value, n *node, at place) {
	if n.kind != kindFields {
		if n.kind == kindScalar && silent(n.text) {
			return // Check tells
		}
		d.fail(n, at, misread{string(n.kind), "fields: " + strings.Join(names(fieldsOf(v.Type())), ", "), "write each field under its name"})
		return
	}
	known := fieldsOf(v.Type())
	seen := map[string]int{}
	for _, e := range n.fields {
		f, ok := find(known, e.name)
		if !ok {
			d.unknown(e.line, orPlan(at.about), "the field", e.name, names(known))
			continue
		}
		if first := seen[e.name]; first > 0 {
			d.tell(e.line, at.field(f.name).about, "the field a second time", fmt.Sprintf("it once: the first is in line %d", first), "take one of them out")
			continue
		}
		seen[e.name] = e.line
		d.value(v.Field(f.index), e.value, f, at.field(f.name))
	}
}

func orPlan(about string) string {
	if about == "" {
		return "the plan"
	}
	return about
}

// list sets a list's items, or the reason why there are none.
func (d *decoder) list(v reflect.Value, n *node, f field, at place) {
	items, none := itemsOf(v)
	switch n.kind {
	case kindScalar, kindNumber:
		if why := None(n.text); why != "" && none != nil {
			*none = why
			return
		}
		if silent(n.text) {
			return // Check tells
		}
		if f.sep == "" || None(n.text) != "" {
			d.fail(n, at, misread{quote(n.text), "a list: " + f.want, listRemedy(none)})
			return
		}
		for _, text := range split(bare(n.text), f.sep) {
			d.item(items, textNode(n.line, text), f, at)
		}
	case kindFields:
		d.keyed(items, n, f, at)
	default:
		for _, item := range n.items {
			d.item(items, item, f, at)
		}
	}
}

func listRemedy(none *string) string {
	if none == nil {
		return "write at least one: there is no plan without"
	}
	return `write a list, or "none, because WHY"`
}

// keyed sets items that are written as names and values.
func (d *decoder) keyed(items reflect.Value, n *node, f field, at place) {
	elem := items.Type().Elem()
	for _, e := range n.fields {
		text := ""
		switch {
		case elem == typeParam && e.value.kind != kindFields:
			text = e.name + "=" + e.value.text
		case elem == typeConfig && e.value.kind == kindFields:
			text = e.name + ":"
			for _, p := range e.value.fields {
				text += " " + p.name + "=" + p.value.text
			}
		case elem == typeConfig:
			text = e.name + ": " + e.value.text
		default:
			d.fail(n, at, misread{"fields", "a list: " + f.want, "write a list"})
			return
		}
		d.item(items, textNode(e.line, text), f, at)
	}
}

// item adds one item to a list.
func (d *decoder) item(items reflect.Value, n *node, f field, at place) {
	v := reflect.New(items.Type().Elem()).Elem()
	here := place{join(at.path, strconv.Itoa(items.Len())), at.about}
	if formOf(v.Type()) == formFields {
		here.about = itemName(v.Type(), n, at.about, items.Len())
	}
	if n.kind == kindScalar || n.kind == kindNumber {
		several := v.Kind() == reflect.String && f.sep != "" && len(split(tidy(n.text), f.sep)) != 1
		if silent(bare(n.text)) || several {
			d.fail(n, here, misread{found(n.text), "one item", "write each item of the list on its own"})
			return
		}
	}
	d.value(v, n, f, here)
	if fault, ok := v.Addr().Interface().(*Named); ok && slices.Contains(Families(), key(fault.Name)) {
		fault.Name = key(fault.Name) // "slow disk"
	}
	items.Set(reflect.Append(items, v))
}

// itemName names an item by its id, or else by its number.
func itemName(t reflect.Type, n *node, list string, index int) string {
	for _, f := range fieldsOf(t) {
		if f.id == "" {
			continue
		}
		if id := n.get(f.name); id != nil && !silent(id.text) {
			return strings.Join(strings.Fields(bare(id.text)), " ")
		}
	}
	return fmt.Sprintf("%s %d", list, index+1)
}

// budget sets the three tiers.
func (d *decoder) budget(v reflect.Value, n *node, at place) {
	release := n.get("release")
	if release == nil || release.kind != kindScalar || silent(release.text) {
		d.fields(v, n, at)
		return
	}
	here := at.field("release")
	d.src.lines[here.path] = release.line
	if m := v.Addr().Interface().(*Budget).NoRelease.parse(bare(release.text)); m != nil {
		d.fail(release, here, *m)
	}
	rest := *n
	rest.fields = nil
	for _, e := range n.fields {
		if e.value != release {
			rest.fields = append(rest.fields, e)
		}
	}
	d.fields(v, &rest, at)
}
