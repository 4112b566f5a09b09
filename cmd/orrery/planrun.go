package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/capability"
	"github.com/orrery-sim/orrery/scenarios/session"
	"github.com/orrery-sim/orrery/scenarios/toolbox"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

type planRunFlags struct {
	backend    string
	tier       string
	root       string
	dir        string
	only       []string
	have, skip []string
	install    string
	operator   string
	resume     string
	tags       string
	procs      int
	budget     int
	blameSeeds int
	json       bool
}

func (a *app) planRunCommand() *cobra.Command {
	var f planRunFlags
	c := &cobra.Command{
		Use:   "run PLAN",
		Short: "execute a plan, scenario by scenario, and give verdicts",
		Long: `Execute a plan, scenario by scenario, in its order: check what it needs, put load and
faults on the system, collect, let the oracles judge, audit, and give a verdict. What
happens is written as it happens to {root}/{plan}/{time}: a session that was killed
goes on with --resume, and runs nothing twice.

Exit codes: 0 only if every scenario passed with every audit item answered; 1 for a
failure; 3 for what is inconclusive, partial or blocked.`,
		Example: "  orrery plan run kv.plan.md --tier smoke\n  orrery plan run kv.plan.md --resume latest",
		Args:    cobra.ExactArgs(1),
		RunE: command(func(ctx context.Context, args []string) error {
			return a.planRun(ctx, &f, args[0])
		}).run,
	}
	fs := c.Flags()
	fs.StringVar(&f.backend, "backend", string(verdict.Sim), "where scenarios run: `sim`, or real")
	fs.StringVar(&f.tier, "tier", string(verdict.Hardening), "the budget `tier` to meet: smoke, hardening or release")
	fs.StringVar(&f.root, "root", "sessions", "the `folder` of sessions")
	fs.StringVar(&f.dir, "dir", ".", "the `folder` of the repository of the system under test")
	fs.StringArrayVar(&f.only, "scenario", nil, "only this scenario or arm, by `id`; may be repeated")
	fs.StringSliceVar(&f.have, "have", nil, "take these needs as met, a comma-separated `list`")
	fs.StringSliceVar(&f.skip, "skip", nil, "take these needs as missing, a comma-separated `list`")
	fs.StringVar(&f.install, "install", "", "install what is missing: `ask`, yes or no; the default is ask on a terminal, and no elsewhere")
	fs.StringVar(&f.operator, "operator", "", "`who` runs the plan; the default is the user's name")
	fs.StringVar(&f.resume, "resume", "", "go on with the session in this `folder`, or latest")
	fs.StringVar(&f.tags, "tags", "", "build tags, a comma-separated `list`")
	fs.IntVar(&f.procs, "procs", 0, "runs at one time; 0 is one for each processor")
	fs.IntVar(&f.budget, "shrink-budget", 2000, "`runs` that making a failure small may take")
	fs.IntVar(&f.blameSeeds, "blame-seeds", 100, "`seeds` that each workload is run with, to tell whose fault a failure is")
	fs.BoolVar(&f.json, "json", false, "print the session's report in JSON")
	return c
}

func (a *app) planRun(ctx context.Context, f *planRunFlags, name string) error {
	if f.procs < 0 || f.budget < 1 || f.blameSeeds < 0 {
		return usage(fmt.Errorf("--procs %d --shrink-budget %d --blame-seeds %d: want no negative number, and a run at least", f.procs, f.budget, f.blameSeeds))
	}
	if f.backend != string(verdict.Sim) {
		return usage(a.otherBackend(f.backend))
	}
	p, err := a.readPlan(ctx, name)
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr)
	defer progress.clear()
	show := func(line string) { progress.show(func() string { return line }) }
	terminal := capability.TerminalOf(os.Stdin, os.Stderr)
	policy, err := capability.ParsePolicy(f.install, terminal)
	if err != nil {
		return usage(fmt.Errorf("--install: %w", err))
	}
	folder, state, err := session.Run(ctx, session.Config{
		Plan: p, File: name, Root: f.root, Dir: f.dir, Tier: verdict.Tier(f.tier), Only: f.only,
		Backend:  &session.Simulation{Dir: f.dir, Tags: f.tags, Procs: f.procs, Budget: f.budget, Seeds: f.blameSeeds, Progress: show},
		Operator: cmp.Or(f.operator, userName()), Commit: commitOf(ctx, f.dir),
		Prober:   session.Prober{Said: capability.Answers{Have: f.have, Skip: f.skip}, Policy: policy, Terminal: terminal, Env: capability.Machine(f.dir)},
		Discover: discover(f.dir), Resume: f.resume, Say: &clearing{progress, a.stderr}, Show: show,
	})
	progress.clear()
	var bad *session.UsageError
	switch {
	case errors.As(err, &bad):
		return usage(err)
	case err != nil && folder != "":
		fmt.Fprintf(a.stderr, "what is known is kept: orrery plan run %s --resume %s\n", run.ShellQuote(name), run.ShellQuote(folder))
		return err
	case err != nil:
		return err
	}
	return a.tellSession(f, folder, state)
}

// otherBackend says of a backend why it cannot be had.
func (a *app) otherBackend(name string) error {
	if name == string(verdict.Real) || name == string(verdict.Attach) {
		return fmt.Errorf("--backend %s: plans run in simulation only so far: want --backend %s", name, verdict.Sim)
	}
	return fmt.Errorf("--backend %s: want %s", name, verdict.Sim)
}

// tellSession prints what the session came to.
func (a *app) tellSession(f *planRunFlags, folder string, state *session.State) error {
	if f.json {
		text, err := os.ReadFile(filepath.Join(folder, "report.json"))
		if err != nil {
			return err
		}
		if _, err := a.stdout.Write(text); err != nil {
			return err
		}
		return exitCode(state.Exit.Status)
	}
	state.Print(a.stdout)
	return exitCode(state.Exit.Status)
}

// clearing writes past the line of progress.
type clearing struct {
	p *progress
	w interface{ Write([]byte) (int, error) }
}

func (c *clearing) Write(b []byte) (int, error) {
	c.p.clear()
	return c.w.Write(b)
}

// discover looks for what a repository has already.
func discover(dir string) func(context.Context) (*session.Toolbox, error) {
	return func(context.Context) (*session.Toolbox, error) {
		found, err := toolbox.DiscoverDir(dir, toolbox.Limits{})
		if err != nil {
			return nil, err
		}
		return &session.Toolbox{Tools: found.Tools, Omitted: found.Omitted}, nil
	}
}

func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// commitOf is the commit of a folder's repository, with a mark if files differ from it;
// "" if it is of none.
func commitOf(ctx context.Context, dir string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", dir, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
