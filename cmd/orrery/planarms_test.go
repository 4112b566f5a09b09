package main

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/plan"
)

// armsPlan is a plan of one scenario about a boundary with an arm for each surface.
// The parameters of each say how it ends.
func armsPlan(arms ...string) *plan.Plan {
	p := outcomesPlan()
	p.Claims[0].Category = plan.Boundary
	s := &p.Scenarios[0]
	s.Model = nil
	s.Matrix = &plan.Matrix{
		Claim: "C1", Keys: "the client's name", Operations: "get and put", Positive: "own values", Negative: "others' values", Confusable: "c1 and c11",
		Delayed: "none, because nothing is delayed", Background: "none, because there are no jobs", Observability: "none, because nothing is shown",
		Oracle: "linearizability", Budgets: "none, because nothing is limited",
	}
	for i, params := range arms {
		surface := []string{"api", "sql", "export", "search"}[i]
		s.Matrix.Surfaces.Items = append(s.Matrix.Surfaces.Items, surface)
		a := plan.Arm{ID: "S1/" + surface, Claims: []string{"C1"}, Surfaces: plan.List[string]{Items: []string{surface}}, Faults: s.Faults, Oracles: s.Oracles}
		switch params {
		case "":
			a.Parameters.None = "the defaults do"
		case "unbound":
			a.Parameters.None = "there is nothing to run"
			a.Target = plan.Target{File: "none_test.go", Func: "TestNone"}
		default:
			a.Parameters.Items = []plan.Param{param(params)}
			if params == "faults=nowhere" {
				a.Faults = plan.List[plan.Named]{Items: []plan.Named{{Name: "cut"}}}
			}
		}
		s.Arms = append(s.Arms, a)
	}
	return p
}

// A scenario of arms comes to what its arms come to, by each rule.
func TestPlanArms(t *testing.T) {
	dir := outcomesFolder(t)
	for _, c := range []struct {
		name     string
		arms     []string
		verdicts []verdict.Verdict // of the arms
		scenario verdict.Verdict
		session  verdict.SessionVerdict
		exit     int
	}{
		{"all pass", []string{"", "", "", ""}, slices.Repeat([]verdict.Verdict{verdict.PassSmoke}, 4), verdict.PassSmoke, verdict.SessionConcerns, 3},
		{"one fails", []string{"", "bug=stale", "", "check=none"}, []verdict.Verdict{verdict.PassSmoke, verdict.FailReproducible, verdict.PassSmoke, verdict.PartialSurface},
			verdict.FailReproducible, verdict.SessionFail, 1},
		{"one is not run", []string{"", "unbound", "", ""}, []verdict.Verdict{verdict.PassSmoke, verdict.NotRun, verdict.PassSmoke, verdict.PassSmoke},
			verdict.PartialSurface, verdict.SessionInconclusive, 3},
		{"one is partial", []string{"", "", "check=part", ""}, []verdict.Verdict{verdict.PassSmoke, verdict.PassSmoke, verdict.PartialModel, verdict.PassSmoke},
			verdict.PartialSurface, verdict.SessionInconclusive, 3},
		{"one is inconclusive", []string{"", "", "", "faults=nowhere"}, []verdict.Verdict{verdict.PassSmoke, verdict.PassSmoke, verdict.PassSmoke, verdict.InconclusiveFault},
			verdict.InconclusiveFault, verdict.SessionInconclusive, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, code, stderr := runPlan(t, dir, armsPlan(c.arms...))
			if len(r.Results) != 1+len(c.arms) {
				t.Fatalf("exit code %d, %d results: %s", code, len(r.Results), stderr)
			}
			if d := r.Results[0].Decision; d.Verdict != c.scenario || r.Session.Verdict != c.session || code != c.exit {
				t.Errorf("%s, session %s, exit code %d; want %s, %s, %d: %+v", d.Verdict, r.Session.Verdict, code, c.scenario, c.session, c.exit, d.Reasons)
			}
			for i, want := range c.verdicts {
				if d := r.Results[i+1].Decision; d.Verdict != want {
					t.Errorf("arm %s: %s, want %s: %+v", d.Name, d.Verdict, want, d.Reasons)
				}
			}
		})
	}
}

// A scenario that is bound to a driver is run by it, and judged by the catalogue's
// oracle: a shell script, and a Python program.
func TestPlanDrivers(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join(top, "docs/examples"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, driver, id string
		verdict          verdict.Verdict
		exit             int
		oracle           string // that found what is wrong
	}{
		{"shell", "sh driver.sh", "S1", verdict.PassSmoke, 3, ""},
		{"shell with a bug", "sh driver.sh", "forgetful", verdict.FailReproducible, 1, "linearizability"},
		{"python", "python3 driver.py", "S1", verdict.PassSmoke, 3, ""},
		{"python with a bug", "python3 driver.py", "forgetful", verdict.FailReproducible, 1, "linearizability"},
		{"none", "./no-such-driver", "S1", verdict.NotRun, 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := outcomesPlan()
			s := &p.Scenarios[0]
			s.ID, s.Driver, s.Target = c.id, c.driver, plan.Target{None: "a driver runs it"}
			s.Configs = plan.List[plan.Config]{Items: []plan.Config{{Name: "one", Parameters: []plan.Param{param("run=1")}}, {Name: "other", Parameters: []plan.Param{param("run=2")}}}}
			s.Budget.Smoke, s.Budget.Hardening = tier(1, time.Millisecond, 1, 1), tier(2, 2*time.Millisecond, 6, 3)
			p.Adequacy[0].Scenarios = []string{c.id}
			r, code, stderr := runPlan(t, examples, p)
			if len(r.Results) == 0 {
				t.Fatalf("exit code %d, no report: %s", code, stderr)
			}
			if d := r.Results[0].Decision; d.Verdict != c.verdict || code != c.exit {
				t.Errorf("%s, exit code %d; want %s, %d: %+v", d.Verdict, code, c.verdict, c.exit, d.Reasons)
			}
			if c.oracle != "" && (len(r.Findings) == 0 || r.Findings[0].Failure.Oracle != c.oracle) {
				t.Errorf("findings %+v, want one by %s", r.Findings, c.oracle)
			}
		})
	}
}
