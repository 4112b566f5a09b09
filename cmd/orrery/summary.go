package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

// verdicts is the order in which they are shown.
var verdicts = []run.Verdict{run.Pass, run.Violated, run.Vacuous, run.Unknown, run.Died, run.Escaped, run.NoProgress, run.Nondeterministic}

// printSummary prints the figures of a sweep as a table.
func printSummary(out io.Writer, s run.Summary) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	defer w.Flush()
	var parts []string
	for _, v := range verdicts {
		if n := s.Verdicts[v]; n > 0 {
			parts = append(parts, count(n)+" "+string(v))
		}
	}
	fmt.Fprintf(w, "%s\t%s\n", s.Scenario, strings.Join(parts, ", "))
	fmt.Fprintf(w, "seeds\t%s\n", count(s.Seeds))
	if s.Verified > 0 {
		fmt.Fprintf(w, "run twice\t%s\n", count(s.Verified))
	}
	fmt.Fprintf(w, "virtual time\t%s\n", span(virtualTime(s)))
	for i, f := range s.Faults {
		label := ""
		if i == 0 {
			label = "faults landed"
		}
		fmt.Fprintf(w, "%s\t%s of %s %s\n", label, count(f.Landed), count(f.Scheduled), f.Kind)
	}
	if s.Ops.Invoked > 0 {
		fmt.Fprintf(w, "client calls\t%s: %s ok, %s failed, %s unknown\n", count(s.Ops.Invoked), count(s.Ops.OK), count(s.Ops.Failed), count(s.Ops.Unknown))
	}
	fmt.Fprintf(w, "system calls\t%s\n", count(s.Calls))
	fmt.Fprintf(w, "switches\t%s\n", count(s.Steps))
	for i, u := range s.Unsupported {
		label := ""
		if i == 0 {
			label = "unsupported"
		}
		fmt.Fprintf(w, "%s\t%s (%d), %s, by %s\n", label, u.Name, u.Nr, counted(u.Count, "time", "times"), u.Caller)
	}
	for _, warning := range s.Warnings {
		fmt.Fprintf(w, "warning\t%s\n", warning)
	}
	for _, why := range whyNoVerdict(s) {
		fmt.Fprintf(w, "no verdict\t%s\n", why)
	}
	if s.Interrupted {
		fmt.Fprintf(w, "interrupted\tafter %s\n", counted(int(s.Seeds), "seed", "seeds"))
	}
	if secs := s.Wall.Seconds(); secs > 0 {
		fmt.Fprintf(w, "rate\t%.1f seeds a second, %.0f times real time, %s in all\n", float64(s.Seeds)/secs, virtualTime(s).Seconds()/secs, span(s.Wall))
	}
}

// whyNoVerdict says what of the sweep as a whole leaves it without a verdict.
func whyNoVerdict(s run.Summary) (out []string) {
	if s.TooVacuous() {
		out = append(out, fmt.Sprintf("%s of %s seeds were vacuous, %.0f%% at most may be", count(s.Verdicts[run.Vacuous]), count(s.Seeds), 100*s.MaxVacuous))
	}
	for _, kind := range s.NeverLanded() {
		out = append(out, kind+" never landed")
	}
	return out
}

// virtualTime is that of all runs together.
func virtualTime(s run.Summary) time.Duration { return time.Duration(s.Virtual) }
