package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/orrery-sim/orrery/sim/run"
)

// Unit is what has a verdict of its own: a scenario without arms, or an arm.
type Unit struct {
	ID             string // "S1", "S5/api"
	Scenario       string // of the plan: "S5"
	Name           string // of the scenario
	Claims         []verdict.Category
	ClaimIDs       []string
	Hypotheses     []string
	Falsifies      string
	Checkers       []string
	Faults         []string // kinds that the plan names; empty is none
	Surfaces       []string // planned
	Model          string   // what its objects are to a checker: "register"; "" if the plan has none
	Exempt         []verdict.Exempt
	Budgets        []verdict.Budget
	Binding        Binding
	Configurations []configuration
	Author         string // the command that writes its skeleton
}

// Binding is what a unit is run by: a test, or a driver. The zero value is nothing.
type Binding struct {
	File   string // of the test, from the repository's top
	Func   string
	Driver string
}

// Bound reports whether there is something to run.
func (b Binding) Bound() bool { return b.Func != "" || b.Driver != "" }

// String names what the unit is run by; "" is nothing.
func (b Binding) String() string {
	switch {
	case b.Driver != "":
		return "driver " + b.Driver
	case b.Func != "":
		return b.File + "#" + b.Func
	}
	return ""
}

// unitsOf returns a plan's units in its order.
func unitsOf(p *plan.Plan, file string) (out []Unit) {
	for _, s := range p.Scenarios {
		if len(s.Arms) == 0 {
			out = append(out, unitOf(p, s, file))
			continue
		}
		for _, a := range s.Arms {
			out = append(out, armOf(p, s, a, file))
		}
	}
	return out
}

// unitOf is a scenario as one unit.
func unitOf(p *plan.Plan, s plan.Scenario, file string) Unit {
	u := Unit{
		ID: s.ID, Scenario: s.ID, Name: s.Name, ClaimIDs: s.Claims, Hypotheses: s.Hypotheses.Items, Falsifies: s.Falsifies,
		Checkers: namesOf(s.Oracles.Items), Faults: namesOf(s.Faults.Items), Budgets: budgetsOf(s.Budget),
		Author: "orrery plan author " + run.ShellQuote(file) + " --scenario " + s.ID,
	}
	u.Claims = categories(p, s.Claims)
	u.bind(s.Binding())
	if s.Model != nil {
		u.Model = string(s.Model.Kind)
	}
	if s.Matrix != nil {
		u.Surfaces = s.Matrix.Surfaces.Items
	}
	u.Exempt = u.exempt()
	return u
}

// armOf is an arm of a scenario: its own claims, surfaces, faults and oracles.
func armOf(p *plan.Plan, s plan.Scenario, a plan.Arm, file string) Unit {
	u := unitOf(p, s, file)
	u.ID, u.ClaimIDs = a.ID, a.Claims
	u.Claims = categories(p, a.Claims)
	u.Checkers, u.Faults, u.Surfaces = namesOf(a.Oracles.Items), namesOf(a.Faults.Items), a.Surfaces.Items
	u.bind(s.ArmBinding(a))
	u.Exempt = u.exempt()
	return u
}

// exempt are the audit items that do not apply: those about surfaces and groups, where
// no claim is about a boundary or about fairness.
func (u *Unit) exempt() (out []verdict.Exempt) {
	boundary := slices.Contains(u.Claims, verdict.Boundary)
	fairness := slices.Contains(u.Claims, verdict.Fairness)
	const none = "no claim of it is about %s"
	if !boundary && !fairness {
		out = append(out, verdict.Exempt{Item: verdict.ItemSingleSurface, Reason: fmt.Sprintf(none, "a boundary or fairness")})
	}
	if !boundary {
		out = append(out, verdict.Exempt{Item: verdict.ItemPositiveControls, Reason: fmt.Sprintf(none, "a boundary")})
	}
	if !fairness {
		out = append(out, verdict.Exempt{Item: verdict.ItemAggregate, Reason: fmt.Sprintf(none, "fairness")})
	}
	if len(u.Surfaces) == 1 && u.ID != u.Scenario {
		out = append(out, verdict.Exempt{Item: verdict.ItemSingleSurface, Reason: "it is the arm of one surface: the others have arms of their own"})
	}
	return out
}

// bind takes over what the unit is run by.
func (u *Unit) bind(b plan.Binding) {
	u.Binding = Binding{b.Target.File, b.Target.Func, b.Driver}
	u.Configurations = nil
	for _, c := range b.Configs {
		u.Configurations = append(u.Configurations, configuration{c.Name, paramsOf(plan.Override(b.Parameters, c.Parameters))})
	}
	if len(b.Configs) == 0 {
		u.Configurations = []configuration{{params: paramsOf(b.Parameters)}}
	}
}

func paramsOf(params []plan.Param) map[string]string {
	out := map[string]string{}
	for _, p := range params {
		out[p.Name] = p.Value
	}
	return out
}

func namesOf(list []plan.Named) (out []string) {
	for _, n := range list {
		out = append(out, n.Name)
	}
	return out
}

// categories are those of claims, each once, in the claims' order.
func categories(p *plan.Plan, claims []string) (out []verdict.Category) {
	for _, of := range p.Categories(claims) {
		for _, c := range verdict.Categories {
			if strings.EqualFold(string(c), string(of)) {
				out = append(out, c)
			}
		}
	}
	return out
}

// budgetsOf are the tiers of a budget that there are.
func budgetsOf(b plan.Budget) (out []verdict.Budget) {
	add := func(name verdict.Tier, t plan.Tier) {
		out = append(out, verdict.Budget{Tier: name, Configurations: t.Configurations, Duration: t.Duration, Faults: t.Faults, Seeds: t.Seeds})
	}
	add(verdict.Smoke, b.Smoke)
	add(verdict.Hardening, b.Hardening)
	if b.Release.Seeds > 0 {
		add(verdict.Release, b.Release)
	}
	return out
}
