package shrink

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// workloadParam is the parameter that chooses among generators of the same calls.
const workloadParam = "workload"

// BlameOptions says how much is tried.
type BlameOptions struct {
	Params map[string][]string // the scenario's
	Seeds  int                 // that each workload is run with
	// Fresh makes a run in a process of its own.
	Fresh func(ctx context.Context, req run.Request) (run.Output, error)
}

// Whose tells whose fault the failure of a small run is. What no experiment shows to
// be another's is the system's, if each that could have shown it was made.
func Whose(ctx context.Context, runs Runs, small Outcome, o BlameOptions) (run.Blame, error) {
	var b run.Blame
	for _, experiment := range []func(context.Context, Runs, Outcome, BlameOptions) (run.Experiment, error){
		repeats, keepsPromises, fellAtHome, doubts, otherWorkload,
	} {
		e, err := experiment(ctx, runs, small, o)
		if err != nil {
			return b, err
		}
		b.Experiments = append(b.Experiments, e)
		if e.Shows {
			b.Party, b.Why = e.Of, e.Found
			return b, nil
		}
	}
	var open []string
	for _, e := range b.Experiments {
		if !e.Made {
			open = append(open, string(e.Of)+": "+e.Found)
		}
	}
	if len(open) > 0 {
		b.Party, b.Why = run.OfUnknown, "the system under test, unless it is one of these, which were not tried: "+strings.Join(open, "; ")
		return b, nil
	}
	b.Party, b.Why = run.OfSystem, "every other explanation was tried, and is out"
	return b, nil
}

// same reports whether a run failed as the small one did.
func same(small Outcome, out run.Output) bool {
	return out.Violation != nil && run.Signature(*out.Violation) == run.Signature(*small.Output.Violation)
}

// fell reports whether a program failed by itself, which no check has to find.
func fell(v *run.Violation) bool {
	return slices.Contains([]string{run.OraclePanic, run.OracleFatal, run.OracleRace}, v.Oracle)
}

// repeats runs it twice more, each time in a process of its own.
func repeats(ctx context.Context, _ Runs, small Outcome, o BlameOptions) (run.Experiment, error) {
	e := run.Experiment{Of: run.OfEnvironment, Did: "it is run twice more, in fresh processes", Made: true, Found: "the same failure, event for event"}
	for range 2 {
		out, err := o.Fresh(ctx, small.Request)
		if err != nil {
			return e, err
		}
		if !same(small, out) || out.Hash != small.Output.Hash {
			e.Shows, e.Found = true, fmt.Sprintf("another run: %s, hash %s, was %s", out.Verdict, out.Hash, small.Output.Hash)
		}
	}
	return e, nil
}

// keepsPromises runs it without the faults that the environment promises not to
// have.
func keepsPromises(ctx context.Context, runs Runs, small Outcome, _ BlameOptions) (run.Experiment, error) {
	e := run.Experiment{Of: run.OfEnvironment, Did: "faults that the environment promises not to have are left out", Made: true, Found: "it has none"}
	var beyond []string
	req := small.Request
	req.Faults = slices.DeleteFunc(slices.Clone(req.Faults), func(text string) bool {
		out := slices.ContainsFunc(small.Output.Faults, func(f run.Fault) bool { return f.Text == text && f.Beyond })
		if out {
			beyond = append(beyond, text)
		}
		return out
	})
	if len(beyond) == 0 {
		return e, nil
	}
	out, err := runs.Run(ctx, req)
	if err != nil {
		return e, err
	}
	if e.Shows = !same(small, out); e.Shows {
		e.Found = fmt.Sprintf("without %s the failure does not come back (%s)", strings.Join(beyond, ", "), out.Verdict)
	} else {
		e.Found = fmt.Sprintf("without %s the failure comes back", strings.Join(beyond, ", "))
	}
	return e, nil
}

// fellAtHome looks where a panic was.
func fellAtHome(ctx context.Context, runs Runs, small Outcome, _ BlameOptions) (run.Experiment, error) {
	v := small.Output.Violation
	e := run.Experiment{Of: run.OfHarness, Did: "where it failed is looked at", Made: true, Found: "no program of the harness failed"}
	if v.Oracle == run.OracleRace {
		e.Made, e.Found = false, "the report of a race does not say whose goroutines they are"
		return e, nil
	}
	if !fell(v) || v.Node == "" {
		return e, nil
	}
	req := small.Request
	req.Record = run.RecordEvents
	out, err := runs.Run(ctx, req)
	if err != nil {
		return e, err
	}
	r, err := readRun(out)
	if err != nil {
		return e, err
	}
	if e.Shows = v.Node == "test" || slices.Contains(r.clients(), v.Node); e.Shows {
		e.Found = fmt.Sprintf("%s, which is part of the harness, failed: %s", v.Node, v.Message)
	} else {
		e.Found = fmt.Sprintf("%s, a node, failed", v.Node)
	}
	return e, nil
}

// doubts takes what the run found of its check; another failure than a check's has
// none.
func doubts(ctx context.Context, runs Runs, small Outcome, _ BlameOptions) (run.Experiment, error) {
	e := run.Experiment{Of: run.OfChecker, Did: "the check is put to the test", Made: true}
	v := small.Output.Violation
	if fell(v) || v.Oracle == run.OracleLiveness {
		e.Found = "no check was asked: the oracle is " + v.Oracle
		return e, nil
	}
	if len(small.Output.Doubts) == 0 {
		return healthy(ctx, runs, small, e)
	}
	var found []string
	for _, d := range small.Output.Doubts {
		found = append(found, d.Experiment+": "+d.Found)
		e.Made, e.Shows = e.Made && d.Made, e.Shows || d.Wrong
	}
	e.Made = e.Made || e.Shows
	e.Found = strings.Join(found, "; ")
	return e, nil
}

// healthy gives a check of which nothing is known a run of the same calls without
// faults, delays and departures: it should take that.
func healthy(ctx context.Context, runs Runs, small Outcome, e run.Experiment) (run.Experiment, error) {
	req := small.Request
	req.Faults = []string{}
	req = dulled(req, slices.Concat(delayFamilies, scheduleFamilies)...)
	out, err := runs.Run(ctx, req)
	if err != nil {
		return e, err
	}
	if same(small, out) {
		e.Made, e.Found = false, "the check refuses a run without any fault, too, and has no model to be tried with: make it by oracle.Judged"
		return e, nil
	}
	if e.Made = out.Verdict == run.Pass; e.Made {
		e.Found = "it takes a run of the same calls without faults, delays and departures"
	} else {
		e.Found = fmt.Sprintf("a run of the same calls without faults, delays and departures tells nothing: it is %s %s", out.Verdict, out.Reason)
	}
	return e, nil
}

// otherWorkload runs other generators of the same calls, and the one that failed.
func otherWorkload(ctx context.Context, runs Runs, small Outcome, o BlameOptions) (run.Experiment, error) {
	e := run.Experiment{Of: run.OfHarness, Did: "another generator makes the same calls"}
	if fell(small.Output.Violation) {
		e.Made, e.Found = true, "not needed: no call may make a node fail so"
		return e, nil
	}
	values := o.Params[workloadParam]
	if len(values) < 2 {
		e.Found = fmt.Sprintf("the scenario has no second generator: declare it as a value of parameter %q", workloadParam)
		return e, nil
	}
	now := small.Request.Params[workloadParam]
	if now == "" {
		now = values[0]
	}
	counts := map[string]frequency{}
	var otherwise string // the first workload with which its check fails in another way
	for _, v := range values {
		n, err := failures(ctx, runs, small, v, o.Seeds)
		if err != nil {
			return e, err
		}
		counts[v] = n
		if v != now && n.same > 0 {
			e.Made, e.Found = true, fmt.Sprintf("with %s=%s it comes back in %d of %d seeds", workloadParam, v, n.same, o.Seeds)
			return e, nil
		}
		if v != now && n.otherwise > 0 && otherwise == "" {
			otherwise = v
		}
	}
	switch {
	case otherwise != "":
		e.Found = fmt.Sprintf("with %s=%s the check fails in %d of %d seeds, with other messages: whether it is one failure is not known",
			workloadParam, otherwise, counts[otherwise].otherwise, o.Seeds)
		return e, nil
	case counts[now].same < enough:
		e.Found = fmt.Sprintf("too rare to tell: %d of %d seeds with %s=%s, none with another", counts[now].same, o.Seeds, workloadParam, now)
		return e, nil
	}
	e.Made, e.Shows = true, true
	e.Found = fmt.Sprintf("with %s=%s it comes in %d of %d seeds, with another in none", workloadParam, now, counts[now].same, o.Seeds)
	return e, nil
}

// enough is how many failures of one workload make none of another a sign.
const enough = 5

// frequency counts seeds that fail as a small run does, and those that its check finds in
// another way.
type frequency struct{ same, otherwise int }

// failures counts the seeds with which a workload fails, with the faults that each
// draws.
func failures(ctx context.Context, runs Runs, small Outcome, workload string, seeds int) (n frequency, err error) {
	for seed := range seeds {
		req := run.Request{Seed: uint64(seed) + 1, Params: map[string]string{}}
		for k, v := range small.Request.Params {
			req.Params[k] = v
		}
		req.Params[workloadParam] = workload
		out, err := runs.Run(ctx, req)
		if err != nil {
			return n, err
		}
		switch v := out.Violation; {
		case same(small, out):
			n.same++
		case v != nil && v.Oracle == small.Output.Violation.Oracle:
			n.otherwise++
		}
	}
	return n, nil
}
