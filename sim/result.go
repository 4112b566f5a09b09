package sim

import (
	"fmt"

	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

// result makes the result of a world that has ended. It runs outside it.
func (w *World) result(name string, s rt.Stats) run.Result {
	r := run.Result{
		Scenario: name, Seed: w.req.Seed, Verdict: run.Pass,
		Hash: fmt.Sprintf("%016x", s.Hash), Events: s.Events, Steps: s.Steps, Virtual: s.Virtual,
		Calls: w.kern.Calls(), Warnings: w.warnings, Log: w.log, Doubts: w.doubts, Measures: w.measures,
	}
	r.Measures.Nodes = len(w.nodes)
	for _, in := range w.faults {
		r.Faults = append(r.Faults, in.report)
	}
	for _, f := range w.counts {
		r.Ops = r.Ops.Plus(f())
	}
	r.Unsupported = w.unsupportedCalls()
	switch {
	case w.end != nil:
		r.Verdict, r.Reason, r.Violation = w.end.verdict, w.end.reason, w.end.violation
	case s.Deadlock:
		r.Verdict, r.Reason = run.Unknown, "nothing could ever run again, and the test had not ended"+w.waiting()
	case !w.complete:
		r.Verdict, r.Reason = run.Unknown, "the test ended before its checks: by t.Skip or runtime.Goexit"
	case w.vacuous(r):
		r.Verdict, r.Reason = run.Vacuous, "of the faults that were scheduled, none landed"
	}
	return r
}

// vacuous reports whether faults were scheduled and none landed.
func (w *World) vacuous(r run.Result) bool {
	for _, f := range r.Faults {
		if f.Landed {
			return false
		}
	}
	return len(r.Faults) > 0
}
