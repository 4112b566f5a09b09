package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/capability"
	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/orrery-sim/orrery/sim/run"
)

// scripted is a backend whose runs end as a test says.
type scripted struct {
	identity string
	ran      func(c configuration, seed uint64) (Ran, error)
	opened   int
}

func (b *scripted) Kind() verdict.Backend { return verdict.Sim }

func (b *scripted) Open(context.Context, Unit, string) (Subject, error) {
	b.opened++
	return b, nil
}

func (b *scripted) Identity() string { return b.identity }
func (b *scripted) Close() error     { return nil }

func (b *scripted) Cycles(_ context.Context, c configuration, _ verdict.Budget, seeds []uint64, each func(Ran) error) error {
	for _, seed := range seeds {
		r, err := b.ran(c, seed)
		if err != nil {
			return err
		}
		r.Cycle.Configuration, r.Cycle.Seed = c.String(), seed
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

func (b *scripted) Explain(context.Context, Failure) (Explanation, error) { return Explanation{}, nil }

// examplePlan is the one of the docs, of several scenarios.
func examplePlan(t *testing.T) *plan.Plan {
	t.Helper()
	const file = "../../docs/examples/raftkv.plan.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := plan.Load(file, text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

func scriptedConfig(t *testing.T, b Backend) Config {
	c := Config{Plan: examplePlan(t), File: "kv.plan.md", Root: t.TempDir(), Dir: t.TempDir(), Tier: verdict.Smoke, Backend: b}
	none, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { none.Close() })
	c.Prober = Prober{Env: capability.Machine(c.Dir), Terminal: capability.TerminalOf(none, none), Policy: capability.InstallNo, Said: capability.Answers{Have: []string{"go"}}}
	return c
}

func clean(configuration, uint64) (Ran, error) { return Ran{}, nil }

// A failure has its page as soon as it is seen, also if the session is killed before the
// unit's last cycle; and it is one finding when the session goes on.
func TestFindingAtOnce(t *testing.T) {
	killed := errors.New("killed")
	stop := true
	b := &scripted{identity: "1", ran: func(c configuration, seed uint64) (Ran, error) {
		if seed == 2 && stop {
			return Ran{}, killed
		}
		f := &Failure{Unit: "S1", Config: c.String(), Oracle: "linearizability", Message: "lost", Signature: "s", CameBack: true, Request: run.Request{Seed: seed}}
		return Ran{Failure: f, Cycle: verdict.Cycle{Anomalies: []verdict.Anomaly{{Oracle: "linearizability", Tried: 1, CameBack: 1}}}}, nil
	}}
	c := scriptedConfig(t, b)
	folder, state, err := Run(context.Background(), c)
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, state.Units[0].Findings[0].Page()))
	if err != nil || !strings.Contains(string(page), "| seen | once;") {
		t.Fatalf("%v: %s", err, page)
	}
	stop, c.Resume = false, folder
	_, state, err = Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	all := state.Units[0].Findings
	if len(all) != 1 || all[0].Seen < 2 || all[0].Explained == nil || all[0].Failure.Request.Seed != 1 {
		t.Errorf("%+v", all)
	}
	page, err = os.ReadFile(filepath.Join(folder, all[0].Page()))
	if want := fmt.Sprintf("| seen | %d times; first in", all[0].Seen); err != nil || !strings.Contains(string(page), want) {
		t.Errorf("%v: want %q in %s", err, want, page)
	}
}

// A session in which verdicts are given goes on with the same system alone, also if all is
// over.
func TestResumeOfAnotherSystem(t *testing.T) {
	b := &scripted{identity: "1", ran: clean}
	c := scriptedConfig(t, b)
	folder, _, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Resume = folder
	if _, _, err := Run(context.Background(), c); err != nil {
		t.Fatalf("the same system: %v", err)
	}
	b.identity = "2"
	var bad *UsageError
	if _, _, err := Run(context.Background(), c); !errors.As(err, &bad) || !strings.Contains(err.Error(), "its verdict is of 1, and what runs now is 2") {
		t.Errorf("another system: %v", err)
	}
}

// A session that ended before its needs were probed probes them when it goes on: what is
// not known to be there is missing.
func TestResumeProbes(t *testing.T) {
	b := &scripted{identity: "1", ran: clean}
	c := scriptedConfig(t, b)
	c.Prober.Said.Skip = []string{"go"}
	folder, _, err := Run(context.Background(), c)
	if err == nil || folder == "" {
		t.Fatalf("%q: %v", folder, err)
	}
	c.Resume, c.Prober.Said.Have = folder, nil
	_, state, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if v := state.Units[0].Decision.Verdict; v != verdict.InconclusiveEnv || b.opened > 0 {
		t.Errorf("%s, want %s; opened %d times", v, verdict.InconclusiveEnv, b.opened)
	}
}

// Two runs do not write to one session.
func TestSessionIsLocked(t *testing.T) {
	b := &scripted{identity: "1"}
	c := scriptedConfig(t, b)
	var other error
	b.ran = func(configuration, uint64) (Ran, error) {
		if other == nil {
			second := c
			second.Resume = "latest"
			_, _, other = Run(context.Background(), second)
		}
		return Ran{}, nil
	}
	if _, _, err := Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	var bad *UsageError
	if !errors.As(other, &bad) || !strings.Contains(other.Error(), "another run goes on with this session") {
		t.Errorf("the second: %v", other)
	}
}

// Failures of one seed in several configurations have files of their own.
func TestFilesOfFailures(t *testing.T) {
	seen := map[string]bool{}
	for _, config := range []string{asItIs, "three", "five"} {
		for _, seed := range []uint64{1, 2} {
			seen[base(Failure{Unit: "S5/api", Config: config, Request: run.Request{Seed: seed}})] = true
		}
	}
	if len(seen) != 6 || !seen["S5-api-seed1"] || !seen["S5-api-three-seed2"] {
		t.Errorf("%v", seen)
	}
}

// Configurations that come to the same by the scenario's defaults are refused.
func TestDistinctConfigurations(t *testing.T) {
	sc := run.Scenario{Name: "TestKV", Params: map[string][]string{"nodes": {"3", "5"}, "bug": {"none", "lost"}}}
	of := func(name string, params ...string) configuration {
		c := configuration{name, map[string]string{}}
		for _, p := range params {
			k, v, _ := strings.Cut(p, "=")
			c.params[k] = v
		}
		return c
	}
	for _, c := range []struct {
		list []configuration
		ok   bool
	}{
		{[]configuration{of("plain"), of("five", "nodes=5"), of("lost", "bug=lost")}, true},
		{[]configuration{of("plain"), of("three", "nodes=3")}, false},
		{[]configuration{of("a", "nodes=5"), of("b", "nodes=5", "bug=none")}, false},
	} {
		var bad *UsageError
		if err := distinct(sc, c.list); (err == nil) != c.ok || err != nil && !errors.As(err, &bad) {
			t.Errorf("%v: %v", c.list, err)
		}
	}
}
