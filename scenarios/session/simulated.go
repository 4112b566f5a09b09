package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

// Simulation runs units in simulated worlds. The zero value is usable.
type Simulation struct {
	Dir      string // where target files are looked for; "" is the current folder
	Tags     string // of the build
	Procs    int    // runs at one time; 0 is one for each processor
	Watchdog time.Duration
	Budget   int // runs that shrinking may take; 0 is 2000
	Seeds    int // that each workload is run with to say whose fault a failure is; 0 is 100
	// Progress, if not nil, is told of what is being done.
	Progress func(what string)
}

// Kind is [verdict.Sim].
func (s *Simulation) Kind() verdict.Backend { return verdict.Sim }

// Open builds the test that a unit is bound to.
func (s *Simulation) Open(ctx context.Context, u Unit, artifacts string) (Subject, error) {
	b := u.Binding
	binaries, err := run.Build(ctx, []string{"./" + filepath.ToSlash(filepath.Dir(b.File))}, run.Options{Dir: s.Dir, Tags: s.Tags})
	var none *run.PackageError
	if errors.As(err, &none) {
		return nil, &UnboundError{fmt.Sprintf("%s: %v", b.File, err), u.Author}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &BuildError{b.File, err}
	}
	for _, binary := range binaries {
		list, err := binary.Scenarios(ctx, regexp.MustCompile(run.MatchExactly(b.Func)))
		if err != nil {
			return nil, err
		}
		if len(list) == 1 {
			return s.subject(list[0], u, artifacts)
		}
	}
	return nil, &UnboundError{fmt.Sprintf("%s has no scenario %s: no such test calls sim.Test", b.File, b.Func), u.Author}
}

// subject checks that the scenario has what the unit wants of it.
func (s *Simulation) subject(sc run.Scenario, u Unit, artifacts string) (Subject, error) {
	for _, c := range u.Configurations {
		for _, name := range slices.Sorted(maps.Keys(c.params)) {
			allowed, ok := sc.Params[name]
			if !ok || len(allowed) > 0 && !slices.Contains(allowed, c.params[name]) {
				return nil, usage("configuration %s: %s has no parameter %s=%s: want one of %s",
					c, sc.Name, name, c.params[name], strings.Join(allowedParams(sc), ", "))
			}
		}
	}
	if err := distinct(sc, u.Configurations); err != nil {
		return nil, err
	}
	return &simulated{s: s, u: u, sc: sc, artifacts: artifacts, kept: map[kept]bool{}}, nil
}

// distinct wants configurations to differ in what the scenario sees, with its defaults:
// two that do not are the same runs by two names.
func distinct(sc run.Scenario, list []configuration) error {
	names := map[string]string{}
	for _, c := range list {
		all := configuration{params: map[string]string{}}
		for name, allowed := range sc.Params {
			if len(allowed) > 0 {
				all.params[name] = allowed[0]
			}
		}
		maps.Copy(all.params, c.params)
		text := all.text()
		if first, twice := names[text]; twice {
			return usage("configuration %s: it is the same as %s, by the defaults of %s: change a parameter, or take it out", c, first, sc.Name)
		}
		names[text] = c.String()
	}
	return nil
}

func allowedParams(sc run.Scenario) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(sc.Params)) {
		out = append(out, name+"="+strings.Join(sc.Params[name], "|"))
	}
	return out
}

// kept is what one failing run is kept for: the first of each signature, and the first
// of those that came back.
type kept struct {
	signature string
	cameBack  bool
}

// simulated is a unit that is bound to a scenario.
type simulated struct {
	s         *Simulation
	u         Unit
	sc        run.Scenario
	artifacts string
	kept      map[kept]bool // what has a file
}

func (s *simulated) Identity() string {
	id := s.sc.Binary.Identity
	return fmt.Sprintf("%s of %+v", s.sc.Name, id)
}

func (s *simulated) Close() error { return nil }

func (s *simulated) Cycles(ctx context.Context, c configuration, b verdict.Budget, seeds []uint64, each func(Ran) error) error {
	if len(seeds) == 0 {
		return nil
	}
	words := make([]string, len(seeds))
	for i, n := range seeds {
		words[i] = strconv.FormatUint(n, 10)
	}
	list, err := run.ParseSeeds(strings.Join(words, ","))
	if err != nil {
		return err
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	req := run.Request{Params: c.params, Safety: int64(b.Duration), Calm: int64(calm)}
	var failed error
	_, err = run.Sweep(inner, run.SweepConfig{
		Scenario: s.sc, Seeds: list, Request: req, Procs: s.s.Procs, Watchdog: cmp.Or(s.s.Watchdog, run.WatchdogDefault), MaxVacuous: 1,
	}, func(it run.Item) {
		if failed != nil {
			return
		}
		r, err := s.ran(it, req, c, b.Tier)
		if err == nil {
			err = each(r)
		}
		if failed = err; failed != nil {
			stop()
		}
	})
	return cmp.Or(failed, ctx.Err(), err)
}

// ran is what came of a seed.
func (s *simulated) ran(it run.Item, req run.Request, c configuration, tier verdict.Tier) (Ran, error) {
	r := it.Output.Result
	out := Ran{Cycle: measured(r, c, tier), Grouping: grouping(r), Baseline: baseline(r)}
	if r.Violation == nil {
		return out, nil
	}
	came := it.Verified && it.Difference == nil
	a := verdict.Anomaly{Oracle: r.Violation.Oracle, Message: r.Violation.Message}
	if it.Verified {
		a.Tried = 1
	}
	if came {
		a.CameBack = 1
	}
	out.Cycle.Anomalies = append(out.Cycle.Anomalies, a)
	req.Seed = it.Seed
	f := &Failure{
		Unit: s.u.ID, Config: c.String(), Oracle: a.Oracle, Message: a.Message, Signature: run.Signature(*r.Violation),
		Detail: r.Violation.Detail, CameBack: came, Recovery: out.Cycle.Recovery.State, Request: req, Result: &r,
	}
	out.Failure = f
	return out, s.keep(f)
}

// keep writes a failing run as a file, which replays it, if a finding may be about it.
// Others are told by the finding's.
func (s *simulated) keep(f *Failure) error {
	what := kept{f.Signature, f.CameBack}
	if s.kept[what] {
		return nil
	}
	file := filepath.Join(s.artifacts, base(*f)+"-whole.json")
	if err := run.NewReproducer(s.sc, f.Request, *f.Result).Write(file); err != nil {
		return err
	}
	s.kept[what] = true
	f.Replay = "orrery replay --file " + run.ShellQuote(file)
	return nil
}

// base is what the names of a failure's files begin with. A seed may fail in another way
// in another configuration.
func base(f Failure) string {
	name := fileName(f.Unit)
	if f.Config != asItIs {
		name += "-" + fileName(f.Config)
	}
	return name + "-seed" + strconv.FormatUint(f.Request.Seed, 10)
}

// Explain shrinks a failure that came back. One that did not has nothing to shrink.
func (s *simulated) Explain(ctx context.Context, whole Failure) (Explanation, error) {
	if !whole.CameBack {
		return Explanation{Class: verdict.ClassUnknown, Note: "two runs of the seed differ: the engine is at fault, or the run depends on what no world controls"}, nil
	}
	procs := cmp.Or(s.s.Procs, runtime.NumCPU())
	o := run.WorkerOptions{Watchdog: s.s.Watchdog}
	pool := run.NewPool(s.sc, procs, o)
	defer pool.Close()
	f, err := s.plainer(ctx, pool, whole)
	if err != nil {
		return Explanation{}, err
	}
	small, err := shrink.Smaller(ctx, s.sc, pool, f.Request, *f.Result, shrink.Options{
		Budget: cmp.Or(s.s.Budget, 2000), Procs: procs, Now: time.Now,
		Progress: func(p shrink.Progress) { s.tell(fmt.Sprintf("%s: shrinking: %s, run %d", s.u.ID, p.Step, p.Runs)) },
	}, nil)
	if err != nil {
		return Explanation{}, err
	}
	s.tell(s.u.ID + ": finding what the failure needs")
	told, err := shrink.Tell(ctx, pool, small)
	if err != nil {
		return Explanation{}, err
	}
	s.tell(s.u.ID + ": finding whose fault it is")
	blame, err := shrink.Whose(ctx, pool, small, shrink.BlameOptions{
		Params: s.sc.Params, Seeds: cmp.Or(s.s.Seeds, 100),
		Fresh: func(ctx context.Context, req run.Request) (run.Output, error) { return run.Fresh(ctx, s.sc, req, o) },
	})
	if err != nil {
		return Explanation{}, err
	}
	return s.explained(whole, small, told, blame)
}

// plainSeeds is how many seeds are tried for a failure without calm.
const plainSeeds = 40

// plainer is the same failure of a run as the scenario has it, without calm and with its
// own length, of this seed or another, if there is one: it becomes smaller, since less
// has happened when it fails.
func (s *simulated) plainer(ctx context.Context, pool *run.Pool, f Failure) (Failure, error) {
	for n := range uint64(plainSeeds + 1) {
		req := f.Request
		req.Calm, req.Safety = 0, 0
		if n > 0 {
			req.Seed = n
		}
		out, err := pool.Run(ctx, req)
		if err != nil {
			return f, err
		}
		if out.Violation != nil && run.Signature(*out.Violation) == f.Signature {
			f.Request, f.Result = req, &out.Result
			return f, nil
		}
	}
	return f, nil
}

// explained writes the reproducer and the story.
func (s *simulated) explained(whole Failure, small shrink.Outcome, told shrink.Told, blame run.Blame) (Explanation, error) {
	base := base(whole)
	reproducer := run.NewReproducer(s.sc, small.Request, small.Output.Result)
	reproducer.Blame = &blame
	file := filepath.Join(s.artifacts, base+".json")
	if err := reproducer.Write(file); err != nil {
		return Explanation{}, err
	}
	var story bytes.Buffer
	told.Print(&story)
	shrink.PrintBlame(&story, blame)
	if err := run.WriteFile(filepath.Join(s.artifacts, base+".txt"), story.Bytes()); err != nil {
		return Explanation{}, err
	}
	e := Explanation{
		Replay: "orrery replay --file " + run.ShellQuote(file), Class: classOf[blame.Party],
		Reduction: verdict.Reduction{Events: int(small.Before.Events), Left: int(small.After.Events), Runs: small.Runs, Why: blame.Why},
		Artifacts: []Artifact{
			{"artifacts/" + base + "-whole.json", fmt.Sprintf("the run of seed %d as it failed", whole.Request.Seed)},
			{"artifacts/" + base + ".json", fmt.Sprintf("reproducer of %s, made small from seed %d", whole.Unit, small.Request.Seed)},
			{"artifacts/" + base + ".txt", "its story, and whose fault it is"},
		},
	}
	for _, x := range blame.Experiments {
		e.Evidence = append(e.Evidence, fmt.Sprintf("%s: %s: %s", x.Of, x.Did, x.Found))
	}
	for _, fault := range small.Output.Faults {
		e.Needs = append(e.Needs, fmt.Sprintf("%s (%s)", fault.Text, fault.Evidence))
		e.Faults = append(e.Faults, landed(fault, small.Output.Result))
	}
	if small.End != shrink.Minimal {
		e.Note = "shrinking ended by " + string(small.End) + ": there may be a smaller run"
	}
	return e, nil
}

// classOf is the reduction class of a party at fault.
var classOf = map[run.Party]verdict.ReductionClass{
	run.OfSystem: verdict.ClassSUT, run.OfHarness: verdict.ClassHarness, run.OfChecker: verdict.ClassChecker,
	run.OfEnvironment: verdict.ClassEnvironment, run.OfUnknown: verdict.ClassUnknown,
}

func (s *simulated) tell(what string) {
	if s.s.Progress != nil {
		s.s.Progress(what)
	}
}
