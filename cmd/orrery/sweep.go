package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

// sweepFlags is what sweep is told.
type sweepFlags struct {
	selection
	plan         faultPlan
	seeds        string
	shard        string
	procs        int
	limit        time.Duration
	watchdog     time.Duration
	failFast     bool
	verify       string
	maxVacuous   string
	shrinkBudget int
	json         bool
	known        string
	knownGiven   []run.Known  // of the file that known names
	record       *shardRecord // of a shard that keeps findings; nil if there is none
	reportFlags
}

func (a *app) sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep [packages]",
		Short: "run scenarios with many seeds",
		Long: `Run scenarios with many seeds, over worker processes. A seed that fails is run
again in a fresh process before it is reported. For each kind of failure the
first seed is shrunk to the faults that it needs, with the line that replays it.

Failures that a package's testdata/orrery/known.json lists, each with signature,
issue and note, are told and are no reason for exit code 1.

With --out, failures are kept in a folder from sweep to sweep: each is new,
ongoing, resolved once its reproducer does not fail any more, or regressed.`,
		Example: "  orrery sweep ./kv --seeds 1-1000\n  orrery sweep ./kv --run 'TestKV$' --set bug=stale-read --fail-fast",
		RunE: command(func(ctx context.Context, patterns []string) error {
			return a.sweep(ctx, &f, patterns)
		}).run,
	}
	fs := c.Flags()
	f.addScenarioFlags(fs)
	f.addParamFlags(fs)
	f.plan.addFlags(fs)
	fs.StringVar(&f.seeds, "seeds", "", "the seeds, as `1-1000` or 1,7,10-99 (default 1-100; with --for, all from 1 on)")
	fs.StringVar(&f.shard, "shard", "", "only the `i/n`-th part of the seeds")
	fs.IntVar(&f.procs, "procs", 0, "worker processes; 0 is one for each processor")
	fs.DurationVar(&f.limit, "for", 0, "stop each scenario after this real time")
	fs.DurationVar(&f.watchdog, "watchdog", run.WatchdogDefault, "real time after which a run that makes no step is stopped")
	fs.BoolVar(&f.failFast, "fail-fast", false, "stop at the first seed that does not pass")
	fs.StringVar(&f.verify, "verify", "0%", "run this `share` of the seeds twice and compare")
	fs.StringVar(&f.maxVacuous, "max-vacuous", "20%", "`share` of vacuous seeds above which there is no verdict")
	fs.IntVar(&f.shrinkBudget, "shrink-budget", 200, "runs to spend on shrinking each kind of failure; 0 is none")
	fs.BoolVar(&f.json, "json", false, "print an object a seed, one a line, and one for the whole")
	fs.StringVar(&f.known, "known", "", "the `file` of known failures (default testdata/orrery/known.json in the package's folder, if it is there)")
	f.reportFlags.add(fs)
	return c
}

// seedsOrDefault is --seeds: a sweep with a limit of its own needs none.
func (f *sweepFlags) seedsOrDefault() string {
	switch {
	case f.seeds != "":
		return f.seeds
	case f.limit > 0:
		return fmt.Sprintf("1-%d", uint64(math.MaxUint64))
	}
	return "1-100"
}

// config reads the flags that do not depend on the scenario.
func (f *sweepFlags) config() (c run.SweepConfig, err error) {
	if f.shard != "" && f.out != "" {
		if err := checkShardFolder(f.out); err != nil {
			return c, err
		}
	}
	if c.Seeds, err = run.ParseSeeds(f.seedsOrDefault()); err != nil {
		return c, usage(fmt.Errorf("--%w", err))
	}
	if f.shard != "" {
		i, n, err := parseShard(f.shard)
		if err != nil {
			return c, usage(fmt.Errorf("--%w", err))
		}
		if c.Seeds, err = c.Seeds.Shard(i, n); err != nil {
			return c, usage(fmt.Errorf("--%w", err))
		}
	}
	if c.Verify, err = percent("--verify", f.verify); err != nil {
		return c, err
	}
	if c.MaxVacuous, err = percent("--max-vacuous", f.maxVacuous); err != nil {
		return c, err
	}
	if f.procs < 0 || f.shrinkBudget < 0 || f.limit < 0 || f.watchdog <= 0 {
		return c, usage(fmt.Errorf("--procs %d --shrink-budget %d --for %v --watchdog %v: want no negative number, and a watchdog above 0",
			f.procs, f.shrinkBudget, f.limit, f.watchdog))
	}
	c.Procs, c.For, c.Watchdog, c.FailFast = f.procs, f.limit, f.watchdog, f.failFast
	if c.Request.Params, err = f.params(); err != nil {
		return c, err
	}
	if f.known != "" {
		if f.knownGiven, err = run.ReadKnown(f.known); err != nil {
			return c, usage(fmt.Errorf("--known: %w", err))
		}
	}
	c.Request.Faults, err = f.plan.read()
	return c, err
}

// parseShard reads "2/8".
func parseShard(text string) (i, n uint64, err error) {
	var rest string
	if k, _ := fmt.Sscanf(text+" ", "%d/%d%s", &i, &n, &rest); k != 2 {
		return 0, 0, fmt.Errorf("shard %s: want I/N, as 2/8", run.ShellQuote(text))
	}
	return i, n, nil
}

func (a *app) sweep(ctx context.Context, f *sweepFlags, patterns []string) error {
	c, err := f.config()
	if err != nil {
		return err
	}
	if err := f.open(); err != nil {
		return err
	}
	found, err := f.find(ctx, a, patterns)
	if err != nil {
		return err
	}
	for _, sc := range found {
		if err := checkParams(sc, c.Request.Params); err != nil {
			return err
		}
	}
	known, err := f.readKnown(found)
	if err != nil {
		return err
	}
	if f.shard != "" && f.out != "" {
		if f.record, err = newShardRecord(f.out); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		defer f.record.drop()
	}
	worst, err := a.sweepAll(ctx, f, c, found, known)
	if f.record != nil && err == nil && ctx.Err() == nil {
		err = f.record.keep()
	}
	if err := errors.Join(err, f.close()); err != nil {
		return err
	}
	return exitCode(worst)
}

// lines is where a sweep's lines of JSON go; nil if nobody wants them.
func (f *sweepFlags) lines(stdout io.Writer) io.Writer {
	switch {
	case f.record != nil && f.json:
		return io.MultiWriter(stdout, f.record.tmp)
	case f.record != nil:
		return f.record.tmp
	case f.json:
		return stdout
	}
	return nil
}

// sweepAll sweeps the scenarios, one after the other.
func (a *app) sweepAll(ctx context.Context, f *sweepFlags, c run.SweepConfig, found []run.Scenario, known map[string][]run.Known) (int, error) {
	worst := exitPass
	for i, sc := range found {
		if len(found) > 1 && !f.json {
			fmt.Fprintf(a.stdout, "=== %s %s\n", sc.Name, sc.Binary.Pattern())
		}
		c.Scenario, c.Known = sc, run.KnownOf(known[sc.Binary.Dir], sc.Name)
		code, err := a.sweepOne(ctx, f, c)
		if err != nil {
			return exitNoVerdict, err
		}
		worst = worse(worst, code)
		if ctx.Err() != nil && i < len(found)-1 {
			return worse(worst, exitNoVerdict), nil // the rest was not swept
		}
		if f.failFast && worst != exitPass {
			break
		}
	}
	return worst, nil
}

// readKnown reads the known failures of the packages, by their folders.
func (f *sweepFlags) readKnown(found []run.Scenario) (map[string][]run.Known, error) {
	known := map[string][]run.Known{}
	for _, sc := range found {
		dir := sc.Binary.Dir
		if f.known != "" {
			known[dir] = f.knownGiven
			continue
		}
		list, err := run.KnownBeside(dir)
		if err != nil {
			return nil, usage(err)
		}
		known[dir] = list
	}
	return known, nil
}

// worse returns the exit code that counts of two: no verdict, then a violation.
func worse(a, b int) int { return max(a, b) }

// sweepOne sweeps one scenario and prints what came of it.
func (a *app) sweepOne(ctx context.Context, f *sweepFlags, c run.SweepConfig) (int, error) {
	// What was found before an error is told all the same.
	s, sweepErr := a.watch(ctx, f, c)
	wall := s.Wall
	var failures []failure
	for _, b := range s.Buckets {
		explained := a.explain(ctx, f, c, b)
		failures = append(failures, explained)
		if !f.json {
			explained.print(a.stdout)
		}
	}
	if sweepErr != nil {
		return exitNoVerdict, sweepErr
	}
	if !f.timing {
		s.Wall = 0
	}
	r := &report{scenario: c.Scenario, settings: f.settings(c), summary: s, failures: failures}
	if err := a.track(ctx, &f.reportFlags, c, r); err != nil {
		return exitNoVerdict, err
	}
	if err := a.tellCI(&f.reportFlags, r); err != nil {
		return exitNoVerdict, err
	}
	if lines := f.lines(a.stdout); lines != nil {
		if err := encode(lines, r.line()); err != nil {
			return exitNoVerdict, err
		}
	}
	if f.json {
		return r.exit(), nil
	}
	printTroubles(a.stdout, c.Scenario, c.Request, s)
	r.summary.Wall = wall
	r.print(a.stdout)
	return r.exit(), nil
}

// watch makes the runs of a sweep, with its progress shown. If a seed's line of
// JSON cannot be written, the sweep ends.
func (a *app) watch(ctx context.Context, f *sweepFlags, c run.SweepConfig) (run.Summary, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p := newProgress(a.stderr)
	defer p.clear()
	start := time.Now()
	var seeds, failed uint64
	var virtual int64
	var broken error
	lines := f.lines(a.stdout)
	s, err := run.Sweep(ctx, c, func(it run.Item) {
		seeds, virtual = seeds+1, virtual+it.Output.Virtual
		if it.Output.Verdict != run.Pass && it.Output.Verdict != run.Vacuous {
			failed++
		}
		if lines != nil && broken == nil {
			p.clear()
			if broken = writeSeedJSON(lines, c.Scenario, it); broken != nil {
				stop(broken)
			}
		}
		p.show(func() string {
			return fmt.Sprintf("%s seeds of %s, %.1f a second, %s of virtual time, %s failed", count(seeds), f.seedsOrDefault(),
				float64(seeds)/time.Since(start).Seconds(), span(time.Duration(virtual)), count(failed))
		})
	})
	if broken != nil {
		return s, fmt.Errorf("--json: %w", broken)
	}
	return s, err
}

// troubleLines is how much a sweep shows of a run without a verdict: a process
// that died may have left thousands of lines.
const troubleLines = 25

// printTroubles prints the runs that have no verdict.
func printTroubles(w io.Writer, sc run.Scenario, req run.Request, s run.Summary) {
	for _, it := range s.Troubles {
		fmt.Fprintf(w, "--- seed %d: %s\n", it.Seed, it.Output.Verdict)
		reason := it.Output.Reason
		if it.Difference != nil {
			reason = strings.Join(it.Difference.Lines(), "\n")
		}
		fmt.Fprint(w, indent(firstLines(reason, troubleLines), "    "))
		req.Seed = it.Seed
		fmt.Fprintf(w, "    To re-run: %s\n\n", sc.ReplayLine(req))
	}
}
