package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/pflag"
)

// reportFlags say where the report of a sweep goes beside the standard output.
type reportFlags struct {
	out      string
	revision string
	junit    string
	timing   bool

	findings *run.Findings // of out
	suites   []junitSuite  // for junit
}

func (f *reportFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.out, "out", "", "keep the failures in this `folder`, from sweep to sweep")
	fs.StringVar(&f.revision, "revision", "", "with --out: a `label` of what was swept, as a commit")
	fs.StringVar(&f.junit, "junit", "", "write a report for CI systems to this `file`, as JUnit's XML")
	fs.BoolVar(&f.timing, "timing", false, "with --json, --junit and --out: tell real time too")
}

// open reads the folder of findings before there is anything to lose.
func (f *reportFlags) open() (err error) {
	switch {
	case f.out == "" && f.revision != "":
		return usage(errors.New("--revision: want --out beside it: findings are labelled"))
	case f.out == "":
		return nil
	}
	if f.findings, err = run.OpenFindings(f.out); err != nil {
		return usage(fmt.Errorf("--out: %w", err))
	}
	return nil
}

// close writes what is of all scenarios together.
func (f *reportFlags) close() error {
	if f.junit == "" {
		return nil
	}
	if err := writeJUnit(f.junit, f.suites); err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return nil
}

// report is what came of the sweep of one scenario.
type report struct {
	scenario run.Scenario
	settings settings
	summary  run.Summary
	failures []failure // of the summary's buckets
}

func (r *report) exit() int { return r.summary.Exit() }

// track brings the folder of findings up to date, if there is one.
func (a *app) track(ctx context.Context, f *reportFlags, c run.SweepConfig, r *report) (err error) {
	if f.findings == nil {
		return nil
	}
	at := run.Sighting{Identity: c.Scenario.Binary.Identity, Revision: f.revision}
	if f.timing {
		at.Time = time.Now().UTC().Format(time.RFC3339)
	}
	pool := run.NewPool(c.Scenario, 1, run.WorkerOptions{Watchdog: c.Watchdog})
	defer pool.Close()
	r.summary.Findings, err = f.findings.Update(c, r.summary, at, func(rep run.Reproducer) (run.Result, error) {
		if err := checkParams(c.Scenario, rep.Params); err != nil {
			return run.Result{}, err
		}
		out, err := pool.Run(ctx, rep.Request())
		return out.Result, err
	})
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// tellCI tells CI systems of the report.
func (a *app) tellCI(f *reportFlags, r *report) error {
	if f.junit != "" {
		f.suites = append(f.suites, r.suite())
	}
	return a.github(r)
}

// state says in a word what a failure of a signature is: known, what the folder of
// findings says, or new.
func (r *report) state(signature string) string {
	if r.summary.IsKnown(signature) {
		return "known"
	}
	for _, t := range r.summary.Findings {
		if t.Signature == signature {
			return string(t.State)
		}
	}
	return string(run.FindingNew)
}

// print prints the summary, and what is kept.
func (r *report) print(w io.Writer) {
	printSummary(w, r.summary)
	printNotSeen(w, r.summary)
	printFindings(w, r.summary.Findings)
}

func printNotSeen(w io.Writer, s run.Summary) {
	for _, k := range s.NotSeen() {
		fmt.Fprintf(w, "known, and not seen in %s: %s (%s): take it out of %s if it is fixed\n",
			counted(int(s.Seeds), "seed", "seeds"), k.Signature, k.Issue, run.KnownFile)
	}
}

// printFindings prints the folder's findings of a scenario as a table.
func printFindings(out io.Writer, list []run.Tracked) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "state\tseeds\tfirst\tlast\tfailure\tfile")
	for _, t := range list {
		state := string(t.State)
		if t.Note != "" {
			state += ", " + t.Note
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", state, count(t.Count), sighted(t.First), sighted(t.Last), t.Reproducer.Expect.Oracle+": "+t.Message, t.File())
	}
}

// sighted tells a sighting by its label or, for want of one, its build.
func sighted(at run.Sighting) string {
	return fmt.Sprintf("seed %d, %s", at.Seed, cmp.Or(at.Revision, "build "+at.Identity.Build))
}
