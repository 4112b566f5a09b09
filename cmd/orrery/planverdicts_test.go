package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/orrery-sim/orrery/scenarios/session"
)

// outcomesPlan is a plan of one scenario, which is bound to the test that ends in every
// way, with parameters.
func outcomesPlan(params ...plan.Param) *plan.Plan {
	none := func(why string) string { return "none, because " + why }
	return &plan.Plan{
		Name:         "outcomes",
		Header:       plan.Header{Date: "2026-12-01", Mode: plan.ProjectWide, System: "a register", Change: none("all of it is tested"), Author: "a test", Status: "final"},
		Architecture: "a server and its clients", Scope: "reads and writes",
		Claims:   []plan.Claim{{ID: "C1", Text: "a read returns the last write", Category: plan.Safety, Source: "the README", Basis: plan.Stated}},
		Unstated: plan.List[plan.Unstated]{None: "nothing else is relied on"},
		System: plan.SystemModel{
			Tenancy: none("there is one client at a time"), Persistence: "a write is synced before it is answered", Consensus: none("there is one server"),
			Ordering: "one call at a time", Network: "TCP", Retry: none("nobody tries again"), Observability: "every call's answer",
		},
		Tests:      plan.List[plan.ExistingTest]{None: "there are none"},
		Hypotheses: []plan.Hypothesis{{ID: "H1", Claim: "C1", Why: "a kill could lose a write", Where: "put"}},
		Coverage:   []plan.Coverage{{Claim: "C1", Hypothesis: "H1", Covered: plan.CoveredNot, Gap: plan.GapShallow}},
		Techniques: plan.List[plan.Technique]{Items: []plan.Technique{{Technique: "fault injection", Why: "it finds what a restart loses"}}},
		Needs:      plan.List[plan.Need]{None: "a world has all"},
		Scenarios:  []plan.Scenario{outcomesScenario(params)},
		Adequacy:   []plan.Adequacy{{Claim: "C1", Threats: "kills", Scenarios: []string{"S1"}, Why: "a kill is all that can happen"}},
		Residual:   plan.List[string]{None: "it is a test"}, Confidence: "high: it is small",
		NonGoals: plan.List[string]{None: "it is a test"}, FollowUps: plan.List[string]{None: "it is a test"},
	}
}

func outcomesScenario(params []plan.Param) plan.Scenario {
	s := plan.Scenario{
		ID: "S1", Name: "reads-return-the-last-write", Falsifies: "C1: a read returned something else",
		Hypotheses: plan.List[string]{Items: []string{"H1"}}, Technique: "fault injection", Claims: []string{"C1"}, Workload: "clients read and write",
		Faults: plan.List[plan.Named]{Items: []plan.Named{{Name: "kill"}}}, Oracles: plan.List[plan.Named]{Items: []plan.Named{{Name: "linearizability"}}},
		Observed: "every call", Exit: "every seed was run, and the oracle answered", Target: plan.Target{File: "outcomes_test.go", Func: "TestOutcome"},
		Parameters: plan.List[plan.Param]{Items: params},
		Configs: plan.List[plan.Config]{Items: []plan.Config{
			{Name: "two", Parameters: []plan.Param{param("spares=1")}}, {Name: "three", Parameters: []plan.Param{param("spares=2")}},
		}},
		Skeleton: "go", Budget: plan.Budget{
			Smoke:     plan.Tier{Configurations: 1, Duration: 6 * time.Second, Faults: 1, Seeds: 1},
			Hardening: plan.Tier{Configurations: 2, Duration: 10 * time.Second, Faults: 6, Seeds: 3},
			NoRelease: plan.NoRelease{Because: "it is a test", Revisit: "never"},
		},
		Model: &plan.Model{Kind: plan.Register, History: "every call with its answer", Checker: "linearizability", Nemesis: "the world, which counts what a kill stopped",
			Ambiguous: "may have happened", Reduction: "shrinking"},
	}
	if len(params) == 0 {
		s.Parameters = plan.List[plan.Param]{None: "the defaults do"}
	}
	return s
}

// param is a parameter written as one word.
func param(text string) plan.Param {
	name, value, _ := strings.Cut(text, "=")
	return plan.Param{Name: name, Value: value}
}

// outcomesFolder is a folder with the scenario's package in it, in this module.
func outcomesFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "outcomes-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	text, err := os.ReadFile("testdata/outcomes/outcomes_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "outcomes_test.go"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runPlan writes a plan, executes it, and returns its report and the exit code.
func runPlan(t *testing.T, dir string, p *plan.Plan, args ...string) (r session.Report, code int, stderr string) {
	t.Helper()
	text, err := p.YAML()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args = append([]string{"plan", "run", file, "--dir", dir, "--root", t.TempDir(), "--json", "--shrink-budget", "60", "--blame-seeds", "0"}, args...)
	code = Main(args, &out, &errs, os.Environ())
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("report: %v: %s", err, out.String())
		}
	}
	return r, code, errs.String()
}

// verdictCase is a plan made for a verdict.
type verdictCase struct {
	name    string
	params  string // "name=value name=value"
	change  func(p *plan.Plan)
	armed   bool // the first worker is another than the rest
	args    []string
	verdict verdict.Verdict
	session verdict.SessionVerdict
	exit    int
	why     string // part of a reason
}

func tier(c int, d time.Duration, faults, seeds int) plan.Tier {
	return plan.Tier{Configurations: c, Duration: d, Faults: faults, Seeds: seeds}
}

var verdictCases = []verdictCase{
	{name: "pass", verdict: verdict.PassHardening, session: verdict.SessionDone},
	{name: "release", args: []string{"--tier", "release"}, change: func(p *plan.Plan) {
		p.Scenarios[0].Budget.Release, p.Scenarios[0].Budget.NoRelease = tier(2, 11*time.Second, 8, 4), plan.NoRelease{}
	}, verdict: verdict.PassHardening, session: verdict.SessionDone},
	{name: "smoke tier only", args: []string{"--tier", "smoke"}, verdict: verdict.PassSmoke, session: verdict.SessionConcerns, exit: 3, why: "hardening"},
	{name: "no fault", params: "faults=none", change: func(p *plan.Plan) {
		s := &p.Scenarios[0]
		s.Faults = plan.List[plan.Named]{None: "it is the control"}
		s.Budget.Smoke.Faults, s.Budget.Hardening.Faults = 0, 0
	}, verdict: verdict.PassSmoke, session: verdict.SessionConcerns, exit: 3, why: "no fault"},
	{name: "violation", params: "bug=stale", verdict: verdict.FailReproducible, session: verdict.SessionFail, exit: 1, why: "linearizability"},
	{name: "flaky", params: "bug=flaky", armed: true, args: []string{"--procs", "1"}, verdict: verdict.FailNondeterministic, exit: 3, session: verdict.SessionInconclusive, why: "did not come back"},
	{name: "missing capability", change: func(p *plan.Plan) {
		p.Needs = plan.List[plan.Need]{Items: []plan.Need{{Item: "docker", Floor: "none, because any does", UsedBy: plan.List[string]{Items: []string{"S1"}}, Install: "apt-get install docker.io", Substitute: "none, because nothing does"}}}
	}, args: []string{"--skip", "docker"}, verdict: verdict.InconclusiveEnv, session: verdict.SessionBlocked, exit: 3, why: "docker"},
	{name: "missing capability with a substitute", change: func(p *plan.Plan) {
		p.Needs = plan.List[plan.Need]{Items: []plan.Need{{Item: "docker", Floor: "none, because any does", UsedBy: plan.List[string]{Items: []string{"S1"}}, Install: "apt-get install docker.io", Substitute: "the world itself"}}}
	}, args: []string{"--skip", "docker"}, verdict: verdict.PassHardening, session: verdict.SessionDone, why: "the world itself"},
	{name: "need that the user has", change: func(p *plan.Plan) {
		p.Needs = plan.List[plan.Need]{Items: []plan.Need{{Item: "docker", Floor: "none, because any does", UsedBy: plan.List[string]{Items: []string{"S1"}}, Install: "apt-get install docker.io", Substitute: "none, because nothing does"}}}
	}, args: []string{"--have", "docker"}, verdict: verdict.PassHardening, session: verdict.SessionDone},
	{name: "few seeds with faults", params: "faults=rare", change: func(p *plan.Plan) { p.Scenarios[0].Budget.Hardening = tier(2, 10*time.Second, 2, 3) },
		verdict: verdict.PassSmoke, session: verdict.SessionConcerns, exit: 3, why: string(verdict.RuleSeeds)},
	{name: "fault not proven", params: "faults=nowhere", change: func(p *plan.Plan) { p.Scenarios[0].Faults.Items[0].Name = "cut" },
		verdict: verdict.InconclusiveFault, session: verdict.SessionInconclusive, exit: 3, why: "cut"},
	{name: "fault never scheduled", change: func(p *plan.Plan) {
		p.Scenarios[0].Faults.Items = append(p.Scenarios[0].Faults.Items, plan.Named{Name: "pause"})
	}, verdict: verdict.InconclusiveFault, session: verdict.SessionInconclusive, exit: 3, why: "pause"},
	{name: "checker unknown", params: "check=unknown", verdict: verdict.InconclusiveTooWeak, session: verdict.SessionInconclusive, exit: 3, why: "too few steps"},
	{name: "checker vacuous", params: "check=vacuous", verdict: verdict.InconclusiveTooWeak, session: verdict.SessionInconclusive, exit: 3, why: "given nothing"},
	{name: "checker did not run", params: "check=none", verdict: verdict.PartialSurface, session: verdict.SessionInconclusive, exit: 3, why: "linearizability"},
	{name: "checker saw a part", params: "check=part", verdict: verdict.PartialModel, session: verdict.SessionInconclusive, exit: 3},
	{name: "checker says not what it saw", params: "check=uncounted", verdict: verdict.InconclusiveTooWeak, session: verdict.SessionInconclusive, exit: 3, why: "does not say how many calls"},
	{name: "no tier met", change: func(p *plan.Plan) {
		b := &p.Scenarios[0].Budget
		b.Smoke, b.Hardening = tier(1, 20*time.Second, 1, 1), tier(2, 30*time.Second, 6, 3)
	}, verdict: verdict.PartialSurface, session: verdict.SessionInconclusive, exit: 3, why: "smoke"},
	{name: "one topology", change: func(p *plan.Plan) {
		p.Scenarios[0].Configs.Items[0].Parameters = []plan.Param{param("clients=2")}
		p.Scenarios[0].Configs.Items[1].Parameters = []plan.Param{param("clients=3")}
	}, verdict: verdict.PassSmoke, session: verdict.SessionConcerns, exit: 3, why: verdict.ItemOneTopology},
	{name: "load stops", params: "load=stops", verdict: verdict.PassSmoke, session: verdict.SessionConcerns, exit: 3, why: verdict.ItemLoad},
	{name: "recovery unasked", params: "recovers=unasked", verdict: verdict.PassSmoke, session: verdict.SessionConcerns, exit: 3, why: verdict.ItemNominal},
	{name: "never ends", params: "ends=no", verdict: verdict.PartialSurface, session: verdict.SessionInconclusive, exit: 3},
	{name: "bound to nothing", change: func(p *plan.Plan) { p.Scenarios[0].Target.Func = "" },
		verdict: verdict.NotRun, session: verdict.SessionBlocked, exit: 3, why: "orrery plan author"},
	{name: "no such test", change: func(p *plan.Plan) { p.Scenarios[0].Target.Func = "TestNone" },
		verdict: verdict.NotRun, session: verdict.SessionBlocked, exit: 3, why: "orrery plan author"},
	{name: "not chosen", change: func(p *plan.Plan) {
		s := p.Scenarios[0]
		s.ID = "S2"
		p.Scenarios = append(p.Scenarios, s)
	}, args: []string{"--scenario", "S2"}, verdict: verdict.NotRun, session: verdict.SessionConcerns, exit: 3, why: "--scenario"},
}

// Each verdict, each downgrade and each verdict of a session comes of a plan made for it.
func TestPlanVerdicts(t *testing.T) {
	dir := outcomesFolder(t)
	for _, c := range verdictCases {
		t.Run(c.name, func(t *testing.T) {
			var params []plan.Param
			for _, word := range strings.Fields(c.params) {
				params = append(params, param(word))
			}
			p := outcomesPlan(params...)
			if c.change != nil {
				c.change(p)
			}
			if c.armed {
				if err := os.WriteFile(filepath.Join(dir, "armed"), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			r, code, stderr := runPlan(t, dir, p, c.args...)
			if len(r.Results) == 0 {
				t.Fatalf("exit code %d, no report: %s", code, stderr)
			}
			d := r.Results[0].Decision
			if d.Verdict != c.verdict || r.Session.Verdict != c.session || code != c.exit {
				t.Errorf("%s, session %s, exit code %d; want %s, %s, %d: %+v", d.Verdict, r.Session.Verdict, code, c.verdict, c.session, c.exit, d.Reasons)
			}
			if text, _ := json.Marshal(d.Reasons); !strings.Contains(string(text), c.why) {
				t.Errorf("reasons %s, want one about %q", text, c.why)
			}
		})
	}
}
