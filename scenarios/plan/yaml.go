package plan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// yamlReader makes a tree of YAML.
type yamlReader struct{ teller }

// readYAML makes a tree of a plan's YAML. A text that is no YAML at all gives one
// problem: the parser stops there.
func readYAML(file string, data []byte) (*node, Problems) {
	r := &yamlReader{teller{file: file}}
	parsed, err := parseYAML(data)
	if err != nil {
		line, what := 1, err.Error()
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			line, what = at.GetToken().Position.Line, at.GetMessage()
		}
		r.tell(line, "the plan", strings.ToLower(what), "YAML", "mend the syntax: what follows is not read before")
		return nil, r.problems
	}
	var body ast.Node
	for _, doc := range parsed.Docs {
		switch {
		case doc.Body == nil || doc.Body.Type() == ast.CommentType:
		case body != nil:
			r.tell(lineOf(doc.Body), "the plan", "a second document", "one", "take out the line of ---")
		default:
			body = doc.Body
		}
	}
	if body == nil {
		r.tell(1, "the plan", "nothing", "the fields of a plan", "begin with: name: NAME")
		return nil, r.problems
	}
	tree := r.node(body)
	if tree.kind != kindFields {
		if tree.kind != kindLost {
			r.tell(tree.line, "the plan", string(tree.kind), "the fields of a plan", "begin with: name: NAME")
		}
		return nil, r.problems
	}
	return tree, r.problems
}

// parseYAML turns a panic of the parser, which broken texts can cause, into an
// error.
func parseYAML(data []byte) (f *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("text that breaks the parser: %v", p)
		}
	}()
	return parser.ParseBytes(data, 0)
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

func (r *yamlReader) node(n ast.Node) *node {
	line := lineOf(n)
	switch n := n.(type) {
	case *ast.MappingNode:
		out := &node{line: line, kind: kindFields}
		for _, v := range n.Values {
			r.entry(out, v)
		}
		return out
	case *ast.MappingValueNode:
		out := &node{line: line, kind: kindFields}
		r.entry(out, n)
		return out
	case *ast.SequenceNode:
		out := &node{line: line, kind: kindList}
		for _, v := range n.Values {
			out.items = append(out.items, r.node(v))
		}
		return out
	case *ast.NullNode:
		return textNode(line, "")
	case *ast.StringNode:
		return textNode(line, n.Value)
	case *ast.LiteralNode:
		return textNode(line, n.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &node{line: line, kind: kindNumber, text: n.GetToken().Value}
	}
	return r.strange(line, n)
}

// strange tells of what a plan has no use for.
func (r *yamlReader) strange(line int, n ast.Node) *node {
	what := "nothing"
	if n != nil {
		what = "YAML's " + strings.ToLower(n.Type().String())
	}
	r.tell(line, "the plan", what, "a text, a list or fields", "write it out: anchors, aliases and tags are not read")
	return &node{line: line, kind: kindLost}
}

func (r *yamlReader) entry(out *node, v *ast.MappingValueNode) {
	line := lineOf(v.Key)
	name := v.Key.GetToken().Value
	if _, merge := v.Key.(*ast.MergeKeyNode); merge {
		r.strange(line, v.Key)
		return
	}
	value := textNode(line, "")
	if v.Value != nil {
		value = r.node(v.Value)
	}
	if value.kind != kindList && value.kind != kindFields {
		value.line = line // of a text of several lines, the first is where its name is
	}
	out.fields = append(out.fields, entry{name, line, value})
}
