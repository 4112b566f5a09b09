package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
	"github.com/spf13/cobra"
)

// replayFlags is what replay is told.
type replayFlags struct {
	subject
	verify   bool
	noFork   bool
	until    string
	json     bool
	trace    string
	verbose  bool
	watchdog time.Duration
}

func (a *app) replayCommand() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay [package] --seed N",
		Short: "run one seed of a scenario again",
		Long: `Run one seed of a scenario again, and show its faults with the evidence that
they landed, and the violation. The exit code is 1 if the violation comes back.

With --until the run ends at a moment, and the state of every process is shown:
goroutines with their stacks, timers, sockets, files. A moment is a virtual time,
just before anything of that time happens, or a number of events, as traces
count them. There is no verdict then, and the exit code is 0.`,
		Example: "  orrery replay ./kv --seed 17 --run '^TestKV$'\n  orrery replay ./kv --seed 17 --verify\n  orrery replay ./kv --seed 17 -v --trace run.jsonl\n  orrery replay ./kv --seed 17 --until 12.5s",
		RunE: command(func(ctx context.Context, patterns []string) error {
			return a.replay(ctx, &f, patterns)
		}).run,
	}
	fs := c.Flags()
	f.addFlags(fs)
	fs.BoolVar(&f.verify, "verify", false, "run it twice, in fresh processes, and name the first event that differs")
	fs.BoolVar(&f.noFork, "no-fork", false, "run it in one process, as a debugger would, and show what the nodes write at once")
	fs.StringVar(&f.until, "until", "", "end at a `moment`, 12.5s or event 4312, and show the state of every process")
	fs.BoolVar(&f.json, "json", false, "print the state of --until as a line of JSON")
	fs.StringVar(&f.trace, "trace", "", "write every event to a `file`: .jsonl, .txt or, for go tool trace, .gotrace")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "show what the nodes wrote, with virtual time")
	fs.DurationVar(&f.watchdog, "watchdog", run.WatchdogDefault, "real time after which a run that makes no step is stopped")
	return c
}

// record adds what is to be kept of the run.
func (f *replayFlags) record(req *run.Request) error {
	if f.trace != "" && traceWriters[filepath.Ext(f.trace)] == nil {
		return usage(fmt.Errorf("--trace %s: want a file that ends in .jsonl, .txt or .gotrace", run.ShellQuote(f.trace)))
	}
	if f.trace != "" {
		req.Record = run.RecordStacks
	}
	return f.readUntil(req)
}

// inPlace makes the run in a process that nothing is between it and the terminal.
func (a *app) inPlace(ctx context.Context, sc run.Scenario, req run.Request) error {
	c, err := run.InPlace(ctx, sc, req)
	if err != nil {
		return err
	}
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, a.stdout, a.stderr
	err = c.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.Exited() {
		return exitCode(ended.ExitCode())
	}
	return err
}

func (f *replayFlags) readUntil(req *run.Request) error {
	switch {
	case f.noFork && (f.until != "" || f.verify || f.trace != "" || f.verbose):
		return usage(errors.New("--no-fork: want no --until, --verify, --trace and -v beside it: it only runs"))
	case f.until == "" && f.json:
		return usage(errors.New("--json: want --until beside it: it prints the state there"))
	case f.until == "":
		return nil
	case f.verify:
		return usage(errors.New("--verify: want no --until beside it: a run is verified to its end"))
	}
	m, err := run.ParseMoment(f.until)
	if err != nil {
		return usage(fmt.Errorf("--until %w", err))
	}
	req.Until = &m
	return nil
}

func (a *app) replay(ctx context.Context, f *replayFlags, patterns []string) error {
	var extra run.Request
	if err := f.record(&extra); err != nil {
		return err
	}
	sc, req, err := f.one(ctx, a, patterns)
	if err != nil {
		return err
	}
	req.Record, req.Until = extra.Record, extra.Until
	if f.noFork {
		return a.inPlace(ctx, sc, req)
	}
	if f.verify {
		d, err := run.Verify(ctx, sc, req, run.WorkerOptions{Watchdog: f.watchdog})
		if err != nil {
			return err
		}
		if d != nil {
			fmt.Fprintf(a.stdout, "--- seed %d: nondeterministic\n%s", req.Seed, indent(strings.Join(d.Lines(), "\n"), "    "))
			return exitCode(exitNoVerdict)
		}
	}
	w, err := run.StartWorker(ctx, sc, run.WorkerOptions{Watchdog: f.watchdog})
	if err != nil {
		return err
	}
	defer w.Close()
	out, err := w.Run(ctx, req)
	if err != nil {
		return err
	}
	if f.trace != "" {
		if err := a.writeTrace(f.trace, out); err != nil {
			return err
		}
	}
	if req.Until != nil && out.Verdict != run.Died && out.Verdict != run.NoProgress {
		return a.showState(f, out)
	}
	a.printRun(f, out)
	if text := f.compared(out.Result); text != "" {
		fmt.Fprintln(a.stdout, text)
	}
	return exitCode(exitOf(out.Verdict))
}

// showState prints the state of a run that was to end at a moment.
func (a *app) showState(f *replayFlags, out run.Output) error {
	if out.State == nil {
		return usage(fmt.Errorf("--until %s: the run ends before, at %s after %s events (%s): want an earlier moment",
			f.until, trace.Seconds(out.Virtual), count(out.Result.Events), out.Verdict))
	}
	if f.json {
		return writeState(a.stdout, out)
	}
	if f.verbose {
		a.printLog(f, out)
	}
	printState(a.stdout, out)
	return nil
}

// exitOf is the exit code that one run calls for.
func exitOf(v run.Verdict) int {
	switch v {
	case run.Pass:
		return exitPass
	case run.Violated:
		return exitViolation
	}
	return exitNoVerdict
}

// printRun prints one run.
func (a *app) printRun(f *replayFlags, out run.Output) {
	a.printLog(f, out)
	fmt.Fprintf(a.stdout, "--- seed %d: %s", out.Seed, out.Verdict)
	switch {
	case out.Violation != nil:
		fmt.Fprintf(a.stdout, ": %s: %s\n", out.Violation.Oracle, out.Violation.Message)
		printWhere(a.stdout, out.Result)
	case out.Reason != "":
		fmt.Fprintf(a.stdout, "\n%s", indent(out.Reason, "    "))
	default:
		fmt.Fprintf(a.stdout, "\n    hash %s\n", out.Hash)
	}
	if f.verify {
		fmt.Fprintln(a.stdout, "    run twice more, in fresh processes: the same, event for event")
	}
	if len(out.Faults) > 0 {
		fmt.Fprintf(a.stdout, "    %s:\n", counted(len(out.Faults), "fault", "faults"))
		printFaults(a.stdout, out.Faults)
	}
	fmt.Fprintf(a.stdout, "    %s of virtual time, %s client calls, %s system calls, %s switches, %s events\n",
		moment(out.Virtual), count(out.Ops.Invoked), count(out.Calls), count(out.Steps), count(out.Result.Events))
	for _, u := range out.Unsupported {
		fmt.Fprintf(a.stdout, "    unsupported: %s (%d), %s, by %s\n", u.Name, u.Nr, counted(u.Count, "time", "times"), u.Caller)
	}
	for _, w := range out.Warnings {
		fmt.Fprintf(a.stdout, "    warning: %s\n", w)
	}
}

// logTail is how many lines of the nodes' logs are shown of a run that did not pass.
const logTail = 10

// printLog prints what the nodes wrote: all of it if that is asked for, else its
// end.
func (a *app) printLog(f *replayFlags, out run.Output) {
	lines := out.Log
	if !f.verbose {
		if out.Verdict == run.Pass {
			return
		}
		if before := len(lines) - logTail; before > 0 {
			lines = lines[before:]
			fmt.Fprintf(a.stdout, "%s of logs before these: -v shows all\n", counted(before, "line", "lines"))
		}
	}
	for _, l := range lines {
		fmt.Fprintf(a.stdout, "%s %-6s %s\n", trace.Seconds(int64(l.At)), l.Node, l.Text)
	}
}

// traceWriters write a run's events, by the ending of a file's name.
var traceWriters = map[string]func(io.Writer, run.Output) error{
	".jsonl":   func(w io.Writer, o run.Output) error { return trace.WriteJSONL(w, o.Events, o.Symbols) },
	".txt":     func(w io.Writer, o run.Output) error { return trace.WriteText(w, o.Events) },
	".gotrace": func(w io.Writer, o run.Output) error { return trace.WriteGo(w, o.Events, o.Symbols) },
}

// writeTrace writes the file under a temporary name first.
func (a *app) writeTrace(name string, out run.Output) error {
	if out.Truncated {
		fmt.Fprintf(a.stderr, "orrery: %s ends early: there was not room for every event\n", name)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if err := traceWriters[filepath.Ext(name)](tmp, out); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
