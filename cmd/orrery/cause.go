package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
	"github.com/spf13/cobra"
)

type causeFlags struct {
	subject
	moments  int
	futures  int
	json     bool
	watchdog time.Duration
}

func (a *app) causeCommand() *cobra.Command {
	var f causeFlags
	c := &cobra.Command{
		Use:   "cause [package] --seed N",
		Short: "show when a failure became inevitable",
		Long: `Show when a failure became inevitable. The failing run is parted at many moments,
each time into futures with choices of their own, while its faults stay as they are.
The share of the futures that fail in the same way is shown over time: where it jumps,
something happened that the failure follows from.`,
		Example: "  orrery cause ./kv --seed 17\n  orrery cause --file testdata/orrery/TestKV-17.json --moments 100 --json",
		RunE: command(func(ctx context.Context, patterns []string) error {
			return a.cause(ctx, &f, patterns)
		}).run,
	}
	fs := c.Flags()
	f.addFlags(fs)
	fs.IntVar(&f.moments, "moments", 40, "`moments` at which the run parts")
	fs.IntVar(&f.futures, "futures", 10, "`futures` that begin at each")
	fs.BoolVar(&f.json, "json", false, "print a line of JSON for each moment")
	fs.DurationVar(&f.watchdog, "watchdog", run.WatchdogDefault, "real time after which a run that makes no step is stopped")
	return c
}

func (a *app) cause(ctx context.Context, f *causeFlags, patterns []string) error {
	if f.moments < 1 || f.futures < 1 || f.watchdog <= 0 {
		return usage(fmt.Errorf("--moments %d --futures %d --watchdog %v: want one at least of each, and a watchdog above 0", f.moments, f.futures, f.watchdog))
	}
	sc, req, err := f.one(ctx, a, patterns)
	if err != nil {
		return err
	}
	pool := run.NewPool(sc, 1, run.WorkerOptions{Watchdog: f.watchdog})
	defer pool.Close()
	out, err := pool.Run(ctx, req)
	if err != nil {
		return err
	}
	if out.Violation == nil {
		return fmt.Errorf("seed %d: %s %s: want a run that fails", req.Seed, out.Verdict, out.Reason)
	}
	points, err := shrink.Cause(ctx, pool, req, out.Result, f.moments, f.futures)
	if err != nil {
		return err
	}
	if f.json {
		err = writePoints(a.stdout, points)
	} else {
		printCause(a.stdout, out.Result, points)
	}
	if err != nil {
		return err
	}
	return exitCode(exitViolation)
}

// causeSchema names the form of a line of cause --json.
const causeSchema = "orrery.cause/1"

func writePoints(w io.Writer, points []shrink.Point) error {
	enc := json.NewEncoder(w)
	for _, p := range points {
		line := struct {
			Schema string `json:"schema"`
			shrink.Point
		}{causeSchema, p}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// bars are the heights of a sparkline.
var bars = []rune("▁▂▃▄▅▆▇█")

// printCause prints the shares as a sparkline, with what happened where they jump.
func printCause(w io.Writer, r run.Result, points []shrink.Point) {
	fmt.Fprintf(w, "seed %d: %s: %s\n", r.Seed, r.Violation.Oracle, r.Violation.Message)
	var line strings.Builder
	for _, p := range points {
		line.WriteRune(bars[int(math.Round(p.Share()*float64(len(bars)-1)))])
	}
	fmt.Fprintf(w, "%s\n0s%*s\n", line.String(), max(len(points)-2, 1), trace.Seconds(r.Virtual))
	if len(points) == 0 {
		return
	}
	i, by := shrink.Jump(points)
	last := points[len(points)-1]
	if i < 0 {
		fmt.Fprintf(w, "%d of %d futures fail from the start on, and at no moment more than at the one before\n", points[0].Fail, points[0].Futures)
		return
	}
	from, to := points[i-1], points[i]
	fmt.Fprintf(w, "between %s and %s the share that fails goes from %.0f%% to %.0f%%, by %.0f points; at %s it is %.0f%%\n",
		trace.Seconds(from.At), trace.Seconds(to.At), 100*from.Share(), 100*to.Share(), 100*by, trace.Seconds(last.At), 100*last.Share())
	for _, f := range r.Faults {
		if f.At > from.At && f.At <= to.At {
			fmt.Fprintf(w, "  then: %s  (%s)\n", f.Text, f.Evidence)
		}
	}
}
