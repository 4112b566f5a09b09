package session

import (
	"reflect"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

const second = int64(time.Second)

// loaded is a load of so many answered calls in each second.
func loaded(ok ...int) (out []run.Ops) {
	for _, n := range ok {
		out = append(out, run.Ops{Invoked: n, OK: n})
	}
	return out
}

// A system is nominal again if it kept its promise, and answers half as much as before at
// least: by measured rates, not by what it says.
func TestRecovered(t *testing.T) {
	kept := []run.Recovery{{What: "a write", Kept: true}}
	steady := func(before, after int) []run.Ops {
		var out []int
		for i := range 30 {
			n := before
			if i >= 15 {
				n = after
			}
			out = append(out, n)
		}
		return loaded(out...)
	}
	phases := run.Measures{Clients: run.Span{To: 30 * second}, Safety: run.Span{From: 10 * second, To: 20 * second}}
	for _, c := range []struct {
		name  string
		load  []run.Ops
		kept  []run.Recovery
		state verdict.RecoveryState
	}{
		{"as before", steady(10, 10), kept, verdict.Nominal},
		{"half", steady(10, 5), kept, verdict.Nominal},
		{"less than half", steady(10, 4), kept, verdict.Degraded},
		{"promise broken", steady(10, 10), []run.Recovery{{What: "a write"}}, verdict.Degraded},
		{"nothing promised", steady(10, 10), nil, verdict.NotMeasured},
		{"no load", nil, kept, verdict.NotMeasured},
		{"load ends with the faults", steady(10, 10)[:20], kept, verdict.NotMeasured},
	} {
		m := phases
		m.Load, m.Recoveries = c.load, c.kept
		if got := recovered(m); got.State != c.state {
			t.Errorf("%s: %+v, want %q", c.name, got, c.state)
		}
	}
}

// Calls that began in one window and ended in a later one wait in between.
func TestWindows(t *testing.T) {
	load := []run.Ops{{Invoked: 3, OK: 1}, {}, {Invoked: 1, OK: 2, Failed: 1}}
	got := windows(load, time.Second)
	var waiting []int
	for _, w := range got {
		waiting = append(waiting, w.Waiting)
	}
	if want := []int{0, 2, 2}; !reflect.DeepEqual(waiting, want) {
		t.Errorf("waiting %v, want %v", waiting, want)
	}
	two := windows(load, 2*time.Second)
	if len(two) != 2 || two[0].Invoked != 3 || two[0].OK != 1 || two[1].Waiting != 2 || two[1].Start != 2*time.Second || two[1].Length != 2*time.Second {
		t.Errorf("by two seconds: %+v", two)
	}
}

// A cycle tells what its run shows: faults with their evidence, checks with what they
// saw, errors that no world answers, and why there is no result.
func TestMeasured(t *testing.T) {
	r := run.Result{
		Seed: 7, Verdict: run.Unknown, Reason: "the budget ran out\nwaiting for", Hash: "h", Virtual: 12 * second, Ops: run.Ops{Invoked: 5},
		Faults: []run.Fault{
			{Text: "at 1s kill n1 for 300ms", Kind: "kill", At: second, Landed: true, Evidence: "1 goroutines stopped"},
			{Text: "at 2s skew n1 by 1s for 1s", Kind: "skew", At: 2 * second, Evidence: "no clock was read"},
			{Text: "at 3s cut n1>n2", Kind: "cut", Evidence: "its time did not come"},
		},
		Unsupported: []run.Unsupported{{Name: "memfd_create", Caller: "main.f", Count: 2}},
		Measures:    run.Measures{Nodes: 3, Safety: run.Span{From: 2 * second}},
	}
	c := measured(r, configuration{params: map[string]string{"nodes": "3"}}, verdict.Smoke)
	if c.Configuration != "nodes=3" || c.Topology != "3 nodes" || c.Duration != 10*time.Second || c.Lost != "unknown: the budget ran out" {
		t.Errorf("%+v", c)
	}
	if c.Errors.Swallowed != 2 || c.Errors.Example != "memfd_create is not in the simulation: called by main.f" {
		t.Errorf("errors %+v", c.Errors)
	}
	kill, skew, cut := c.Faults[0], c.Faults[1], c.Faults[2]
	if !kill.Landed() || kill.Victim != "1 goroutines stopped" || kill.Length != 300*time.Millisecond || kill.Injector != "injected at 1s, in run h" {
		t.Errorf("%+v", kill)
	}
	if skew.Landed() || !skew.Clock || cut.Landed() || cut.Injector != "" || cut.Sides != verdict.OneSide {
		t.Errorf("%+v, %+v", skew, cut)
	}
	r.Measures.Checks = []run.Check{{Name: "all", Verdict: outcome.OK}, {Name: "some", Verdict: outcome.OK, Calls: 2}, {Name: "none", Verdict: outcome.Vacuous, Reason: "nothing"}}
	c = measured(r, configuration{}, verdict.Smoke)
	if c.Lost != "" {
		t.Errorf("lost: %s, though its checks were asked", c.Lost)
	}
	for i, saw := range []int{0, 2, 0} {
		if o := c.Oracles[i]; o.Saw != saw || o.Calls != 5 {
			t.Errorf("%s saw %d of %d calls, want %d of 5", o.Name, o.Saw, o.Calls, saw)
		}
	}
}

// Calls that no scenario counts are those that the load was told of: a check that saw a
// part of them is not taken for one that saw all.
func TestInvoked(t *testing.T) {
	r := run.Result{Measures: run.Measures{Load: loaded(3, 4)}}
	if got := invoked(r); got != 7 {
		t.Errorf("%d calls, want 7", got)
	}
	r.Ops.Invoked = 5
	if got := invoked(r); got != 5 {
		t.Errorf("%d calls, want 5", got)
	}
}

// A fault that the plan names and that no cycle had is not proven.
func TestUnseenFaults(t *testing.T) {
	cycles := []verdict.Cycle{{Seed: 1, Faults: []verdict.Fault{{Kind: "kill", Landing: verdict.Proven, Victim: "x"}}}, {Seed: 2}}
	got := withUnseen(cycles, []string{"kill", "pause"})
	if len(got[0].Faults) != 2 || got[0].Faults[1].Kind != "pause" || got[0].Faults[1].Landed() || len(cycles[0].Faults) != 1 {
		t.Errorf("%+v, from %+v", got, cycles)
	}
}

// What cycles say of groups, baselines and repetitions is taken at its weakest.
func TestEvidenceOfFairness(t *testing.T) {
	cycle := func(seed uint64, groups int, of outcome.Baseline) Ran {
		r := run.Result{Measures: run.Measures{Checks: []run.Check{{Name: "fairness", Verdict: outcome.OK, Covered: outcome.Coverage{Groups: groups, Percentile: "p99", Baseline: of}}}}}
		return Ran{Cycle: verdict.Cycle{Seed: seed}, Grouping: grouping(r), Baseline: baseline(r)}
	}
	u := Unit{ID: "S1", Claims: []verdict.Category{verdict.Fairness}, ClaimIDs: []string{"C1"}}
	for _, c := range []struct {
		name   string
		ran    []Ran
		groups int
		state  verdict.BaselineState
		times  int
	}{
		{"no baseline", []Ran{cycle(1, 4, ""), cycle(2, 4, "")}, 4, verdict.BaselineUnused, 2},
		{"a cycle with one group", []Ran{cycle(1, 1, ""), cycle(2, 4, "")}, 1, verdict.BaselineUnused, 2},
		{"a cycle without groups", []Ran{cycle(1, 4, ""), cycle(2, 0, "")}, 0, verdict.BaselineUnused, 2},
		{"of the same run", []Ran{cycle(1, 4, outcome.BaselineSameRun), cycle(1, 4, outcome.BaselineSameRun)}, 4, verdict.BaselineFair, 1},
		{"of another", []Ran{cycle(1, 4, outcome.BaselineOther), cycle(2, 4, outcome.BaselineSameRun)}, 4, verdict.BaselineUntold, 2},
	} {
		e := evidence(u, verdict.Sim, verdict.Smoke, nil, c.ran)
		if e.Grouping.Groups != c.groups || e.Baseline.State != c.state || len(e.Statistics) != 1 || e.Statistics[0].Repetitions != c.times {
			t.Errorf("%s: %+v, %+v, %+v", c.name, e.Grouping, e.Baseline, e.Statistics)
		}
	}
}
