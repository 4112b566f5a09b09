package author

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// nodes writes the system under test.
func (b *body) nodes() {
	b.line("")
	if sized(b.params) {
		b.line("size, err := %s.Atoi(w.Param(%q))", b.use("strconv"), nodesParam)
		b.line("if err != nil {\nt.Fatal(err)\n}")
		b.line("nodes := w.Nodes(%q, size)", "n")
	} else {
		b.todo(b.id, "as many nodes as the plan's architecture has.")
		b.line("nodes := w.Nodes(%q, 3)", "n")
	}
	id := &b.skeleton.idiom
	for _, p := range b.params {
		if p.name != nodesParam && (id.start == nil || !slices.Contains(id.start.params, p.name)) {
			b.todo(b.id, fmt.Sprintf("w.Param(%q) does what the plan means by it.", p.name))
		}
	}
	if id.start != nil {
		b.started(id.start)
		return
	}
	b.line("for _, n := range nodes {")
	if len(id.programs) > 1 {
		b.todo(b.id, "the program that the plan means: the package has "+strings.Join(id.programs, ", ")+".")
	}
	b.todo(b.id, "the program's arguments.")
	b.line("n.Start(%s)", b.program)
	b.line("}")
}

// started calls the siblings' helper.
func (b *body) started(h *helper) {
	for _, name := range h.params {
		if !slices.ContainsFunc(b.params, func(p param) bool { return p.name == name }) {
			b.todo(b.id, fmt.Sprintf("%s reads the parameter %q: declare it by %s.Param.", h.name, name, b.use(simPath)))
		}
	}
	b.line("%s(w, nodes)", h.name)
}

const nodesParam = "nodes"

// sized reports whether a parameter says how many nodes there are.
func sized(params []param) bool {
	return slices.ContainsFunc(params, func(p param) bool {
		return p.name == nodesParam && !slices.ContainsFunc(p.values, func(v string) bool { n, err := strconv.Atoi(v); return err != nil || n < 1 })
	})
}

// faults writes those that the scenarios name.
func (b *body) faults() {
	b.line("")
	var all []plan.Named
	for _, u := range b.test.units {
		if u.faults.None != "" {
			b.comment(plain(u.Scenario)+":", "no faults, because "+u.faults.None)
		}
		all = union(all, u.faults.Items)
	}
	var drawn []plan.Named
	for _, f := range all {
		switch {
		case families[f.Name] != "":
			drawn = append(drawn, f)
		case planned[f.Name] != "":
			b.todo(b.id, fmt.Sprintf("the fault %s: no family draws it: %s.", f, planned[f.Name]))
		default:
			b.todo(b.id, fmt.Sprintf("the fault %s: the engine has none of that name.", f))
		}
	}
	if len(drawn) == 0 {
		return
	}
	b.line("w.Faults(%s.Swarm(", b.use(simPath))
	for _, f := range drawn {
		if f.Detail != "" {
			b.comment("The plan:", f.Detail)
		}
		b.line("%s.%s(),", b.use(simPath), families[f.Name])
	}
	b.line("))")
}

// checks writes the oracles that the scenarios name, each once.
func (b *body) checks() {
	b.line("")
	if b.model.name == "" && b.has(kindLinear) {
		b.todo(b.id, fmt.Sprintf("the oracles have no model of a %s: write an oracle.Model of it.", b.kindName()))
	}
	var seen []string
	for _, u := range b.test.units {
		for _, o := range u.oracles.Items {
			if !slices.Contains(seen, o.Name) {
				seen = append(seen, o.Name)
				b.check(u, o)
			}
		}
	}
}

// kindName is the model's kind as a person reads it.
func (b *body) kindName() string {
	if b.kind == "" {
		return "kind that the plan does not name"
	}
	return plain(string(b.kind))
}

func (b *body) check(u *unit, o plan.Named) {
	switch kind := oracles[o.Name]; {
	case kind == kindLinear && b.model.name != "":
		if o.Detail != "" {
			b.comment("The plan:", o.Detail)
		}
		b.line("w.Check(%s.Linearizable(h, %s.%s()))", b.use(oraclePath), b.use(oraclePath), b.model.name)
	case kind == kindBoundary:
		b.matrix(u, ruleFields...)
		b.line("w.Check(%s.Boundary(controls, %s.BoundaryRules{Surfaces: %s}))", b.use(oraclePath), b.use(oraclePath), quoted(b.surfaces()))
	case kind == kindFair:
		b.matrix(u, ruleFields...)
		b.todo(b.id, "how far the plan lets the service of groups differ.")
		b.line("w.Check(%s.Fair(served, %s.FairRules{ToOthers: 2}))", b.use(oraclePath), b.use(oraclePath))
	case kind == kindRecovery:
		b.todo(b.id, "try what has to succeed again, within the plan's time.")
		b.line("w.Recovers(%s, 30*%s.Second, func() error {", strconv.Quote(what(o)), b.use("time"))
		b.line("return %s.New(%s)", b.use("errors"), strconv.Quote(b.id+isSkeleton+"nothing is tried"))
		b.line("})")
	default:
		b.unknown(o)
	}
}

// unknown writes a check that cannot decide, which is no pass, for one that the engine has
// not.
func (b *body) unknown(o plan.Named) {
	const path = "github.com/orrery-sim/orrery/sim/outcome"
	pkg := b.use(path)
	if oracles[o.Name] == kindNone {
		b.todo(b.id, fmt.Sprintf("the oracle %s: the engine has none of that name.", o))
	}
	b.line("w.Check(%s.Func(%s, func() %s.Outcome {", pkg, strconv.Quote(o.Name), pkg)
	b.line("return %s.Outcome{Verdict: %s.Unknown, Reason: %s}", pkg, pkg, strconv.Quote(b.id+isSkeleton+"nothing is checked"))
	b.line("}))")
}

// what is what an oracle is about, for people.
func what(o plan.Named) string {
	if o.Detail != "" {
		return plain(o.Detail)
	}
	return plain(o.Name)
}

// has reports whether a scenario of the test has an oracle of that kind.
func (b *body) has(kind oracleKind) bool {
	return slices.ContainsFunc(b.test.units, func(u *unit) bool {
		return slices.ContainsFunc(u.oracles.Items, func(o plan.Named) bool { return oracles[o.Name] == kind })
	})
}

// surfaces are those of all scenarios of the test, each once.
func (b *body) surfaces() (out []string) {
	for _, u := range b.test.units {
		for _, s := range u.surfaces {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// quoted is a slice of texts in Go.
func quoted(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, strconv.Quote(s))
	}
	return "[]string{" + strings.Join(out, ", ") + "}"
}
