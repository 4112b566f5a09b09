package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

func (a *app) listCommand() *cobra.Command {
	var sel selection
	asJSON := false
	c := &cobra.Command{
		Use:   "list [packages]",
		Short: "list the scenarios in packages, and their parameters",
		Long: `List the scenarios in packages. A parameter is shown with the values that it
allows; the first is its default.`,
		Example: "  orrery list ./...\n  orrery list --json --run 'KV$' ./kv",
		RunE: command(func(ctx context.Context, patterns []string) error {
			found, err := sel.find(ctx, a, patterns)
			if err != nil {
				return err
			}
			if asJSON {
				return listJSON(a.stdout, found)
			}
			return listText(a.stdout, found)
		}).run,
	}
	sel.addScenarioFlags(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print an object a scenario, one a line")
	return c
}

type listLine struct {
	Schema   string              `json:"schema"`
	Package  string              `json:"package"`
	Scenario string              `json:"scenario"`
	Params   map[string][]string `json:"params"`
}

func listJSON(w io.Writer, found []run.Scenario) error {
	for _, sc := range found {
		line := listLine{"orrery.list/1", sc.Binary.Package, sc.Name, sc.Params}
		if line.Params == nil {
			line.Params = map[string][]string{}
		}
		if err := encode(w, line); err != nil {
			return err
		}
	}
	return nil
}

func listText(w io.Writer, found []run.Scenario) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, sc := range found {
		var params []string
		for _, name := range slices.Sorted(maps.Keys(sc.Params)) {
			params = append(params, name+"="+strings.Join(sc.Params[name], "|"))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", sc.Name, sc.Binary.Pattern(), strings.Join(params, " "))
	}
	return t.Flush()
}
