package shrink

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
)

// Part is what a run is made of.
type Part string

// Parts of a run.
const (
	FaultPart  Part = "fault"
	CallPart   Part = "call"   // an operation of a client
	ChoicePart Part = "choice" // one that is not the neutral one
)

// Need is a part of a small run, and what happens without it.
type Need struct {
	Part    Part            `json:"part"`
	Fault   string          `json:"fault,omitempty"` // its text
	Choice  choice.Override `json:"choice,omitzero"` // of a choice, and of a call the one that leaves it out
	Needed  bool            `json:"needed"`          // the failure does not come back without it
	Without string          `json:"without"`         // what comes of the run: "passes"
}

// Needs runs a small run once more without each of its parts, at most most of them,
// in the order of faults, calls and choices. all says that none was left for want of
// runs.
func Needs(ctx context.Context, runs Runs, small Outcome, most int) (needs []Need, all bool, err error) {
	want := run.Signature(*small.Output.Violation)
	parts, err := partsOf(ctx, runs, small)
	if err != nil {
		return nil, false, err
	}
	all = len(parts) <= most
	for _, p := range parts[:min(most, len(parts))] {
		n := p.need
		out, err := runs.Run(ctx, p.without())
		if err != nil {
			return needs, false, err
		}
		n.Needed = out.Violation == nil || run.Signature(*out.Violation) != want
		switch {
		case out.Violation == nil && out.Verdict == run.Pass:
			n.Without = "passes"
		case out.Violation == nil:
			n.Without = string(out.Verdict)
		case n.Needed:
			n.Without = fmt.Sprintf("fails otherwise: %s: %s", out.Violation.Oracle, out.Violation.Message)
		default:
			n.Without = "fails all the same"
		}
		needs = append(needs, n)
	}
	return needs, all, nil
}

// part is a part of a run, and the run without it. That is made when it is wanted: there
// may be many thousand parts, and each request without one holds all the others.
type part struct {
	need    Need
	without func() run.Request
}

// partsOf returns the parts of a run.
func partsOf(ctx context.Context, runs Runs, small Outcome) (parts []part, err error) {
	req := small.Request
	for i, f := range req.Faults {
		parts = append(parts, part{Need{Part: FaultPart, Fault: f}, func() run.Request {
			less := req
			less.Faults = slices.Delete(slices.Clone(req.Faults), i, i+1)
			return less
		}})
	}
	with := req
	with.Record = run.RecordEvents
	out, err := runs.Run(ctx, with)
	if err != nil {
		return nil, err
	}
	r, err := readRun(out)
	if err != nil {
		return nil, err
	}
	for _, op := range r.operations() {
		drop := choice.Override{Stream: dropStream + op.client, Index: op.index + 1, Value: 1}
		parts = append(parts, part{Need{Part: CallPart, Choice: drop}, func() run.Request {
			return overridden(req, []int{0}, func(int) choice.Override { return drop })
		}})
	}
	for i, o := range req.Overrides {
		if strings.HasPrefix(o.Stream, dropStream) {
			continue
		}
		parts = append(parts, part{Need{Part: ChoicePart, Choice: o}, func() run.Request {
			less := req
			less.Overrides = slices.Delete(slices.Clone(req.Overrides), i, i+1)
			return less
		}})
	}
	return parts, nil
}
