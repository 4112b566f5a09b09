package main

import (
	"cmp"
	"context"
	"encoding/json"
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
	json       bool
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

An interrupted shrinking goes on where it was when the same command is given again:
what is known is kept in the cache.

Then it is told what happened, with what comes of the run without each part, and
whose fault it is: the system's, the harness's, the checker's, the environment's, or
unknown, by experiments that are shown, and kept in the file.`,
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
	fs.BoolVar(&f.json, "json", false, "print what came of it as a line of JSON")
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
	small, err := a.shrunk(ctx, f, sc, req, failed.Result, pool, procs)
	if err != nil && small.Output.Violation == nil {
		return err
	}
	name := cmp.Or(f.out, filepath.Join(sc.Binary.Dir, run.CorpusDir, fileName(sc.Name)+"-"+strconv.FormatUint(req.Seed, 10)+".json"))
	file := run.NewReproducer(sc, small.Request, small.Output.Result)
	if err := file.Write(name); err != nil {
		return err
	}
	if !f.json {
		printSizes(a.stdout, small)
		fmt.Fprintf(a.stdout, "written to %s\n", name)
	}
	if err != nil {
		return err
	}
	story, err := shrink.Tell(ctx, pool, small)
	if err != nil {
		return err
	}
	if !f.json {
		story.Print(a.stdout)
	}
	blame, err := shrink.Whose(ctx, pool, small, shrink.BlameOptions{
		Params: sc.Params, Seeds: f.blameSeeds,
		Fresh: func(ctx context.Context, req run.Request) (run.Output, error) {
			return run.Fresh(ctx, sc, req, run.WorkerOptions{Watchdog: f.watchdog})
		},
	})
	if err != nil {
		return err
	}
	file.Blame = &blame
	if err := file.Write(name); err != nil {
		return err
	}
	if f.json {
		err = json.NewEncoder(a.stdout).Encode(shrunkJSON{shrunkSchema, name, file, small.End, small.Runs, small.Before, small.After, story.Lines, story.Needs})
	} else {
		shrink.PrintBlame(a.stdout, blame)
	}
	if err != nil {
		return err
	}
	return exitCode(exitViolation)
}

// shrunk makes a failure small, and keeps what is known if it is interrupted.
func (a *app) shrunk(ctx context.Context, f *shrinkFlags, sc run.Scenario, req run.Request, failed run.Result, pool *run.Pool, procs int) (shrink.Outcome, error) {
	p := newProgress(a.stderr)
	defer p.clear()
	return shrink.Smaller(ctx, sc, pool, req, failed, shrink.Options{
		Budget: f.budget, Procs: procs, Now: time.Now,
		Progress: func(now shrink.Progress) {
			p.show(func() string { return fmt.Sprintf("shrinking: %s, %s", now.Step, counted(now.Runs, "run", "runs")) })
		},
	}, func(known int) {
		fmt.Fprintf(a.stderr, "going on with what is known of %s\n", counted(known, "candidate", "candidates"))
	})
}

// shrunkSchema names the form of what shrink --json prints.
const shrunkSchema = "orrery.shrunk/1"

// shrunkJSON is what came of shrinking.
type shrunkJSON struct {
	Schema     string         `json:"schema"`
	File       string         `json:"file"` // that the reproducer is written to
	Reproducer run.Reproducer `json:"reproducer"`
	End        shrink.End     `json:"end"`
	Runs       int            `json:"runs"`
	Before     shrink.Size    `json:"before"`
	After      shrink.Size    `json:"after"`
	Story      []shrink.Line  `json:"story"`
	Needs      []shrink.Need  `json:"needs"`
}

// fileName is a scenario's name as that of a file.
func fileName(scenario string) string {
	return regexp.MustCompile(`[^\w.-]+`).ReplaceAllString(scenario, "_")
}
