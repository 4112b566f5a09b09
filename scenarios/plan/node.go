package plan

// node is a part of a plan as it was written, in either form.
type node struct {
	line   int
	kind   kind
	text   string // of a scalar
	items  []*node
	fields []entry
}

type kind string

const (
	kindScalar kind = "a text"
	kindNumber kind = "a number" // a scalar that YAML writes without quotes
	kindList   kind = "a list"
	kindFields kind = "fields"
	kindLost   kind = "a broken part" // was told already
)

// entry is a named part of a node.
type entry struct {
	name  string
	line  int
	value *node
}

func (n *node) get(name string) *node {
	for _, e := range n.fields {
		if e.name == name {
			return e.value
		}
	}
	return nil
}

func (n *node) set(name string, value *node) {
	n.fields = append(n.fields, entry{name, value.line, value})
}

func textNode(line int, text string) *node { return &node{line: line, kind: kindScalar, text: text} }

// teller collects problems.
type teller struct {
	file     string
	problems Problems
}

func (t *teller) tell(line int, about, found, want, do string) {
	t.problems = append(t.problems, Problem{t.file, line, Error, about, found, want, do})
}

// place is a part of a plan: its path, which is unique, and its name for people.
type place struct{ path, about string }

func (p place) field(name string) place {
	about := name
	if p.about != "" {
		about = p.about + ": " + name
	}
	return place{join(p.path, name), about}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
