package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

type compareFlags struct {
	subject
	base, fix  string
	seeds      string
	foundAt    uint64
	procs      int
	maxVacuous string
	json       bool
	markdown   string
	watchdog   time.Duration
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare [package] --base REF --fix REF",
		Short: "see whether a fix holds: one failure on two revisions",
		Long: `Run the same failure, and then many seeds, on two revisions of a git repository,
to see whether the second is a fix. Each revision is checked out into a temporary
folder of its own; what is not committed takes no part.

A fix is confirmed if the failure comes on base, and on fix every fault lands that
landed on base and nothing fails, and a sweep of ten times the seeds that it took
to find the failure on base passes. That a seed passes proves nothing by itself:
a change may only have moved the failure to other seeds.`,
		Example: "  orrery compare ./kv --base main --fix fix-reads --file testdata/orrery/TestKV-17.json\n  orrery compare ./kv --base HEAD~1 --fix HEAD --seed 17 --run '^TestKV$' --markdown result.md",
		RunE: command(func(ctx context.Context, patterns []string) error {
			return a.compare(ctx, &f, patterns)
		}).run,
	}
	fs := c.Flags()
	fs.StringVar(&f.base, "base", "", "the `revision` that has the failure")
	fs.StringVar(&f.fix, "fix", "", "the `revision` that should not have it")
	f.addFlags(fs)
	fs.Uint64Var(&f.foundAt, "found-at", 0, "how many `seeds` it took to find the failure; 0 is to find out, by a sweep of base from seed 1 on")
	fs.StringVar(&f.seeds, "seeds", "", "the seeds of the sweep, as `1-1000` or 1,7,10-99 (default ten times those that it took to find the failure)")
	fs.IntVar(&f.procs, "procs", 0, "worker processes; 0 is one for each processor")
	fs.StringVar(&f.maxVacuous, "max-vacuous", "20%", "`share` of vacuous seeds above which there is no verdict")
	fs.BoolVar(&f.json, "json", false, "print the result as a line of JSON")
	fs.StringVar(&f.markdown, "markdown", "", "write the result to a `file`, as a table for a pull request")
	fs.DurationVar(&f.watchdog, "watchdog", run.WatchdogDefault, "real time after which a run that makes no step is stopped")
	return c
}

// read reads the flags that do not depend on a revision.
func (f *compareFlags) read() (c comparison, err error) {
	if f.procs < 0 || f.watchdog <= 0 {
		return c, usage(fmt.Errorf("--procs %d --watchdog %v: want no negative number, and a watchdog above 0", f.procs, f.watchdog))
	}
	if f.seeds != "" && f.foundAt > 0 {
		return c, usage(errors.New("--seeds: want no --found-at beside it: that says how many seeds there are"))
	}
	if f.seeds != "" {
		seeds, err := run.ParseSeeds(f.seeds)
		if err != nil {
			return c, usage(fmt.Errorf("--%w", err))
		}
		c.seeds = &seeds
	}
	vacuous, err := percent("--max-vacuous", f.maxVacuous)
	if err != nil {
		return c, err
	}
	if c.request, err = f.request(); err != nil {
		return c, err
	}
	c.file, c.expect, c.foundAt = f.file, f.reproducer, f.foundAt
	c.config = run.SweepConfig{Procs: f.procs, Watchdog: f.watchdog, MaxVacuous: vacuous, Request: run.Request{Params: c.request.Params}}
	if f.reproducer == nil {
		c.config.Request.Faults = c.request.Faults
	}
	return c, nil
}

func (a *app) compare(ctx context.Context, f *compareFlags, patterns []string) (err error) {
	if len(patterns) > 1 {
		return usage(fmt.Errorf("%d packages: want one, that of the scenario", len(patterns)))
	}
	c, err := f.read()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "orrery-compare-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if temp, err = filepath.EvalSymlinks(temp); err != nil {
		return err
	}
	trees, err := a.checkout(ctx, f, patterns, temp)
	defer func() {
		for _, w := range trees {
			err = errors.Join(err, w.remove())
		}
	}()
	if err != nil {
		return err
	}
	if err := a.build(ctx, f, &c, trees, patterns); err != nil {
		return err
	}
	if err := c.run(ctx, newProgress(a.stderr)); err != nil {
		return err
	}
	return a.tellComparison(f, &c)
}

// checkout checks both revisions out. The worktrees are to be removed, after an
// error too.
func (a *app) checkout(ctx context.Context, f *compareFlags, patterns []string, temp string) (trees []*worktree, err error) {
	repo, err := repositoryOf(ctx)
	if err != nil {
		return nil, err
	}
	pattern := "."
	for i, p := range patterns {
		if patterns[i], err = repo.pattern(p); err != nil {
			return nil, err
		}
		pattern = patterns[i]
	}
	for _, r := range []struct{ flag, ref string }{{"base", f.base}, {"fix", f.fix}} {
		rev, err := repo.revision(ctx, r.flag, r.ref)
		if err != nil {
			return trees, err
		}
		w, err := repo.checkout(ctx, rev, temp)
		trees = append(trees, w)
		if err != nil {
			return trees, err
		}
		missing, err := w.checkoutSubmodules(ctx)
		if err != nil {
			return trees, err
		}
		for _, path := range missing {
			fmt.Fprintf(a.stderr, "%s: submodule %s is not checked out in %s at this revision's commit: what needs it does not build: 'git submodule update --init %s' there\n",
				rev, path, repo.top, run.ShellQuote(path))
		}
		if err := w.check(ctx, pattern); err != nil {
			return trees, err
		}
	}
	return trees, nil
}

// build builds the package of both revisions and finds the scenario in them.
func (a *app) build(ctx context.Context, f *compareFlags, c *comparison, trees []*worktree, patterns []string) error {
	for i, s := range []*side{&c.base, &c.fix} {
		f.dir = trees[i].folder()
		sc, err := f.scenario(ctx, a, patterns, c.request)
		if err != nil {
			return fmt.Errorf("%s: %w", trees[i].rev, err)
		}
		f.run = run.MatchExactly(sc.Name) // what fix has to have too
		*s = side{revision: trees[i].rev, scenario: sc, local: trees[i].local(sc)}
	}
	return nil
}

// tellComparison prints the result, writes it to the file, and ends with its exit code.
func (a *app) tellComparison(f *compareFlags, c *comparison) error {
	verdict := c.judge()
	if f.markdown != "" {
		if err := run.WriteFile(f.markdown, []byte(c.markdown(verdict))); err != nil {
			return err
		}
	}
	if f.json {
		if err := c.writeJSON(a.stdout, verdict); err != nil {
			return err
		}
	} else {
		c.print(a.stdout, verdict)
	}
	return exitCode(verdict.exit())
}
