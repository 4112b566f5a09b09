package plan

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
)

// hints says whether what is written explains the fields that are empty.
type hints string

const (
	withHints    hints = "with hints"
	withoutHints hints = "without hints"
)

// YAML writes a plan, so that [Read] gives the same plan. It is an error if a text
// has no such form.
func (p *Plan) YAML() ([]byte, error) { return p.yaml(withoutHints) }

// Markdown writes a plan, so that [Read] gives the same plan. It is an error if a
// text has no such form: one that has headings in it, say.
func (p *Plan) Markdown() ([]byte, error) { return p.markdown(withoutHints) }

func (p *Plan) yaml(h hints) ([]byte, error) {
	tree := encode(p)
	options := []yaml.EncodeOption{yaml.IndentSequence(true), yaml.UseLiteralStyleIfMultiline(true)}
	if h == withHints {
		comments := yaml.CommentMap{}
		yamlHints(comments, "$", reflect.TypeFor[Plan](), tree)
		options = append(options, yaml.WithComment(comments))
	}
	data, err := yaml.MarshalWithOptions(yamlValue(tree), options...)
	if err != nil {
		return nil, fmt.Errorf("plan %q: found a text that cannot be written as YAML: %w", p.Name, err)
	}
	return data, p.readsBack("plan.yaml", data)
}

func (p *Plan) markdown(h hints) ([]byte, error) {
	w := &mdWriter{hints: h}
	w.plan(p, encode(p))
	return w.Bytes(), p.readsBack("plan.md", w.Bytes())
}

// readsBack returns an error if a text that was written is read as another plan.
func (p *Plan) readsBack(file string, data []byte) error {
	back, problems := Read(file, data)
	if len(problems) > 0 {
		return fmt.Errorf("plan %q cannot be written: %w", p.Name, problems)
	}
	if !Same(p, back) {
		return fmt.Errorf("plan %q cannot be written: %w", p.Name, errors.New("a text has another meaning there: take out headings, comments, <br> and spaces at ends"))
	}
	return nil
}

// Same says whether two plans say the same, wherever they were read from.
func Same(a, b *Plan) bool {
	x, y := *a, *b
	x.source, y.source = source{}, source{}
	return reflect.DeepEqual(x, y)
}

// yamlValue is a tree as the encoder takes it.
func yamlValue(n *node) any {
	switch n.kind {
	case kindFields:
		out := yaml.MapSlice{}
		for _, e := range n.fields {
			out = append(out, yaml.MapItem{Key: e.name, Value: yamlValue(e.value)})
		}
		return out
	case kindList:
		out := []any{}
		for _, i := range n.items {
			out = append(out, yamlValue(i))
		}
		return out
	case kindNumber:
		var number int
		fmt.Sscan(n.text, &number)
		return number
	}
	return n.text
}

// yamlHints says behind each empty text what belongs there.
func yamlHints(out yaml.CommentMap, path string, t reflect.Type, n *node) {
	for _, f := range fieldsOf(structOf(t)) {
		value := n.get(f.name)
		if value == nil {
			continue
		}
		here := path + "." + f.name
		switch inner := structOf(f.typ); {
		case value.kind == kindScalar && value.text == "":
			if f.want != "" {
				out[here] = []*yaml.Comment{yaml.LineComment(" " + f.want)}
			}
		case value.kind == kindFields && (formOf(inner) == formFields || formOf(inner) == formBudget):
			yamlHints(out, here, inner, value)
		case value.kind == kindList && formOf(elemOf(inner)) == formFields:
			for i, item := range value.items {
				yamlHints(out, fmt.Sprintf("%s[%d]", here, i), elemOf(inner), item)
			}
		}
	}
}

// mdWriter writes Markdown.
type mdWriter struct {
	bytes.Buffer
	hints hints
}

func (w *mdWriter) heading(level int, text string) {
	if w.Len() > 0 {
		w.WriteString("\n")
	}
	fmt.Fprintf(w, "%s %s\n", strings.Repeat("#", level), text)
}

func (w *mdWriter) plan(p *Plan, tree *node) {
	w.heading(1, p.Name)
	w.fieldTable(reflect.TypeFor[Header](), tree.get("header"))
	for _, f := range fieldsOf(reflect.TypeFor[Plan]())[2:] {
		w.heading(2, title(f.name))
		value := tree.get(f.name)
		switch {
		case f.name == "scenarios":
			for _, s := range value.items {
				w.scenario(s)
			}
		case value.kind == kindFields:
			w.fieldTable(f.typ, value)
		case value.kind == kindScalar:
			w.hint(value.text, f.want)
			w.paragraph(value.text)
		case formOf(elemOf(f.typ)) == formFields:
			w.rowTable(elemOf(f.typ), value)
		default:
			w.bullets(value)
		}
	}
}

// title is a field's name as a heading.
func title(name string) string {
	switch name {
	case "non-goals", "follow-ups":
		return strings.ToUpper(name[:1]) + name[1:]
	}
	name = strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// column is a field's name in a table.
func column(name string) string { return strings.ReplaceAll(name, "-", " ") }

func (w *mdWriter) hint(text, want string) {
	if w.hints == withHints && text == "" && want != "" {
		fmt.Fprintf(w, "\n<!-- %s -->\n", want)
	}
}

func (w *mdWriter) paragraph(text string) {
	if text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
}

func (w *mdWriter) bullets(n *node) {
	w.WriteString("\n")
	for _, i := range n.items {
		fmt.Fprintf(w, "- %s\n", i.text)
	}
}

func (w *mdWriter) row(cells ...string) {
	w.WriteString("|")
	for _, c := range cells {
		if c = toCell(c); c != "" {
			c = " " + c
		}
		w.WriteString(c + " |")
	}
	w.WriteString("\n")
}

// head writes a table's header, and what belongs in its empty fields.
func (w *mdWriter) head(fields []field, n *node, columns ...string) {
	if w.hints == withHints {
		var lines []string
		for _, f := range fields {
			if v := n.get(f.name); v != nil && v.kind == kindScalar && v.text == "" {
				lines = append(lines, column(f.name)+": "+f.want)
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n<!--\n%s\n-->\n", strings.Join(lines, "\n"))
		}
	}
	w.WriteString("\n")
	w.row(columns...)
	w.WriteString("|" + strings.Repeat("---|", len(columns)) + "\n")
}

// fieldTable writes the fields that fit in a cell.
func (w *mdWriter) fieldTable(t reflect.Type, n *node) {
	fields := cellFields(t)
	w.head(fields, n, "field", "value")
	for _, f := range fields {
		if value := n.get(f.name); value != nil {
			w.row(column(f.name), flat(value, f.sep))
		}
	}
}

// cellFields are the fields of a struct that are written in tables; the others are
// in headings and in tables of their own.
func cellFields(t reflect.Type) []field {
	var out []field
	for _, f := range fieldsOf(t) {
		inHeading := f.id != "" && (t == typeScenario || t == typeArm) || f.name == "name"
		if !inHeading && inCell(f) {
			out = append(out, f)
		}
	}
	return out
}

func (w *mdWriter) rowTable(t reflect.Type, n *node) {
	fields := fieldsOf(t)
	var columns []string
	for _, f := range fields {
		columns = append(columns, column(f.name))
	}
	first := &node{}
	if len(n.items) > 0 {
		first = n.items[0]
	}
	w.head(fields, first, columns...)
	for _, item := range n.items {
		var cells []string
		for _, f := range fields {
			cells = append(cells, flat(item.get(f.name), f.sep))
		}
		w.row(cells...)
	}
}

func (w *mdWriter) scenario(n *node) {
	w.heading(3, strings.TrimSpace(n.get("id").text+" "+n.get("name").text))
	w.fieldTable(typeScenario, n)
	w.heading(4, "Budget")
	w.tiers(n.get("budget"))
	for _, f := range fieldsOf(typeScenario) {
		value := n.get(f.name)
		switch {
		case value == nil:
		case f.typ.Kind() == reflect.Pointer:
			w.heading(4, title(f.name))
			w.fieldTable(f.typ.Elem(), value)
		case f.name == "arms":
			for _, a := range value.items {
				w.heading(4, a.get("id").text)
				w.fieldTable(typeArm, a)
			}
		}
	}
}

func (w *mdWriter) tiers(n *node) {
	fields := fieldsOf(reflect.TypeFor[Tier]())
	w.head(fields, n.get("smoke"), append([]string{"tier"}, names(fields)...)...)
	for _, e := range n.fields {
		cells := []string{e.name}
		if e.value.kind == kindScalar {
			cells = append(cells, e.value.text, "", "", "")
		}
		for _, v := range e.value.fields {
			cells = append(cells, v.value.text)
		}
		w.row(cells...)
	}
}
