package author

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// unit is a scenario, or an arm that has a target of its own, as far as a skeleton goes
// by it.
type unit struct {
	Written
	name     string // of the scenario
	scenario *plan.Scenario
	arms     []plan.Arm // that the test is for; none if the scenario has none
	claims   []string
	faults   plan.List[plan.Named]
	oracles  plan.List[plan.Named]
	surfaces []string
	params   []param
}

// param is a parameter of a test; its first value is the default.
type param struct {
	name   string
	values []string
}

// selected reports whether a scenario or an arm is wanted.
func (w *writer) selected(ids ...string) bool {
	return len(w.Only) == 0 || slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(w.Only, id) })
}

// scenarioUnit is a scenario with those of its arms that have no target of their own.
func scenarioUnit(s *plan.Scenario, arms []plan.Arm) *unit {
	u := &unit{
		Written: Written{Scenario: s.ID, File: s.Target.File, Func: s.Target.Func}, name: s.Name, scenario: s, arms: arms,
		claims: s.Claims, faults: s.Faults, oracles: s.Oracles,
	}
	if s.Matrix != nil && len(arms) == 0 {
		u.surfaces = s.Matrix.Surfaces.Items
	}
	u.add(s.Parameters.Items)
	for _, c := range s.Configs.Items {
		u.add(c.Parameters)
	}
	for _, a := range arms {
		u.faults.Items = union(u.faults.Items, a.Faults.Items)
		u.oracles.Items = union(u.oracles.Items, a.Oracles.Items)
		u.surfaces = append(u.surfaces, a.Surfaces.Items...)
		u.add(a.Parameters.Items)
	}
	return u
}

// armUnit is an arm that has a target of its own.
func armUnit(s *plan.Scenario, a plan.Arm) *unit {
	u := &unit{
		Written: Written{Scenario: a.ID, File: a.Target.File, Func: a.Target.Func}, name: s.Name, scenario: s, arms: []plan.Arm{a},
		claims: a.Claims, faults: a.Faults, oracles: a.Oracles, surfaces: a.Surfaces.Items,
	}
	u.add(plan.Override(s.Parameters.Items, a.Parameters.Items))
	for _, c := range s.Configs.Items {
		u.add(c.Parameters)
	}
	return u
}

// union keeps the first of each name.
func union(a, b []plan.Named) []plan.Named {
	out := slices.Clone(a)
	for _, n := range b {
		if !slices.ContainsFunc(out, func(o plan.Named) bool { return o.Name == n.Name }) {
			out = append(out, n)
		}
	}
	return out
}

// add adds values that parameters have.
func (u *unit) add(params []plan.Param) {
	for _, p := range params {
		u.params = merge(u.params, param{p.Name, []string{p.Value}})
	}
}

func merge(params []param, p param) []param {
	i := slices.IndexFunc(params, func(q param) bool { return q.name == p.name })
	if i < 0 {
		return append(params, p)
	}
	for _, v := range p.values {
		if !slices.Contains(params[i].values, v) {
			params[i].values = append(params[i].values, v)
		}
	}
	return params
}

// funcName makes the name of a test of a scenario's name; of an arm, the arm's name
// follows.
func (u *unit) funcName() string {
	text := u.name
	if text == "" {
		text = u.Scenario
	} else if _, arm, ok := strings.Cut(u.Scenario, "/"); ok {
		text += " " + arm
	}
	name := "Test" + camel(text)
	if !isTest(name) {
		name = "Test" + camel(u.Scenario)
	}
	return name
}

// camel puts words together.
func camel(text string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r, size := utf8.DecodeRuneInString(w)
		b.WriteString(string(unicode.ToUpper(r)) + w[size:])
	}
	return b.String()
}

// isTest keeps the go command's rule: what follows Test begins in no lower case.
func isTest(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(r) && name != "TestMain"
}

// has reports whether the unit has an oracle of that kind.
func (u *unit) has(kind oracleKind) bool {
	return slices.ContainsFunc(u.oracles.Items, func(o plan.Named) bool { return oracles[o.Name] == kind })
}

func (u *unit) isArm() bool { return u.Scenario != u.scenario.ID }

// target is what the plan says.
func (u *unit) target() plan.Target {
	if u.isArm() {
		return u.arms[0].Target
	}
	return u.scenario.Target
}
