package main

import (
	"regexp"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/cobra"
)

// completions has the shell complete what a command's flags and arguments stand
// for, where finding that out needs no build.
func completions(c *cobra.Command) {
	for _, sub := range c.Commands() {
		completions(sub)
	}
	if c.Flags().Lookup("run") != nil {
		must(c.RegisterFlagCompletionFunc("run", completeScenarios))
		c.ValidArgsFunction = completeFolders
	}
	for flag, endings := range map[string][]string{"trace": {"jsonl", "txt", "gotrace"}, "faults": nil, "junit": {"xml"}, "known": {"json"}} {
		if c.Flags().Lookup(flag) != nil {
			must(c.MarkFlagFilename(flag, endings...))
		}
	}
	for _, flag := range []string{"set", "seed", "seeds", "fault", "until", "tags", "watchdog"} {
		if c.Flags().Lookup(flag) != nil {
			must(c.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions))
		}
	}
}

// must is for what is wrong with our own table of flags.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// completeFolders completes packages, which are folders below this one.
func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeScenarios completes --run with the tests of the named packages that are
// scenarios.
func completeScenarios(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	names, err := run.ScenarioNames(c.Context(), args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, name := range names {
		if exact := "^" + regexp.QuoteMeta(name) + "$"; strings.HasPrefix(exact, typed) || strings.HasPrefix(name, typed) {
			out = append(out, exact)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
