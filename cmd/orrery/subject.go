package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/spf13/pflag"
)

// subject is the flags that say which run is meant: by a seed, or by a file.
type subject struct {
	selection
	plan faultPlan
	seed string
	file string

	reproducer *run.Reproducer // that was read from the file
}

func (s *subject) addFlags(fs *pflag.FlagSet) {
	s.addScenarioFlags(fs)
	s.addParamFlags(fs)
	s.plan.addFlags(fs)
	fs.StringVar(&s.seed, "seed", "", "the `seed`")
	fs.StringVar(&s.file, "file", "", "the run of a reproducer `file`, in place of a seed")
}

// request reads the flags that do not depend on the scenario.
func (s *subject) request() (req run.Request, err error) {
	if s.file != "" {
		return s.read()
	}
	seeds, err := run.ParseSeeds(s.seed)
	if s.seed == "" || err != nil || seeds.Len() != 1 {
		return req, usage(fmt.Errorf("--seed %s: want one seed, a number, or --file", run.ShellQuote(s.seed)))
	}
	req.Seed = seeds.At(0)
	if req.Params, err = s.params(); err != nil {
		return req, err
	}
	req.Faults, err = s.plan.read()
	return req, err
}

// read takes the run from the file.
func (s *subject) read() (req run.Request, err error) {
	if s.seed != "" || len(s.set) > 0 || s.run != "" || s.plan.file != "" || len(s.plan.lines) > 0 {
		return req, usage(errors.New("--file: want no --seed, --run, --set, --faults and --fault beside it: the file has them"))
	}
	r, err := run.ReadReproducer(s.file)
	if err != nil {
		return req, usage(err)
	}
	s.reproducer = &r
	s.run, s.tags, s.race, s.short = run.MatchExactly(r.Scenario), r.Tags, r.Race, r.Identity.Short
	return r.Request(), nil
}

// one finds the one scenario that is meant, and its run.
func (s *subject) one(ctx context.Context, a *app, patterns []string) (sc run.Scenario, req run.Request, err error) {
	if req, err = s.request(); err != nil {
		return sc, req, err
	}
	if sc, err = s.scenario(ctx, a, patterns, req); err != nil {
		return sc, req, err
	}
	if s.reproducer != nil {
		if d := s.reproducer.Differs(sc.Binary.Identity); d != "" {
			fmt.Fprintf(a.stderr, "%s was made by another binary: %s\n", s.file, d)
		}
	}
	return sc, req, nil
}

// scenario finds the one scenario that is meant, which a request must fit.
func (s *subject) scenario(ctx context.Context, a *app, patterns []string, req run.Request) (sc run.Scenario, err error) {
	if s.reproducer != nil && len(patterns) == 0 {
		patterns = []string{s.reproducer.Package}
	}
	found, err := s.find(ctx, a, patterns)
	if err != nil {
		return sc, err
	}
	if len(found) > 1 {
		var names []string
		for _, sc := range found {
			names = append(names, sc.Name)
		}
		return sc, usage(fmt.Errorf("found %d scenarios, want one: choose by --run: %s", len(found), strings.Join(names, ", ")))
	}
	return found[0], checkParams(found[0], req.Params)
}

// compared says whether the run of a file failed as it did when the file was
// written; "" if the run is not of a file.
func (s *subject) compared(out run.Result) string {
	if s.reproducer == nil {
		return ""
	}
	e := s.reproducer.Expect
	switch {
	case out.Violation == nil:
		return fmt.Sprintf("the failure of %s does not come back: the run is %s", s.file, out.Verdict)
	case !s.reproducer.Same(out):
		return fmt.Sprintf("another failure than that of %s, which is %s: %s", s.file, e.Oracle, e.Message)
	case out.Hash != e.Hash:
		return fmt.Sprintf("the same failure as in %s, by another run: hash %s, was %s", s.file, out.Hash, e.Hash)
	}
	return fmt.Sprintf("the same failure and the same run as in %s", s.file)
}
