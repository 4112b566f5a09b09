package plan

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mdParser knows blocks alone: a plan's texts are taken as they are written.
// Headings are lines that begin with #, not lines that are underlined.
var mdParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
)

// block is a part of a Markdown text.
type block struct {
	kind  blockKind
	line  int // from 1
	level int // of a heading
	text  string
	items []*node // of bullets
	table [][]cell
}

type blockKind string

const (
	blockHeading blockKind = "a heading"
	blockTable   blockKind = "a table"
	blockText    blockKind = "a paragraph"
	blockBullets blockKind = "a list"
	blockComment blockKind = "a comment"
	blockOther   blockKind = "a block"
)

// document is a Markdown text by lines.
type document struct {
	teller
	data   []byte
	starts []int // of lines, as offsets
	lines  []string
	blocks []block
}

func newDocument(file string, data []byte) *document {
	d := &document{teller: teller{file: file}, data: data, starts: []int{0}}
	for i, c := range data {
		if c == '\n' {
			d.starts = append(d.starts, i+1)
		}
	}
	d.lines = strings.Split(string(data), "\n")
	root := mdParser.Parse(text.NewReader(data))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		d.blocks = append(d.blocks, d.block(n))
	}
	return d
}

// lineAt returns the line of an offset, from 1.
func (d *document) lineAt(offset int) int {
	return sort.SearchInts(d.starts, offset+1)
}

// segments joins what a block's lines hold.
func (d *document) segments(n ast.Node) string {
	return strings.TrimSpace(string(n.Lines().Value(d.data)))
}

func (d *document) block(n ast.Node) block {
	b := block{kind: blockOther, line: d.lineAt(n.Pos())}
	switch n := n.(type) {
	case *ast.Heading:
		b.kind, b.level, b.text = blockHeading, n.Level, d.segments(n)
	case *ast.Paragraph:
		b.kind, b.text = blockText, d.segments(n)
		b.line = d.lineAt(n.Lines().At(0).Start)
	case *ast.HTMLBlock:
		if n.HTMLBlockType == ast.HTMLBlockType2 {
			b.kind = blockComment
			d.comment(n, &b)
		}
	case *ast.List:
		b.kind = blockBullets
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			b.items = append(b.items, d.bullet(item))
		}
	case *east.Table:
		b.kind = blockTable
		d.table(n, &b)
	}
	return b
}

// comment keeps the comment's lines, and tells of one that has no end: all that
// follows would be lost in it.
func (d *document) comment(n *ast.HTMLBlock, b *block) {
	b.text = string(n.Lines().Value(d.data))
	if n.HasClosure() {
		b.text += string(n.ClosureLine.Value(d.data))
	}
	before, after, closed := strings.Cut(b.text, "-->")
	switch {
	case !closed:
		d.tell(b.line, "the plan", "a comment without an end", "-->", "close it where it ends")
	case strings.TrimSpace(after) != "":
		d.tell(b.line+strings.Count(before, "\n"), "the plan", "text after a comment in its line: "+quote(strings.TrimSpace(after)), "nothing", "begin a line of its own")
	}
}

// bullet returns an item's text, or a lost node if it has more than a paragraph.
func (d *document) bullet(item ast.Node) *node {
	line := d.lineAt(item.Pos())
	first := item.FirstChild()
	if first == nil {
		return textNode(line, "")
	}
	switch first.(type) {
	case *ast.TextBlock, *ast.Paragraph, *ast.HTMLBlock: // "<b>" alone is a block
		if first.NextSibling() == nil {
			return textNode(line, unwrap(d.segments(first)))
		}
	}
	return &node{line: line, kind: kindLost}
}

// unwrap makes one line of a paragraph.
func unwrap(text string) string { return strings.Join(strings.Fields(text), " ") }
