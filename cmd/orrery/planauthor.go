package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/orrery-sim/orrery/scenarios/author"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

type planAuthorFlags struct {
	dir        string
	only       []string
	onConflict string
	noStage    bool
	tags       string
}

func (a *app) planAuthorCommand() *cobra.Command {
	var f planAuthorFlags
	c := &cobra.Command{
		Use:   "author PLAN",
		Short: "write skeletons of a plan's tests",
		Long: `Write a skeleton of the test of each scenario into its target file, and nowhere else:
what the plan names is filled in where the engine has it, and a TODO where it has not.
Skeletons are compiled, run to see that they fail until they are completed, and staged;
nothing is committed. A file that does not begin with the marker of a skeleton is never
overwritten. docs/plans-author.md has more.

Exit codes: 0 if every scenario was written, or left alone; 2 if the plan asks for what
cannot be written; 3 if a skeleton does not compile, or does not fail as one.`,
		Example: "  orrery plan author kv.plan.md\n  orrery plan author kv.plan.md --scenario S1 --on-conflict new",
		Args:    cobra.ExactArgs(1),
		RunE: command(func(ctx context.Context, args []string) error {
			return a.planAuthor(ctx, &f, args[0])
		}).run,
	}
	fs := c.Flags()
	fs.StringVar(&f.dir, "dir", ".", "the `folder` of the repository of the system under test")
	fs.StringArrayVar(&f.only, "scenario", nil, "only this scenario or arm, by `id`; may be repeated")
	fs.StringVar(&f.onConflict, "on-conflict", string(author.Ask), "what to do about a file that is there: `ask`, skip, overwrite or new (beside it); ask is skip unless on a terminal")
	fs.BoolVar(&f.noStage, "no-stage", false, "do not stage new files in git")
	fs.StringVar(&f.tags, "tags", "", "build tags, a comma-separated `list`")
	return c
}

func (a *app) planAuthor(ctx context.Context, f *planAuthorFlags, name string) error {
	policy, err := author.ParseOnConflict(f.onConflict)
	if err != nil {
		return usage(fmt.Errorf("--on-conflict: %w", err))
	}
	p, err := a.readPlan(ctx, name)
	if err != nil {
		return err
	}
	config := author.Config{Plan: p, File: name, Dir: f.dir, Only: f.only, OnConflict: policy, Out: a.stderr, Tags: f.tags}
	if f.noStage {
		config.Stage = author.StageNothing
	}
	if term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd())) {
		config.In = os.Stdin
	}
	written, err := author.Write(ctx, config)
	for _, w := range written {
		a.printWritten(w)
	}
	var bad *author.UsageError
	switch {
	case errors.As(err, &bad):
		return usage(err)
	case err != nil:
		return err
	}
	a.printBindings(written)
	return exitCode(exitOfWritten(written))
}

// printWritten prints what became of one scenario.
func (a *app) printWritten(w author.Written) {
	where := w.File
	if w.Func != "" {
		where += "#" + w.Func
	}
	fmt.Fprintf(a.stdout, "%s  %s", w.Scenario, w.Action)
	for _, part := range []string{where, string(w.Check), string(w.Staged)} {
		if part != "" {
			fmt.Fprintf(a.stdout, "  %s", part)
		}
	}
	fmt.Fprintln(a.stdout)
	for _, text := range []string{w.Reason, w.Found} {
		if text != "" {
			fmt.Fprint(a.stdout, indent(text, "    "))
		}
	}
}

// printBindings says what the plan has to say for its scenarios to be run.
func (a *app) printBindings(written []author.Written) {
	for _, w := range written {
		if w.Bind != "" {
			fmt.Fprintf(a.stderr, "%s is run once the plan's target is %s\n", w.Scenario, w.Bind)
		}
	}
}

func exitOfWritten(written []author.Written) int {
	code := exitPass
	for _, w := range written {
		switch {
		case w.Action == author.Refused:
			return exitUsage
		case w.Check == author.NotCompiled || w.Check == author.FailsElsewise:
			code = exitNoVerdict
		}
	}
	return code
}
