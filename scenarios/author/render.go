package author

import (
	"cmp"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// skeleton is a file that is to be written.
type skeleton struct {
	plan  *plan.Plan
	head  header // without tests and body
	idiom idiom
	tests []*test
	names map[*test]string // other names than the plan's, which the package has already
}

// render returns the file's text. The same plan and folder give the same text.
func (k *skeleton) render() (string, error) {
	s := &source{idiom: &k.idiom, imports: map[string]bool{}}
	program := k.program(s)
	for _, t := range k.tests {
		s.line("")
		(&body{source: s, skeleton: k, test: t, name: k.name(t), program: program}).write()
	}
	var b strings.Builder
	if c := k.idiom.constraint; c != "" {
		b.WriteString(c + "\n\n")
	}
	b.WriteString("package " + k.idiom.pkg + "\n\n" + s.importBlock() + "\n" + s.text.String())
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("author: skeleton of %s is no Go: %w", k.ids(k.tests[0].units), err)
	}
	h := k.head
	for _, t := range k.tests {
		for _, u := range t.units {
			h.tests = append(h.tests, plain(u.Scenario)+" "+k.name(t))
		}
	}
	h.body = hashOf(string(text))
	return h.text() + string(text), nil
}

func (k *skeleton) name(t *test) string { return cmp.Or(k.names[t], t.name) }

func (k *skeleton) ids(units []*unit) string {
	var ids []string
	for _, u := range units {
		ids = append(ids, plain(u.Scenario))
	}
	return strings.Join(ids, ", ")
}

// program returns the variable of the program that nodes run. Unless a sibling has one,
// it is declared.
func (k *skeleton) program(s *source) string {
	if len(k.idiom.programs) > 0 {
		return k.idiom.programs[0]
	}
	first := k.tests[0]
	variable := k.idiom.free("program" + strings.TrimPrefix(k.name(first), "Test"))
	name := k.name(first)
	for slices.Contains(k.idiom.registered, name) {
		name += "-skeleton"
	}
	if k.idiom.start == nil {
		id := plain(first.units[0].Scenario)
		s.line("")
		s.todo(id, "call the main function of the program under test.")
		s.line("var %s = %s.NewProgram(%q, func() { panic(%q) })", variable, s.use(simPath), name, id+isSkeleton+"no program is called")
	}
	return variable
}

// isSkeleton is how the messages of tests go on that are not completed yet.
const isSkeleton = " is a skeleton: "

// body writes one test.
type body struct {
	*source
	skeleton *skeleton
	test     *test
	name     string
	program  string

	id     string // of all scenarios that the test is for
	params []param
	model  model // of the history; without a name if the catalogue has none
	kind   plan.ModelKind
}

func (b *body) write() {
	b.id = b.skeleton.ids(b.test.units)
	for _, u := range b.test.units {
		for _, p := range u.params {
			b.params = merge(b.params, param{p.name, slices.Clone(p.values)})
		}
	}
	b.chooseModel()
	u := b.test.units[0]
	b.line("// %s is for %s: %s.", b.name, b.id, cmp.Or(plain(u.name), "it has no name"))
	b.line("func %s(t *%s.T) {", b.name, b.use("testing"))
	for i, u := range b.test.units {
		if i > 0 {
			b.line("")
		}
		b.notes(u)
	}
	b.line("%s.Test(t, func(w *%s.World) {", b.use(simPath), b.use(simPath))
	b.line("t.Fatal(%s)", strconv.Quote(b.id+isSkeleton+"do what its TODOs say, and take this line out"))
	b.nodes()
	b.workloads()
	b.faults()
	b.checks()
	if len(b.params) == 0 {
		b.line("})")
	} else {
		b.line("},")
		for _, p := range b.params {
			var values []string
			for _, v := range p.values {
				values = append(values, strconv.Quote(v))
			}
			b.line("%s.Param(%q, %s),", b.use(simPath), p.name, strings.Join(values, ", "))
		}
		b.line(")")
	}
	b.line("}")
}

// chooseModel takes the first model that a scenario of the test has.
func (b *body) chooseModel() {
	for _, u := range b.test.units {
		if m := u.scenario.Model; m != nil && b.kind == "" {
			b.kind = m.Kind
		}
		for _, o := range u.oracles.Items {
			if oracles[o.Name] == kindLinear && b.kind == "" {
				b.kind = named(o.Detail)
			}
		}
	}
	b.model = models[b.kind]
}

// named finds the model that an oracle's detail names.
func named(detail string) plan.ModelKind {
	for _, word := range strings.FieldsFunc(strings.ToLower(detail), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "kv":
			return plan.Map
		case "mutex":
			return plan.Lock
		}
		if kind := plan.ModelKind(word); models[kind].name != "" {
			return kind
		}
	}
	return ""
}
