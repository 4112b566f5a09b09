package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

func (a *app) planNewCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "new FILE",
		Short: "write a plan to start from",
		Long: `Write a plan to start from, in Markdown or, if the file's name ends in .yaml, in YAML.
Each field says what belongs there; 'orrery plan check' lists those to fill in.`,
		Example: "  orrery plan new kv.plan.md --name 'kv under crashes'",
		Args:    cobra.ExactArgs(1),
		RunE: command(func(_ context.Context, args []string) error {
			return a.newPlan(args[0], name)
		}).run,
	}
	c.Flags().StringVar(&name, "name", "", "the plan's `name`; the default is the file's")
	return c
}

func (a *app) newPlan(file, name string) error {
	form, err := formOf(file)
	if err != nil {
		return err
	}
	if name == "" {
		name = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), ".plan")
	}
	text, err := plan.Start(name, form)
	if err != nil {
		return usage(err)
	}
	if err := run.WriteFile(file, text); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "written to %s: 'orrery plan check %s' lists what to fill in\n", file, run.ShellQuote(file))
	return nil
}
