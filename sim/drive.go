package sim

import (
	"context"
	"fmt"
	"os"
	"os/signal"
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
	seeds, err := run.ParseSeeds(*flagSeeds)
	if err != nil {
		t.Fatalf("-orrery.seeds: %v", err)
	}
	b, err := patched(ctx)
	if err != nil {
		t.Fatal(err)
	}
	scenario := run.Scenario{Binary: b, Name: t.Name()}
	summary, err := run.Sweep(ctx, run.SweepConfig{
		Scenario: scenario, Seeds: seeds, Request: run.Request{Params: params}, MaxVacuous: maxVacuous,
	}, func(run.Item) {})
	if err != nil {
		t.Fatal(err)
	}
	report(ctx, t, scenario, params, summary)
}

// patched is this test's binary if it was built with the patched toolchain, or
// else another build of the package in this folder.
func patched(ctx context.Context) (*run.Binary, error) {
	if rt.Patched {
		return run.Self()
	}
	built, err := run.Build(ctx, []string{"."}, run.Options{Dir: testDir, Tags: buildTags(), Stderr: os.Stderr})
	if err != nil {
		return nil, err
	}
	if len(built) != 1 {
		return nil, fmt.Errorf("sim: %s: found %d packages with tests, want 1", testDir, len(built))
	}
	return built[0], nil
}

// buildTags is the -tags that this binary was built with.
func buildTags() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				return s.Value
			}
		}
	}
	return ""
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
