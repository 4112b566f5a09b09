package shrink

import (
	"context"
	"errors"

	"github.com/orrery-sim/orrery/sim/run"
)

// Run runs the failing seed again with faults as its whole plan. An error says
// that there was no run; a run that died is a result.
type Run func(ctx context.Context, faults []string) (run.Result, error)

// End says why shrinking ended.
type End string

// The ends of shrinking.
const (
	Minimal     End = "1-minimal"   // without any one of the faults that are left, the failure does not come back
	OutOfBudget End = "budget"      // there may be smaller ones
	Interrupted End = "interrupted" // by the context, or an error of a run
	Lost        End = "lost"        // with the whole plan given as text, the failure did not come back
)

// Outcome is the smallest plan that still fails.
type Outcome struct {
	Faults []string   // in the plan's order
	Before int        // how many faults the plan had
	Runs   int        // that were made
	End    End        // why it ended
	Result run.Result // of the run with Faults
}

// Faults shrinks the plan of a failed run: delta debugging down to 1-minimal
// (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input,
// 2002), then each fault made shorter and of fewer victims, until neither helps.
// It makes at most budget runs.
//
// The outcome is worth having beside an error too: it is the smallest plan that
// was seen to fail.
func Faults(ctx context.Context, do Run, failed run.Result, budget int) (Outcome, error) {
	out := Outcome{Before: len(failed.Faults), Faults: texts(failed.Faults), Result: failed}
	if failed.Violation == nil {
		out.End = Lost
		return out, nil
	}
	want := run.Signature(*failed.Violation)
	s := &search{budget: budget, tried: make(map[string]bool)}
	s.fails = func(faults []string) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		r, err := do(ctx, faults)
		if err != nil || r.Violation == nil || run.Signature(*r.Violation) != want {
			return false, err
		}
		out.Faults, out.Result = faults, r
		return true, nil
	}
	lost, err := s.minimize(out.Faults)
	out.Runs = s.runs
	switch {
	case errors.Is(err, errBudget):
		out.End, err = OutOfBudget, nil
	case err != nil:
		out.End = Interrupted
	case lost:
		out.End = Lost
	default:
		out.End = Minimal
	}
	return out, err
}

func texts(faults []run.Fault) []string {
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.Text
	}
	return lines
}
