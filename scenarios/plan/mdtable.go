package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	east "github.com/yuin/goldmark/extension/ast"
)

// cell is a cell of a table.
type cell struct {
	line int
	text string
}

// table takes a table's rows, the header first. They are split here: the parser
// drops the cells that a row has too many, and fills up those that it lacks.
func (d *document) table(t *east.Table, b *block) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		b.table = append(b.table, d.row(d.lineAt(row.Pos())))
	}
	b.line = b.table[0][0].line
}

// row splits a line into cells.
func (d *document) row(line int) []cell {
	text := strings.TrimSpace(d.lines[line-1])
	text = strings.TrimPrefix(text, "|")
	if strings.HasSuffix(text, "|") && !strings.HasSuffix(text, `\|`) {
		text = strings.TrimSuffix(text, "|")
	}
	var out []cell
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (text[i] != '|' || i > 0 && text[i-1] == '\\') {
			continue
		}
		out = append(out, cell{line, fromCell(text[from:i])})
		from = i + 1
	}
	return out
}

// fromCell reads what toCell writes.
func fromCell(text string) string {
	return strings.TrimSpace(cellReader.Replace(text))
}

// toCell writes a text in one line, in which no | ends it.
func toCell(text string) string {
	return cellWriter.Replace(text)
}

var (
	cellReader = strings.NewReplacer(`\|`, "|", "<br>", "\n", "<br/>", "\n", "<br />", "\n")
	cellWriter = strings.NewReplacer("|", `\|`, "\n", "<br>")
)

// rowTable makes a list of a table whose header names the fields.
func (d *document) rowTable(b block, about string, known []field) *node {
	out := &node{line: b.line, kind: kindList}
	columns, missing := d.columns(b, about, known)
	for _, row := range b.table[1:] {
		out.items = append(out.items, d.fieldsOfRow(row, columns, missing, about))
	}
	return out
}

// columns checks a header. The names of columns that are unknown are "", and the
// fields that have no column are missing.
func (d *document) columns(b block, about string, known []field) (columns, missing []string) {
	for _, c := range b.table[0] {
		name := key(c.text)
		switch _, ok := find(known, name); {
		case !ok:
			d.unknown(c.line, about, "the column", c.text, names(known))
			name = ""
		case slices.Contains(columns, name):
			d.tell(c.line, about, fmt.Sprintf("the column %q a second time", name), "it once", "take one of them out")
			name = ""
		}
		columns = append(columns, name)
	}
	for _, f := range known {
		if !slices.Contains(columns, f.name) && f.presence == required {
			missing = append(missing, f.name)
			d.tell(b.line, about, fmt.Sprintf("no column %q", f.name), "the columns "+strings.Join(names(known), ", "), fmt.Sprintf("add it: %s", f.want))
		}
	}
	return columns, missing
}

// fieldsOfRow makes fields of a row. A row with other cells than the header has is
// lost: nobody knows which one is missing.
func (d *document) fieldsOfRow(row []cell, columns, missing []string, about string) *node {
	line := row[0].line
	if len(row) != len(columns) {
		d.broken(line, about, fmt.Sprintf("a row of %s", count(len(row), "cell")), fmt.Sprintf("%d, as the header has", len(columns)))
		return &node{line: line, kind: kindLost}
	}
	out := &node{line: line, kind: kindFields}
	for i, name := range columns {
		if name != "" {
			out.set(name, textNode(line, row[i].text))
		}
	}
	for _, name := range missing {
		out.set(name, &node{line: line, kind: kindLost})
	}
	return out
}

func (d *document) broken(line int, about, found, want string) {
	d.tell(line, about, "a broken table: "+found, want, `write a cell for every column; a | in a text is \|, a line break <br>`)
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// fieldTable adds the fields of a table that has a field and its value in each
// row.
func (d *document) fieldTable(out *node, b block, about string, known []field) {
	head := b.table[0]
	if len(head) != 2 || key(head[0].text) != "field" || key(head[1].text) != "value" {
		d.broken(b.line, about, "a header of "+quote(strings.TrimSpace(d.lines[b.line-1])), "| field | value |")
		if len(head) != 2 {
			lose(out, known, b.line)
			return
		}
	}
	for _, row := range b.table[1:] {
		if len(row) != 2 {
			d.broken(row[0].line, about, fmt.Sprintf("a row of %s", count(len(row), "cell")), "2, a field and its value")
			if name := key(row[0].text); name != "" {
				out.set(name, &node{line: row[0].line, kind: kindLost})
			}
			continue
		}
		out.set(key(row[0].text), textNode(row[0].line, row[1].text))
	}
}

// inCell says whether a field is written in a table's cell, and not under a
// heading of its own.
func inCell(f field) bool {
	return formOf(f.typ) != formBudget && f.typ.Kind() != reflect.Pointer && f.name != "arms"
}

// lose marks the fields that a table should have had, so that nobody is told that
// they are missing as well.
func lose(out *node, known []field, line int) {
	for _, f := range known {
		if inCell(f) && out.get(f.name) == nil {
			out.set(f.name, &node{line: line, kind: kindLost})
		}
	}
}

// tierTable makes the budget's fields of a table that has a tier in each row. The
// row of a tier that there is not has its reason in the second cell.
func (d *document) tierTable(b block, about string, known []field) *node {
	out := &node{line: b.line, kind: kindFields}
	columns, missing := d.columns(b, about, known)
	for _, row := range b.table[1:] {
		name, line := key(row[0].text), row[0].line
		if len(row) > 1 && None(bare(row[1].text)) != "" && blank(row[2:]) {
			out.set(name, textNode(line, row[1].text))
			continue
		}
		tier := d.fieldsOfRow(row, columns, missing, about)
		tier.fields = slices.DeleteFunc(tier.fields, func(e entry) bool { return e.name == "tier" })
		out.set(name, tier)
	}
	return out
}

func blank(cells []cell) bool {
	return !slices.ContainsFunc(cells, func(c cell) bool { return c.text != "" })
}
