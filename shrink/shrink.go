package shrink

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

// Runs makes runs of one scenario, several at a time. An error says that there was
// no run; a run that died is an output.
type Runs interface {
	Run(ctx context.Context, req run.Request) (run.Output, error)
}

// Depth is what is made small.
type Depth int

// Depths of shrinking.
const (
	Whole      Depth = iota // everything
	OnlyFaults              // the plan of faults
)

// Options says how a failure is shrunk.
type Options struct {
	Budget  int // runs at most
	Procs   int // runs at one time; 0 is one
	Depth   Depth
	Params  map[string][]string // the scenario's parameters, with the values that each may have
	Journal *Journal            // of what is known from a search that was interrupted; may be nil
	// Now, if not nil, is the real time, by which candidates share runs where that is
	// faster. What comes of shrinking does not depend on it.
	Now func() time.Time
	// Progress, if not nil, is told of what is being done.
	Progress func(Progress)
}

// Progress says how far shrinking is.
type Progress struct {
	Step string // "faults", "schedule" ...
	Runs int    // that were made
	Size Size   // of the smallest run that still fails
}

// End says why shrinking ended.
type End string

// The ends of shrinking.
const (
	Minimal     End = "1-minimal"   // without any one of the faults that are left, the failure does not come back
	EachFault   End = "each fault"  // as 1-minimal, but the budget is spent: the rest may be smaller
	OutOfBudget End = "budget"      // there may be smaller ones
	Interrupted End = "interrupted" // by the context, or an error of a run
	Lost        End = "lost"        // with the whole plan given as text, the failure did not come back
)

// Outcome is the smallest run that still fails.
type Outcome struct {
	Request run.Request // without a record
	Output  run.Output  // of the run of Request, without a record
	Before  Size
	After   Size
	Runs    int // that were made
	End     End // why it ended
}

// Shrink makes a failure small. failed is the result of req, which failed; it has
// the plan of faults that was drawn. The outcome is worth having beside an error
// too: it is the smallest run that was seen to fail.
func Shrink(ctx context.Context, runs Runs, req run.Request, failed run.Result, o Options) (Outcome, error) {
	if failed.Violation == nil {
		return Outcome{}, fmt.Errorf("shrink: seed %d: the run is %s, want a violation", req.Seed, failed.Verdict)
	}
	req.Record, req.Until = run.RecordNone, nil
	if req.Faults == nil {
		req.Faults = texts(failed.Faults)
	}
	req.Overrides = distinct(req.Overrides)
	s := newSearch(ctx, runs, o, run.Signature(*failed.Violation))
	s.best = run.Output{Result: failed}
	s.req = req
	lost, err := s.start()
	if err == nil && !lost {
		err = s.steps()
	}
	spent := errors.Is(err, errBudget)
	if spent && s.o.Depth == Whole {
		err = s.removeFaults()
	}
	var measured error
	if s.o.Depth == Whole && !lost {
		measured = s.measure()
	}
	out := Outcome{Request: s.req, Output: s.best, Before: s.before, After: s.size, Runs: s.runs}
	switch {
	case measured != nil:
		out.End, err = Interrupted, measured
	case errors.Is(err, errBudget):
		out.End, err = OutOfBudget, nil
	case err != nil:
		out.End = Interrupted
	case lost:
		out.End = Lost
	case spent:
		out.End = EachFault
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
