package main

import (
	"context"
	"fmt"
	"io"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

// printBucket prints one kind of failure: its first seed, the violation, the
// faults that it needs, and the line that replays it.
func (a *app) printBucket(ctx context.Context, f *sweepFlags, c run.SweepConfig, b run.Bucket) error {
	r := b.First.Output.Result
	fmt.Fprintf(a.stdout, "--- seed %d: %s: %s\n", r.Seed, r.Violation.Oracle, r.Violation.Message)
	if b.Count > 1 {
		fmt.Fprintf(a.stdout, "    first of %s\n", counted(int(b.Count), "seed", "seeds"))
	}
	printWhere(a.stdout, r)
	printReplay := func(what string, faults []string) {
		fmt.Fprintf(a.stdout, "    %s: %s\n", what, replayLine(c.Scenario, r.Seed, f.tags, c.Request.Params, faults))
	}
	if f.shrinkBudget > 0 && len(r.Faults) > 0 && ctx.Err() == nil {
		out, err := a.shrink(ctx, f, c, r)
		if err != nil && ctx.Err() == nil {
			return err
		}
		printShrunk(a.stdout, out)
		printReplay("To re-run", c.Request.Faults)
		printReplay("The least", out.Faults)
	} else {
		printFaults(a.stdout, r.Faults)
		printReplay("To re-run", c.Request.Faults)
	}
	fmt.Fprintln(a.stdout)
	return nil
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
		fmt.Fprintf(w, "      %s  (%s: %s)\n", f.Text, landed, f.Evidence)
	}
}

// shrink runs the first seed of a bucket again with fewer and fewer faults.
func (a *app) shrink(ctx context.Context, f *sweepFlags, c run.SweepConfig, r run.Result) (shrink.Outcome, error) {
	p := newProgress(a.stderr)
	defer p.clear()
	w, err := run.StartWorker(ctx, c.Scenario, run.WorkerOptions{Watchdog: f.watchdog})
	if err != nil {
		return shrink.Outcome{}, err
	}
	defer w.Close()
	runs := 0
	return shrink.Faults(ctx, func(ctx context.Context, faults []string) (run.Result, error) {
		runs++
		p.show(func() string { return fmt.Sprintf("shrinking seed %d: %d runs, %d faults", r.Seed, runs, len(faults)) })
		req := c.Request
		req.Seed, req.Faults = r.Seed, faults
		out, err := w.Run(ctx, req)
		return out.Result, err
	}, r, f.shrinkBudget)
}

func printShrunk(w io.Writer, out shrink.Outcome) {
	fmt.Fprintf(w, "    shrunk %s to %d in %s: %s\n", counted(out.Before, "fault", "faults"), len(out.Faults), counted(out.Runs, "run", "runs"), out.End)
	printFaults(w, out.Result.Faults)
}
