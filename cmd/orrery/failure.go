package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

// failure is a bucket of a sweep, explained.
type failure struct {
	run.Bucket
	shrunk *shrink.Outcome // nil if it was not shrunk
	replay string          // the command that repeats the first seed
	least  string          // the same with the shrunk plan; "" if that is not smaller
	note   string          // why shrinking ended early, if it did
}

// explain shrinks the first seed of a bucket. A smaller plan that was found
// before an interrupt or an error counts; neither costs the failure itself.
func (a *app) explain(ctx context.Context, f *sweepFlags, c run.SweepConfig, b run.Bucket) failure {
	r := b.First.Output.Result
	line := func(faults []string) string {
		req := c.Request
		req.Seed, req.Faults = r.Seed, faults
		return c.Scenario.ReplayLine(req)
	}
	out := failure{Bucket: b, replay: line(c.Request.Faults)}
	if f.shrinkBudget == 0 || len(r.Faults) == 0 || ctx.Err() != nil {
		return out
	}
	shrunk, err := a.shrink(ctx, f, c, r)
	if err != nil && ctx.Err() == nil {
		out.note = fmt.Sprintf("shrinking ended early: %v", err)
	}
	if shrunk.Runs == 0 {
		return out
	}
	out.shrunk = &shrunk
	if least := line(shrunk.Request.Faults); shrunk.End != shrink.Lost && least != out.replay {
		out.least = least
	}
	return out
}

// shrink runs the first seed of a bucket again with fewer and fewer faults.
func (a *app) shrink(ctx context.Context, f *sweepFlags, c run.SweepConfig, r run.Result) (shrink.Outcome, error) {
	p := newProgress(a.stderr)
	defer p.clear()
	procs := cmp.Or(f.procs, runtime.NumCPU())
	pool := run.NewPool(c.Scenario, procs, run.WorkerOptions{Watchdog: f.watchdog})
	defer pool.Close()
	req := c.Request
	req.Seed = r.Seed
	return shrink.Shrink(ctx, pool, req, r, shrink.Options{
		Budget: f.shrinkBudget, Procs: procs, Depth: shrink.OnlyFaults,
		Progress: func(now shrink.Progress) {
			p.show(func() string { return fmt.Sprintf("shrinking seed %d: %s", r.Seed, counted(now.Runs, "run", "runs")) })
		},
	})
}

// print prints the first seed, the violation, the faults that it needs, and the
// lines that replay it.
func (f failure) print(w io.Writer) {
	r := f.First.Output.Result
	fmt.Fprintf(w, "--- seed %d: %s: %s\n", r.Seed, r.Violation.Oracle, r.Violation.Message)
	if f.Count > 1 {
		fmt.Fprintf(w, "    first of %s\n", counted(int(f.Count), "seed", "seeds"))
	}
	if f.Known != nil {
		fmt.Fprintf(w, "    %s\n", f.Known)
	}
	printWhere(w, r)
	if f.shrunk != nil {
		printShrunk(w, *f.shrunk)
	} else {
		printFaults(w, r.Faults)
	}
	fmt.Fprint(w, indent(f.note, "    "))
	fmt.Fprintf(w, "    To re-run: %s\n", f.replay)
	if f.least != "" {
		fmt.Fprintf(w, "    The least: %s\n", f.least)
	}
	fmt.Fprintln(w)
}

// printWhere prints the evidence of a violation.
func printWhere(w io.Writer, r run.Result) {
	v := r.Violation
	if v.Node != "" {
		fmt.Fprintf(w, "    at %s, %s, hash %s\n", v.Node, moment(v.At), r.Hash)
	} else {
		fmt.Fprintf(w, "    at %s, hash %s\n", moment(v.At), r.Hash)
	}
	fmt.Fprint(w, indent(v.Detail, "      "))
	fmt.Fprint(w, indent(v.Stack, "      "))
}

func printFaults(w io.Writer, faults []run.Fault) {
	for _, f := range faults {
		landed := "landed"
		if !f.Landed {
			landed = "did not land"
		}
		if f.Evidence != "" {
			landed += ": " + f.Evidence
		}
		fmt.Fprintf(w, "      %s  (%s)\n", f.Text, landed)
	}
}

// ends says what the end of shrinking means for the faults that are shown.
var ends = map[shrink.End]string{
	shrink.Minimal:     "it needs each of them",
	shrink.EachFault:   "it needs each of its faults; the budget of runs ran out, so that the rest may be smaller",
	shrink.OutOfBudget: "it may need fewer: the budget of runs ran out",
	shrink.Interrupted: "it may need fewer: shrinking was interrupted",
	shrink.Lost:        "with its plan given as text the failure does not come back",
}

func printShrunk(w io.Writer, out shrink.Outcome) {
	fmt.Fprintf(w, "    shrunk %s to %d in %s: %s\n",
		counted(out.Before.Faults, "fault", "faults"), len(out.Request.Faults), counted(out.Runs, "run", "runs"), ends[out.End])
	printFaults(w, out.Output.Faults)
}
