package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/spf13/cobra"
)

func (a *app) planCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plan",
		Short: "write, check and execute test plans",
		Long: `Write, check and execute test plans: what a system claims, how that could turn out
false, and the scenarios that would show it, each with faults, an oracle and a budget.
docs/plans.md has the format.`,
		Args: unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			c.SetOut(a.stderr)
			if err := c.Help(); err != nil {
				return err
			}
			return exitCode(exitUsage)
		},
	}
	c.AddCommand(a.planNewCommand(), a.planCheckCommand(), a.planRunCommand(), a.planAuthorCommand())
	return c
}

// readPlan reads a plan that has to be without an error. What is only a warning is said.
func (a *app) readPlan(ctx context.Context, name string) (*plan.Plan, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, usage(err)
	}
	p, problems := plan.Load(name, text)
	if err := problems.Err(); err != nil {
		handed := 0
		for _, it := range problems {
			if it.Weight == plan.HandBack {
				handed++
			}
		}
		note := "nothing was run"
		if handed > 0 {
			note = fmt.Sprintf("nothing was run: %s for the plan's designer", counted(handed, "question", "questions"))
		}
		return nil, usage(errors.Join(err, errors.New(note)))
	}
	for _, it := range problems {
		fmt.Fprintln(a.stderr, it)
	}
	return p, nil
}
