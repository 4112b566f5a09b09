package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

type shrinkFlags struct {
	subject
	budget     int
	procs      int
	blameSeeds int
	out        string
	watchdog   time.Duration
}

func (a *app) shrinkCommand() *cobra.Command {
	var f shrinkFlags
	c := &cobra.Command{
		Use:   "shrink [package] --seed N",
		Short: "make a failing run small",
		Long: `Make a failing run small: shorter, with fewer and simpler faults, clients, calls
and nodes, links and disks that take the least time, and a schedule that is first
in, first out but where the failure needs another. The same failure must come
back: the same oracle, and a message of the same shape.

What is left is written to a file that 'orrery replay --file' runs. The default is
testdata/orrery in the package's folder, where go test replays it first.

Then it is told what happened, with what comes of the run without each part, and
whose fault it is: the system's, the harness's, the checker's, the environment's, or
unknown, by experiments that are shown.`,
		Example: "  orrery shrink ./kv --seed 17\n  orrery shrink ./kv --file testdata/orrery/TestKV-17.json --budget 5000",
		RunE: command(func(ctx context.Context, patterns []string) error {
			return a.shrinkOne(ctx, &f, patterns)
		}).run,
	}
	fs := c.Flags()
	f.addFlags(fs)
	fs.IntVar(&f.budget, "budget", 2000, "`runs` to make at most")
	fs.IntVar(&f.procs, "procs", 0, "runs at one time; 0 is one for each processor")
	fs.IntVar(&f.blameSeeds, "blame-seeds", 100, "`seeds` that each workload is run with, to tell whose fault it is")
	fs.StringVarP(&f.out, "out", "o", "", "write the reproducer to this `file`")
	fs.DurationVar(&f.watchdog, "watchdog", run.WatchdogDefault, "real time after which a run that makes no step is stopped")
	return c
}

func (a *app) shrinkOne(ctx context.Context, f *shrinkFlags, patterns []string) error {
	if f.budget < 1 || f.procs < 0 || f.blameSeeds < 0 || f.watchdog <= 0 {
		return usage(fmt.Errorf("--budget %d --procs %d --blame-seeds %d --watchdog %v: want a run at least, no negative number, and a watchdog above 0",
			f.budget, f.procs, f.blameSeeds, f.watchdog))
	}
	sc, req, err := f.one(ctx, a, patterns)
	if err != nil {
		return err
	}
	procs := cmp.Or(f.procs, runtime.NumCPU())
	pool := run.NewPool(sc, procs, run.WorkerOptions{Watchdog: f.watchdog})
	defer pool.Close()
	failed, err := pool.Run(ctx, req)
	if err != nil {
		return err
	}
	if failed.Violation == nil {
		return fmt.Errorf("seed %d: %s %s: want a run that fails", req.Seed, failed.Verdict, failed.Reason)
	}
	p := newProgress(a.stderr)
	out, err := shrink.Shrink(ctx, pool, req, failed.Result, shrink.Options{
		Budget: f.budget, Procs: procs, Params: sc.Params,
		Progress: func(now shrink.Progress) {
			p.show(func() string { return fmt.Sprintf("shrinking: %s, %s", now.Step, counted(now.Runs, "run", "runs")) })
		},
	})
	p.clear()
	if err != nil && out.Output.Violation == nil {
		return err
	}
	if out.End == shrink.Lost {
		return fmt.Errorf("seed %d: with its faults given as text the failure does not come back: replay it by its seed", req.Seed)
	}
	name := cmp.Or(f.out, filepath.Join(sc.Binary.Dir, run.CorpusDir, fileName(sc.Name)+"-"+strconv.FormatUint(req.Seed, 10)+".json"))
	if err := run.NewReproducer(sc, out.Request, out.Output.Result).Write(name); err != nil {
		return err
	}
	printSizes(a.stdout, out)
	fmt.Fprintf(a.stdout, "written to %s\n", name)
	if err != nil {
		return err
	}
	if err := a.tellStory(ctx, pool, out); err != nil {
		return err
	}
	blame, err := shrink.Whose(ctx, pool, out, shrink.BlameOptions{
		Params: sc.Params, Seeds: f.blameSeeds,
		Fresh: func(ctx context.Context, req run.Request) (run.Output, error) {
			return run.Fresh(ctx, sc, req, run.WorkerOptions{Watchdog: f.watchdog})
		},
	})
	if err != nil {
		return err
	}
	printBlame(a.stdout, blame)
	return exitCode(exitViolation)
}

// needsMost is how many parts of a small run are left out, one at a time, to tell
// what each is needed for.
const needsMost = 100

// tellStory tells the story of a small run.
func (a *app) tellStory(ctx context.Context, pool *run.Pool, small shrink.Outcome) error {
	needs, all, err := shrink.Needs(ctx, pool, small, needsMost)
	if err != nil {
		return err
	}
	req := small.Request
	req.Record = run.RecordStacks
	out, err := pool.Run(ctx, req)
	if err != nil {
		return err
	}
	lines, err := shrink.Story(out, needs)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	printStory(a.stdout, lines)
	if !all {
		fmt.Fprintf(a.stdout, "only the first %d parts were left out, to see what they are needed for\n", needsMost)
	}
	return nil
}

// fileName is a scenario's name as that of a file.
func fileName(scenario string) string {
	return regexp.MustCompile(`[^\w.-]+`).ReplaceAllString(scenario, "_")
}
