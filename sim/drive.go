package sim

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

// maxVacuous is the share of vacuous seeds that a go test may have, as a sweep may
// unless it is told otherwise.
const maxVacuous = 0.2

// drive runs the scenario of a plain go test: in workers of a binary that was
// built with the patched toolchain.
func drive(t *testing.T, c config) {
	t.Helper()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	params, err := parseSet(*flagSet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.values(params); err != nil {
		t.Fatal(err)
	}
	seeds, err := run.ParseSeeds(cmp.Or(*flagSeeds, c.seeds, seedsDefault))
	if err != nil {
		t.Fatalf("-orrery.seeds: %v", err)
	}
	b, err := patched(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if testing.CoverMode() != "" {
		if b.CoverDir, err = coverageFolder(); err != nil {
			t.Fatal(err)
		}
	}
	known, err := run.KnownBeside(testDir)
	if err != nil {
		t.Fatal(err)
	}
	scenario := run.Scenario{Binary: b, Name: t.Name()}
	known = run.KnownOf(known, scenario.Name)
	excused := corpus(ctx, t, scenario, known)
	summary, err := run.Sweep(ctx, run.SweepConfig{
		Scenario: scenario, Seeds: seeds, Request: run.Request{Params: params}, MaxVacuous: maxVacuous, Known: known,
	}, func(run.Item) {})
	if err != nil {
		t.Fatal(err)
	}
	excused += report(ctx, t, scenario, params, summary)
	if excused > 0 && !t.Failed() {
		t.Skipf("it failed as is known, and in no other way: see %s", filepath.Join(run.CorpusDir, run.KnownFile))
	}
}

// patched is this test's binary if it was built with the patched toolchain, or
// else another build of the package in this folder.
func patched(ctx context.Context) (*run.Binary, error) {
	if rt.Patched {
		return run.Self(builtWith())
	}
	built, err := run.Build(ctx, []string{"."}, builtWith())
	if err != nil {
		return nil, err
	}
	if len(built) != 1 {
		return nil, fmt.Errorf("sim: %s: found %d packages with tests, want 1", testDir, len(built))
	}
	return built[0], nil
}

// coverageFolder is where this test's runs leave their counters, so that package
// testing makes its profile of them too: the one of -test.gocoverdir, or one beside
// the binary, which go test removes with it.
func coverageFolder() (string, error) {
	dir := flag.Lookup("test.gocoverdir").Value
	if dir.String() != "" {
		return dir.String(), nil
	}
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(exe), "coverage-")
	if err != nil {
		return "", err
	}
	return tmp, dir.Set(tmp)
}

// builtWith is how this test's binary was built and is run.
func builtWith() run.Options {
	o := run.Options{Dir: testDir, Stderr: os.Stderr, Cover: testing.CoverMode(), Short: testing.Short()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return o
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-tags":
			o.Tags = s.Value
		case "-race":
			o.Race = s.Value == "true"
		}
	}
	return o
}

// parseSet reads "a=b,c=d".
func parseSet(s string) (map[string]string, error) {
	out := map[string]string{}
	if s == "" {
		return out, nil
	}
	for kv := range strings.SplitSeq(s, ",") {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return nil, fmt.Errorf("-orrery.set: found %q, want NAME=VALUE, several separated by commas", kv)
		}
		out[k] = v
	}
	return out, nil
}
