package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

// problemSchema names the form of what plan check --json prints.
const problemSchema = "orrery.problem/1"

// problemLine is a problem of a plan as a line of JSON.
type problemLine struct {
	Schema   string      `json:"schema"`
	File     string      `json:"file"`
	Line     int         `json:"line"` // 0 if it is of none
	Weight   plan.Weight `json:"weight"`
	About    string      `json:"about"`
	Found    string      `json:"found"`
	Expected string      `json:"expected"`
	Do       string      `json:"do"`
}

func (a *app) planCheckCommand() *cobra.Command {
	var asJSON bool
	var from, out string
	c := &cobra.Command{
		Use:   "check PLAN",
		Short: "say everything that is wrong with a plan",
		Long: `Say everything that is wrong with a plan, in the order of its lines: the place, what
was found, what was expected, and what to do. The exit code is 2 if it cannot be run.

With --from, scenarios are taken out of free text: each bullet or numbered line that
names a workload, a fault or a property is one. What was not understood is listed.`,
		Example: "  orrery plan check kv.plan.md\n  orrery plan check --from notes.txt --out kv.plan.md",
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 1) == (from != "") {
				return errors.New("want one plan, or --from with notes")
			}
			return nil
		},
		RunE: command(func(_ context.Context, args []string) error {
			if from != "" {
				return a.extractPlan(from, out)
			}
			return a.checkPlan(args[0], asJSON)
		}).run,
	}
	fs := c.Flags()
	fs.BoolVar(&asJSON, "json", false, "print an object a problem, one a line")
	fs.StringVar(&from, "from", "", "take scenarios out of this `file` of notes")
	fs.StringVarP(&out, "out", "o", "", "write the plan that --from makes to this `file`")
	return c
}

func (a *app) checkPlan(name string, asJSON bool) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return usage(err)
	}
	p, problems := plan.Load(name, text)
	enc := json.NewEncoder(a.stdout)
	for _, it := range problems {
		if asJSON {
			err = enc.Encode(problemLine{problemSchema, it.File, it.Line, it.Weight, it.About, it.Found, it.Want, it.Do})
		} else {
			_, err = fmt.Fprintln(a.stdout, it)
		}
		if err != nil {
			return err
		}
	}
	if problems.Err() != nil {
		return exitCode(exitUsage)
	}
	if !asJSON {
		fmt.Fprintf(a.stdout, "%s: %s, %s: it can be run\n", name, counted(len(p.Scenarios), "scenario", "scenarios"), counted(len(problems), "warning", "warnings"))
	}
	return nil
}

// extractPlan makes a plan of notes, says what was not understood, and what a designer
// has to fill in.
func (a *app) extractPlan(from, out string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return usage(err)
	}
	e := plan.Extract(from, string(text))
	a.printExtracted(from, e)
	if out == "" {
		return nil
	}
	form, err := formOf(out)
	if err != nil {
		return err
	}
	written, err := e.Plan.Markdown()
	if form == plan.FormYAML {
		written, err = e.Plan.YAML()
	}
	if err != nil {
		return usage(err)
	}
	if err := run.WriteFile(out, written); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "written to %s: 'orrery plan check %s' lists what is missing\n", out, run.ShellQuote(out))
	return nil
}

// printExtracted prints the scenarios that notes gave, and the lines that gave none.
func (a *app) printExtracted(from string, e plan.Extracted) {
	for _, r := range e.Found {
		fmt.Fprintf(a.stdout, "%s:%d: %s: %s\n", from, r.Line, r.Scenario, r.Text)
		for _, part := range []struct{ what, names string }{
			{"workload", strings.Join(r.Workload, ", ")}, {"faults", cmp.Or(strings.Join(r.Faults, ", "), r.Faultless)}, {"properties", joinWords(r.Categories)},
		} {
			fmt.Fprintf(a.stdout, "    %-10s  %s\n", part.what, cmp.Or(part.names, "none is named"))
		}
	}
	for _, u := range e.Unread {
		fmt.Fprintf(a.stdout, "%s:%d: not understood: %s: %s\n", from, u.Line, u.Text, u.Why)
	}
	fmt.Fprintf(a.stdout, "%s, %s not understood\n", counted(len(e.Plan.Scenarios), "scenario", "scenarios"), counted(len(e.Unread), "line", "lines"))
}

func joinWords(list []plan.Category) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}

// formOf is the form of a plan that is to be written to a file, which must not be there.
func formOf(file string) (plan.Form, error) {
	if _, err := os.Lstat(file); err == nil {
		return "", usage(fmt.Errorf("%s is there already: give another name, or remove it", file))
	}
	switch filepath.Ext(file) {
	case ".md":
		return plan.FormMarkdown, nil
	case ".yaml", ".yml":
		return plan.FormYAML, nil
	}
	return "", usage(fmt.Errorf("%s: want a name that ends in .md or .yaml", file))
}
