package plan

import (
	"fmt"
	"reflect"
	"strings"
)

// section is a heading, and what is under it.
type section struct {
	heading block
	body    []block
	end     int // the line after the body's last
	subs    []section
}

// readMarkdown makes a tree of a plan's Markdown.
func readMarkdown(file string, data []byte) (*node, Problems) {
	d := newDocument(file, data)
	tree := &node{line: 1, kind: kindFields}
	blocks := d.preamble()
	if len(blocks) == 0 {
		d.tell(1, "the plan", "no heading", "# NAME", "begin with the plan's name as a heading of level 1")
		return nil, d.problems
	}
	top := d.sections(blocks, 1)
	for _, extra := range top[1:] {
		d.tell(extra.heading.line, "the plan", "a second heading of level 1", "one", "write sections as headings of level 2")
	}
	first := top[0]
	tree.set("name", textNode(first.heading.line, first.heading.text))
	header := &node{line: first.heading.line, kind: kindFields}
	d.fieldBody(header, first, "header", fieldsOf(reflect.TypeFor[Header]()))
	tree.set("header", header)
	for _, sub := range first.subs {
		d.planSection(tree, sub)
	}
	return tree, d.problems
}

// preamble tells of what is before the first heading of level 1, and returns the
// blocks from there.
func (d *document) preamble() []block {
	for i, b := range d.blocks {
		if b.kind == blockHeading && b.level == 1 {
			return d.blocks[i:]
		}
		d.stray(b, "the plan", "# NAME")
	}
	return nil
}

// stray tells of a block that has no place where it is.
func (d *document) stray(b block, about, want string) {
	switch {
	case b.kind == blockComment:
	case b.kind == blockText && strings.HasPrefix(b.text, "|"):
		d.broken(b.line, about, "lines of cells that are no table: "+quote(firstLine(b.text)), "a header, a line of dashes with as many columns, and rows, with no empty line between")
	default:
		found := string(b.kind)
		if b.text != "" {
			found += ": " + quote(firstLine(b.text))
		}
		d.tell(b.line, about, found, want, "put it where it belongs, or make it a comment: <!-- ... -->")
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// sections groups blocks, of which the first is a heading of a level, by the
// headings of that level.
func (d *document) sections(blocks []block, level int) []section {
	var out []section
	for i := 0; i < len(blocks); {
		s := section{heading: blocks[i]}
		for i++; i < len(blocks) && blocks[i].kind != blockHeading; i++ {
			s.body = append(s.body, blocks[i])
		}
		s.end = len(d.lines) + 1
		if next := d.after(blocks, i); next > 0 {
			s.end = next
		}
		from := i
		for i < len(blocks) && !(blocks[i].kind == blockHeading && blocks[i].level <= level) {
			i++
		}
		s.subs = d.inner(blocks[from:i], level+1)
		out = append(out, s)
	}
	return out
}

// after returns the line of the block at i, or of the first one behind all
// blocks, or 0 at the end.
func (d *document) after(blocks []block, i int) int {
	if i < len(blocks) {
		return blocks[i].line
	}
	last := blocks[len(blocks)-1].line
	for _, b := range d.blocks {
		if b.line > last && b.kind == blockHeading {
			return b.line
		}
	}
	return 0
}

// inner groups blocks by headings of a level; those before the first are under a
// heading that is too deep.
func (d *document) inner(blocks []block, level int) []section {
	for len(blocks) > 0 && blocks[0].level != level {
		if blocks[0].kind == blockHeading {
			d.tell(blocks[0].line, "the plan", fmt.Sprintf("a heading of level %d: %s", blocks[0].level, quote(blocks[0].text)),
				fmt.Sprintf("one of level %d", level), fmt.Sprintf("write it with %s", strings.Repeat("#", level)))
		}
		blocks = blocks[1:]
	}
	return d.sections(blocks, level)
}

// planSection adds a section of level 2.
func (d *document) planSection(tree *node, s section) {
	known := fieldsOf(reflect.TypeFor[Plan]())[2:] // not the name and the header
	name := key(s.heading.text)
	f, ok := find(known, name)
	if !ok {
		d.unknown(s.heading.line, "the plan", "the section", s.heading.text, names(known))
		return
	}
	var value *node
	switch {
	case f.typ.Kind() == reflect.Slice && f.typ.Elem() == typeScenario:
		value = d.scenarios(s)
	case formOf(f.typ) == formText:
		value = textNode(s.heading.line, d.rawText(s))
	case formOf(f.typ) == formFields:
		value = &node{line: s.heading.line, kind: kindFields}
		d.fieldBody(value, s, name, fieldsOf(f.typ))
	default:
		value = d.listBody(s, f)
	}
	if name != "scenarios" {
		d.noSubs(s)
	}
	tree.set(name, value)
	tree.fields[len(tree.fields)-1].line = s.heading.line
}

func (d *document) noSubs(s section) {
	for _, sub := range s.subs {
		d.tell(sub.heading.line, key(s.heading.text), fmt.Sprintf("the heading %s", quote(sub.heading.text)), "no headings in this section", "take it out, or make it a line of text")
	}
}

// rawText is a section's text as it is written, without its comments.
func (d *document) rawText(s section) string {
	lines := d.lines[s.heading.line : s.end-1]
	var out []string
	for i := 0; i < len(lines); i++ {
		line := s.heading.line + 1 + i
		skip := 0
		for _, b := range s.body {
			if b.kind == blockComment && b.line == line {
				skip = strings.Count(strings.TrimSuffix(b.text, "\n"), "\n") + 1
			}
		}
		if skip > 0 {
			i += skip - 1
			continue
		}
		out = append(out, lines[i])
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// fieldBody adds the fields of a section's table.
func (d *document) fieldBody(out *node, s section, about string, known []field) {
	table, ok := d.only(s, blockTable, about, "one table: | field | value |")
	switch {
	case ok:
		d.fieldTable(out, table, about, known)
	case len(withoutComments(s.body)) > 0:
		lose(out, known, s.heading.line) // told as stray
	}
}

// only returns the one block of a kind that a section has, and tells of all
// others.
func (d *document) only(s section, kind blockKind, about, want string) (block, bool) {
	var out block
	has := false
	for _, b := range s.body {
		if b.kind == kind && !has {
			out, has = b, true
			continue
		}
		d.stray(b, about, want)
	}
	return out, has
}

// listBody makes a list of a section's table or bullets, or of its reason for
// having none.
func (d *document) listBody(s section, f field) *node {
	kind, want := blockBullets, `a list of one level, or "none, because WHY"`
	elem := elemOf(f.typ)
	if formOf(elem) == formFields {
		kind, want = blockTable, `one table, or "none, because WHY"`
	}
	if len(s.body) > 0 {
		for _, b := range s.body {
			if b.kind == blockText && !strings.HasPrefix(b.text, "|") && (None(b.text) != "" || silent(b.text)) {
				s.body = without(s.body, b)
				d.only(s, "", f.name, "nothing beside the reason for none")
				return textNode(b.line, unwrap(b.text))
			}
		}
	}
	b, ok := d.only(s, kind, f.name, want)
	switch {
	case !ok && len(withoutComments(s.body)) > 0:
		return &node{line: s.heading.line, kind: kindLost} // told as stray
	case !ok:
		return textNode(s.heading.line, "")
	case kind == blockTable:
		return d.rowTable(b, f.name, fieldsOf(elem))
	}
	for _, item := range b.items {
		if item.kind == kindLost {
			d.tell(item.line, f.name, "a list item of several parts", "one sentence or several in one paragraph", "take inner lists and blocks out of the item")
		}
	}
	return &node{line: b.line, kind: kindList, items: b.items}
}

func without(blocks []block, out block) []block {
	var rest []block
	for _, b := range blocks {
		if b.line != out.line {
			rest = append(rest, b)
		}
	}
	return rest
}

func withoutComments(blocks []block) []block {
	var rest []block
	for _, b := range blocks {
		if b.kind != blockComment {
			rest = append(rest, b)
		}
	}
	return rest
}
