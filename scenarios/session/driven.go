package session

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/driver"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// driven is a unit that a driver runs: a program of the system's own, which makes the
// workload and injects the faults. What it leaves is judged here.
type driven struct {
	u       Unit
	dir     dir
	driver  driver.Driver
	checker func(h *oracle.History) []oracle.Checker
	log     *os.File
	id      string
}

// openDriver makes a unit ready that is bound to a driver.
func openDriver(c Config, u Unit, d dir) (Subject, error) {
	command := strings.Fields(u.Binding.Driver)
	if len(command) == 0 {
		return nil, &UnboundError{"its driver is an empty command", u.Author}
	}
	if strings.Contains(command[0], "/") {
		if _, err := os.Stat(within(c.Dir, command[0])); err != nil {
			return nil, &UnboundError{fmt.Sprintf("its driver %s is not there: %v", command[0], err), u.Author}
		}
	}
	log, err := os.OpenFile(d.join(logsDir, fileName(u.ID)+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &driven{
		u: u, dir: d, driver: driver.Driver{Command: command, Dir: c.Dir}, checker: judges(u), log: log, id: identityOf(command, c),
	}, nil
}

// identityOf tells drivers apart by the commit, and by what is in the files that the
// command names. What else a driver runs is not known here.
func identityOf(command []string, c Config) string {
	sum := sha256.New()
	for _, word := range command {
		if text, err := os.ReadFile(within(c.Dir, word)); err == nil {
			fmt.Fprintf(sum, "%s %d\n%s", word, len(text), text)
		}
	}
	return fmt.Sprintf("driver %s with files %.8x, at commit %s", strings.Join(command, " "), sum.Sum(nil), orNone(c.Commit))
}

// within is a name as seen from a folder.
func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func (v *driven) Identity() string { return v.id }

func (v *driven) Close() error { return v.log.Close() }

func (v *driven) Cycles(ctx context.Context, c configuration, b verdict.Budget, seeds []uint64, each func(Ran) error) error {
	for _, seed := range seeds {
		r, err := v.cycle(ctx, c, b.Tier, seed)
		if err != nil {
			return err
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// cycle runs the driver with a seed, and once more if that fails.
func (v *driven) cycle(ctx context.Context, c configuration, tier verdict.Tier, seed uint64) (Ran, error) {
	first, err := v.once(ctx, c, tier, seed, "")
	if err != nil || first.Failure == nil {
		return first, err
	}
	again, err := v.once(ctx, c, tier, seed, "-again")
	if err != nil {
		return Ran{}, err
	}
	a := &first.Cycle.Anomalies[0]
	a.Tried = 1
	if again.Failure != nil && again.Failure.Signature == first.Failure.Signature {
		a.CameBack, first.Failure.CameBack = 1, true
	}
	return first, nil
}

// once is one run of the driver, in a folder of its own. What a run that was killed
// has left there is removed.
func (v *driven) once(ctx context.Context, c configuration, tier verdict.Tier, seed uint64, suffix string) (Ran, error) {
	folder := v.dir.join(artifactsDir, fileName(v.u.ID), fmt.Sprintf("%s-seed%d%s", fileName(c.String()), seed, suffix))
	if err := os.RemoveAll(folder); err != nil {
		return Ran{}, err
	}
	d := v.driver
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		d.Env = append(d.Env, paramEnv(name)+"="+c.params[name])
	}
	out, err := driver.Run(ctx, d, driver.Job{Session: folder, Scenario: v.u.ID, Seed: seed}, v.log)
	if ctx.Err() != nil {
		return Ran{}, context.Cause(ctx)
	}
	if wrong := impossible(out); wrong != nil {
		err = errors.Join(err, wrong)
		out.History = nil
	}
	r := Ran{Cycle: v.measured(out, c, tier, seed)}
	if err != nil {
		r.Cycle.Lost = err.Error()
	}
	if a := v.anomaly(&r.Cycle, out); a != nil {
		r.Cycle.Anomalies = []verdict.Anomaly{*a}
		r.Failure = &Failure{
			Unit: v.u.ID, Config: c.String(), Oracle: a.Oracle, Message: a.Message, Replay: v.replay(c, folder, seed),
			Signature: run.Signature(run.Violation{Oracle: a.Oracle, Message: a.Message}), Request: run.Request{Seed: seed, Params: c.params},
		}
	}
	return r, nil
}

// anomaly is what an oracle, or the driver itself, has found.
func (v *driven) anomaly(c *verdict.Cycle, out driver.Outcome) *verdict.Anomaly {
	for _, o := range c.Oracles {
		if o.Verdict == outcome.Violation {
			return &verdict.Anomaly{Oracle: o.Name, Message: o.Reason}
		}
	}
	if out.Exit == driver.ExitFailure {
		return &verdict.Anomaly{Oracle: "driver", Message: "it saw a failure itself: exit code 1"}
	}
	return nil
}

// replay is the command that runs the driver with a seed, from wherever it is given.
func (v *driven) replay(c configuration, folder string, seed uint64) string {
	absolute := func(name string) string {
		if full, err := filepath.Abs(name); err == nil {
			return full
		}
		return name
	}
	session := run.ShellQuote(absolute(folder) + "-replay")
	words := []string{
		"rm -rf " + session, "&& mkdir -p " + session, "&& cd " + run.ShellQuote(absolute(v.driver.Dir)), "&& env",
	}
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		words = append(words, paramEnv(name)+"="+run.ShellQuote(c.params[name]))
	}
	words = append(words, driver.EnvSession+"="+session, driver.EnvScenario+"="+run.ShellQuote(v.u.ID), fmt.Sprintf("%s=%d", driver.EnvSeed, seed))
	for _, word := range v.driver.Command {
		words = append(words, run.ShellQuote(word))
	}
	return strings.Join(words, " ")
}

// paramEnv is the variable that tells a driver a parameter.
func paramEnv(name string) string { return "ORRERY_PARAM_" + strings.ToUpper(name) }

// measured makes a cycle of what a driver left.
func (v *driven) measured(out driver.Outcome, c configuration, tier verdict.Tier, seed uint64) verdict.Cycle {
	cycle := verdict.Cycle{Seed: seed, Configuration: c.String(), Tier: tier, Duration: out.Took}
	if out.Exit == driver.ExitUndecided {
		cycle.Lost = "the driver could not decide: exit code 3"
	}
	for _, l := range out.Landings {
		cycle.Faults = append(cycle.Faults, verdict.Fault{
			Text: l.Fault, Kind: l.Kind, At: time.Duration(max(l.At-origin(out), 0)), Clock: l.Kind == "skew", Sides: sides(l.Kind),
			Landing: landingOf[l.Landed], Injector: l.Injector, Victim: l.Victim,
		})
	}
	if out.History == nil {
		return cycle
	}
	load := loadOf(out.History, origin(out))
	cycle.Windows, cycle.Load = windows(load, run.LoadWindow), verdict.Span{Length: time.Duration(len(load)) * run.LoadWindow}
	cycle.Errors = unexplained(out.History, origin(out), cycle.Faults)
	cycle.Recovery = settled(load, cycle.Faults)
	calls := out.History.Counts().Invoked
	for _, k := range v.checker(out.History) {
		o := k.Check()
		cycle.Oracles = append(cycle.Oracles, verdict.OracleRun{
			Name: k.Name(), Sees: verdict.SeesHistory, Verdict: o.Verdict, Reason: firstOf(o.Message, o.Reason), Saw: max(o.Calls, sawAll(o.Outcome, calls)), Calls: calls,
		})
	}
	return cycle
}

// sawAll is how many calls a check saw that does not count: all, if it decided.
func sawAll(o outcome.Outcome, calls int) int {
	if o.Verdict == outcome.OK || o.Verdict == outcome.Violation {
		return calls
	}
	return 0
}

var landingOf = map[driver.Landed]verdict.Landing{
	driver.LandedYes: verdict.Proven, driver.LandedNo: verdict.NotProven, driver.LandedAmbiguous: verdict.Ambiguous,
}

// origin is what times of a driver's files count from: the clock may be one that counts
// from when the machine was started.
func origin(out driver.Outcome) int64 {
	if out.History == nil {
		return 0
	}
	if start := out.History.Start(); start > 0 {
		return start
	}
	first := int64(math.MaxInt64)
	for _, op := range out.History.Ops() {
		first = min(first, op.Invoke)
	}
	for _, l := range out.Landings {
		first = min(first, l.At)
	}
	return first
}

// clockSlack is by how much a history may be longer than the run that made it.
const clockSlack = time.Second

// impossible says that a history's times are not in nanoseconds of one clock: that it is
// longer than the run.
func impossible(out driver.Outcome) error {
	if out.History == nil {
		return nil
	}
	last, began := int64(0), origin(out)
	for _, op := range out.History.Ops() {
		last = max(last, op.Invoke, op.Complete)
	}
	if span := time.Duration(last - began); span > out.Took+clockSlack {
		return fmt.Errorf("%s: its times span %v, and the run took %v: want nanoseconds on one clock", driver.HistoryFile, span, out.Took.Round(time.Millisecond))
	}
	return nil
}

// loadOf counts a history's calls by the second since a time.
func loadOf(h *oracle.History, began int64) (load []run.Ops) {
	at := func(t int64) *run.Ops {
		i := int(max(t-began, 0) / int64(run.LoadWindow))
		for len(load) <= i {
			load = append(load, run.Ops{})
		}
		return &load[i]
	}
	for _, op := range h.Ops() {
		at(op.Invoke).Invoked++
		switch op.Status {
		case oracle.StatusOK:
			at(op.Complete).OK++
		case oracle.StatusFailed:
			at(op.Complete).Failed++
		case oracle.StatusUnknown:
			at(op.Complete).Unknown++
		}
	}
	return load
}

// unexplained are the calls without an answer that ended before any fault: nothing that
// was done to the system explains them.
func unexplained(h *oracle.History, began int64, faults []verdict.Fault) verdict.Errors {
	e := verdict.Errors{Counted: true}
	for _, op := range h.Ops() {
		if op.Status != oracle.StatusUnknown {
			continue
		}
		explained := false
		for _, f := range faults {
			explained = explained || f.Landed() && op.Complete-began >= int64(f.At)
		}
		if !explained {
			e.Unexplained++
			if e.Example == "" {
				e.Example = op.String() + ": " + op.Error
			}
		}
	}
	return e
}

// settled compares the rates before the first fault that landed and in the last seconds of
// the run: a driver does not tell when its faults end.
func settled(load []run.Ops, faults []verdict.Fault) verdict.Recovery {
	end := time.Duration(len(load)) * run.LoadWindow
	first := end
	for _, f := range faults {
		if f.Landed() {
			first = min(first, f.At)
		}
	}
	var out verdict.Recovery
	var before, after bool
	out.Before, before = rate(load, 0, first)
	out.After, after = rate(load, max(first, end-settle), end)
	switch {
	case before && after && out.After < out.Before/2:
		out.State = verdict.Degraded
	case before && after:
		out.State = verdict.Nominal
	}
	return out
}

// Explain says that a driver's runs are not made small: nothing in them can be left out
// from here.
func (v *driven) Explain(context.Context, Failure) (Explanation, error) {
	return Explanation{
		Class: verdict.ClassUnknown, Reduction: verdict.Reduction{Why: "a driver's run cannot be made smaller from outside, so that nothing shows whose fault it is"},
		Evidence: []string{}, Needs: []string{}, Faults: []verdict.Fault{}, Artifacts: []Artifact{{artifactsDir + "/" + fileName(v.u.ID), "what the driver left, a folder a seed"}},
	}, nil
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// judges returns the oracles of a unit's plan that the catalogue has for the model of
// its objects. Others do not run, and the verdict says so.
func judges(u Unit) func(h *oracle.History) []oracle.Checker {
	return func(h *oracle.History) (out []oracle.Checker) {
		for _, name := range u.Checkers {
			if m, ok := models[u.Model]; ok && name == "linearizability" {
				out = append(out, oracle.Linearizable(h, m()))
			}
		}
		return out
	}
}

// models are the catalogue's, by the plan's words.
var models = map[string]func() oracle.Model{
	"register": oracle.Register, "map": oracle.KV, "queue": oracle.Queue, "log": oracle.Log, "lock": oracle.Mutex, "counter": oracle.Counter,
}
