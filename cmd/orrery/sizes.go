package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/trace"
)

// printSizes prints what shrinking took away.
func printSizes(w io.Writer, out shrink.Outcome) {
	fmt.Fprintf(w, "shrunk in %s: %s\n", counted(out.Runs, "run", "runs"), ends[out.End])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tbefore\tafter\t")
	b, s := out.Before, out.After
	fmt.Fprintf(t, "virtual time\t%s\t%s\t\n", trace.Seconds(b.Virtual), trace.Seconds(s.Virtual))
	for _, row := range []struct {
		what          string
		before, after int
	}{
		{"faults", b.Faults, s.Faults}, {"clients", b.Clients, s.Clients}, {"calls", b.Calls, s.Calls},
		{"departures from first in, first out", b.Departures, s.Departures},
		{"delays of links and disks", b.Delays, s.Delays},
		{"decisions of the schedule", int(b.Steps), int(s.Steps)}, {"events", int(b.Events), int(s.Events)},
	} {
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", row.what, count(row.before), count(row.after))
	}
	t.Flush()
}
