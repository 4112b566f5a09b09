package session

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/orrery-sim/orrery/oracle/verdict"
)

// Print prints what a session came to: each scenario with its arms, the findings, and
// where everything is.
func (s *State) Print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range s.Scenarios {
		s.row(t, "", d)
		for _, u := range s.Units {
			if u.Scenario == d.Name && u.ID != d.Name {
				s.row(t, "  ", *u.Decision)
			}
		}
	}
	t.Flush()
	for _, u := range s.Units {
		for _, f := range u.Findings {
			fmt.Fprintf(w, "\n%s  %s: %s\n    at fault: %s, %s; %s\n    To re-run: %s\n", f.ID, f.Unit, f.Title, f.Axes.Class, f.Axes.Reduction, f.Axes.Placing.Severity, f.Replay())
		}
	}
	fmt.Fprintf(w, "\n%s\nreport: %s/%s.md, .html, .json\n", s.Exit.Text, s.Header.Dir, reportName)
}

// row prints a verdict and the reason for it.
func (s *State) row(w io.Writer, indent string, d verdict.Decision) {
	why := ""
	if len(d.Reasons) > 0 {
		why = d.Reasons[0].Text
		for _, r := range d.Reasons {
			if r.Kind == verdict.Caps {
				why = r.Text
				break
			}
		}
	}
	if len(why) > 120 {
		why = why[:117] + "..."
	}
	fmt.Fprintf(w, "%s%s\t%s\t%s\n", indent, d.Name, d.Title(), why)
}
