package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/pflag"
)

// selection is which scenarios a command is about, and with which parameters.
type selection struct {
	run   string
	tags  string
	race  bool
	short bool
	set   []string

	dir string // where packages are resolved; "" is the current folder
}

func (s *selection) addScenarioFlags(f *pflag.FlagSet) {
	f.StringVar(&s.run, "run", "", "only scenarios whose name matches this `regexp`")
	f.StringVar(&s.tags, "tags", "", "build tags, a comma-separated `list`")
	f.BoolVar(&s.race, "race", false, "build with Go's race detector: a data race is a violation")
	f.BoolVar(&s.short, "short", false, "run with testing.Short() true, as go test -short does")
}

func (s *selection) addParamFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&s.set, "set", nil, "give a parameter of the scenario a value, as `name=value`; may be repeated")
}

// find builds the packages and returns the scenarios in them that are meant, at
// least one.
func (s *selection) find(ctx context.Context, a *app, patterns []string) ([]run.Scenario, error) {
	re, err := regexp.Compile(s.run)
	if err != nil {
		return nil, usage(fmt.Errorf("--run: %w", err))
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	binaries, err := run.Build(ctx, patterns, run.Options{Dir: s.dir, Tags: s.buildTags(a), Race: s.race, Short: s.short})
	var notFound *run.PackageError
	if errors.As(err, &notFound) {
		return nil, usage(err)
	}
	if err != nil {
		return nil, err
	}
	var found []run.Scenario
	for _, b := range binaries {
		list, err := b.Scenarios(ctx, re)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	if len(found) == 0 {
		return nil, usage(s.nothing(patterns, len(binaries)))
	}
	return found, nil
}

// buildTags is --tags or, as for the go command, what GOFLAGS says.
func (s *selection) buildTags(a *app) string {
	if s.tags != "" {
		return s.tags
	}
	return tagsOf(strings.Fields(a.getenv("GOFLAGS")))
}

func (s *selection) nothing(patterns []string, binaries int) error {
	where := strings.Join(patterns, " ")
	switch {
	case binaries == 0:
		return fmt.Errorf("%s: no package with tests that import %s/sim: name one that has a scenario", where, module)
	case s.run != "":
		return fmt.Errorf("%s: no scenario matches --run %s: 'orrery list %s' shows those that there are", where, run.ShellQuote(s.run), where)
	}
	return fmt.Errorf("%s: no test calls sim.Test: write one, or name another package", where)
}

// params reads the --set flags.
func (s *selection) params() (map[string]string, error) {
	params := make(map[string]string, len(s.set))
	for _, text := range s.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, usage(fmt.Errorf("--set %s: want name=value", run.ShellQuote(text)))
		}
		if old, twice := params[name]; twice {
			return nil, usage(fmt.Errorf("--set %s: %s is set to %q before: set it once", run.ShellQuote(text), name, old))
		}
		params[name] = value
	}
	return params, nil
}

// checkParams reports the parameters that a scenario does not have, and the
// values that it does not allow.
func checkParams(sc run.Scenario, params map[string]string) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(params)) {
		allowed, ok := sc.Params[name]
		switch {
		case !ok && len(sc.Params) == 0:
			errs = append(errs, fmt.Errorf("--set %s: scenario %s has no parameters: leave it out", name, sc.Name))
		case !ok:
			have := strings.Join(slices.Sorted(maps.Keys(sc.Params)), ", ")
			errs = append(errs, fmt.Errorf("--set %s: scenario %s has no such parameter: want one of %s", name, sc.Name, have))
		case len(allowed) > 0 && !slices.Contains(allowed, params[name]):
			errs = append(errs, fmt.Errorf("--set %s=%s: scenario %s does not allow %q: want one of %s",
				name, run.ShellQuote(params[name]), sc.Name, params[name], quotedList(allowed)))
		}
	}
	if len(errs) > 0 {
		return usage(errors.Join(errs...))
	}
	return nil
}

func quotedList(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return strings.Join(quoted, ", ")
}
