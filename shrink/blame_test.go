package shrink

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// always fails with one result.
type always struct{ result run.Result }

func (a always) Run(context.Context, run.Request) (run.Output, error) {
	return run.Output{Result: a.result}, nil
}

// TestUnknown: what no experiment could tell is nobody's fault, with the reason.
func TestUnknown(t *testing.T) {
	made := []outcome.Doubt{{Experiment: "good", Found: "it takes them", Made: true}}
	for _, c := range []struct {
		name   string
		v      run.Violation
		doubts []outcome.Doubt
		params map[string][]string
		party  run.Party
		why    string
	}{
		{"a check that could not be tried", run.Violation{Oracle: "model"}, []outcome.Doubt{{Experiment: "good", Found: "not made: no model"}}, map[string][]string{"workload": {"a", "b"}}, run.OfUnknown, "checker: good: not made: no model"},
		{"a check that refuses a run without faults", run.Violation{Oracle: "model"}, nil, map[string][]string{"workload": {"a", "b"}}, run.OfUnknown, "make it by oracle.Judged"},
		{"no other workload", run.Violation{Oracle: "model"}, made, nil, run.OfUnknown, "no second generator"},
		{"a race", run.Violation{Oracle: run.OracleRace}, nil, nil, run.OfUnknown, "whose goroutines"},
		{"every experiment was made", run.Violation{Oracle: "model"}, made, map[string][]string{"workload": {"a", "b"}}, run.OfSystem, "every other explanation"},
		{"a node's panic", run.Violation{Oracle: run.OraclePanic, Node: "n1"}, nil, nil, run.OfSystem, "every other explanation"},
		{"the test's panic", run.Violation{Oracle: run.OraclePanic, Node: "test"}, nil, nil, run.OfHarness, "part of the harness"},
	} {
		runs := always{run.Result{Verdict: run.Violated, Violation: &c.v, Doubts: c.doubts}}
		out, _ := runs.Run(t.Context(), run.Request{})
		b, err := Whose(t.Context(), runs, Outcome{Output: out}, BlameOptions{Params: c.params, Seeds: 6, Fresh: runs.Run})
		if err != nil || b.Party != c.party || !strings.Contains(b.Why, c.why) {
			t.Errorf("%s: %s, %q, %v; want %s, %q", c.name, b.Party, b.Why, err, c.party, c.why)
		}
	}
}

// byWorkload fails with a message of each workload's.
type byWorkload map[string]string

func (b byWorkload) Run(_ context.Context, req run.Request) (run.Output, error) {
	out := run.Output{Result: run.Result{Verdict: run.Pass, Doubts: []outcome.Doubt{{Experiment: "good", Made: true}}}}
	if message := b[req.Params[workloadParam]]; message != "" {
		out.Verdict, out.Violation = run.Violated, &run.Violation{Oracle: "model", Message: message}
	}
	return out, nil
}

// TestOtherWorkload: only what another workload never shows, in any way, is the
// harness's.
func TestOtherWorkload(t *testing.T) {
	for _, c := range []struct {
		other string // message with the other workload
		party run.Party
		why   string
	}{
		{"", run.OfHarness, "with workload=a it comes in 6 of 6 seeds, with another in none"},
		{"lost 2", run.OfSystem, "every other explanation"},
		{"kept 2", run.OfUnknown, "with workload=b the check fails in 6 of 6 seeds, with other messages"},
	} {
		runs := byWorkload{"a": "lost 1", "b": c.other}
		small := Outcome{Request: run.Request{Params: map[string]string{workloadParam: "a"}}}
		small.Output, _ = runs.Run(t.Context(), small.Request)
		b, err := Whose(t.Context(), runs, small, BlameOptions{Params: map[string][]string{workloadParam: {"a", "b"}}, Seeds: 6, Fresh: runs.Run})
		if err != nil || b.Party != c.party || !strings.Contains(b.Why, c.why) {
			t.Errorf("%q: %s, %q, %v; want %s, %q", c.other, b.Party, b.Why, err, c.party, c.why)
		}
	}
}

// TestBudgetWithEqualCandidates: candidates that are equal count once, with any
// number of workers.
func TestBudgetWithEqualCandidates(t *testing.T) {
	plan := numbered(1)
	for _, procs := range []int{1, 2, 3, 8} {
		s := newSearch(t.Context(), failsIf(func(f []string) bool { return len(f) == 1 && f[0] == "b" }), Options{Budget: 2, Procs: procs, Depth: OnlyFaults}, run.Signature(stale))
		a, b := run.Request{Faults: []string{"a"}}, run.Request{Faults: []string{"b"}}
		if i, err := s.firstOf([]run.Request{a, a, b}); i != 2 || err != nil || s.runs != 2 {
			t.Errorf("%d at a time: candidate %d of %q, %v, %d runs; want the last, after 2", procs, i, plan, err, s.runs)
		}
	}
}
