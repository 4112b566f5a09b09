// Package planted tests that a scenario finds a fault that was planted in the
// system under test: one that finds none proves nothing.
package planted

import (
	"context"
	"os"
	"regexp"
	"sync"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// Case is a fault that a scenario of the caller's package must find.
type Case struct {
	Scenario string            // the name of its test
	Params   map[string]string // that plant the fault
	Seeds    string            // among which it is found
}

// Find sweeps until the fault is found, and then wants a fresh process to repeat
// the run.
func Find(t *testing.T, c Case) {
	t.Helper()
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s, seeds := c.resolve(t)
	req := run.Request{Params: c.Params}
	sum, err := run.Sweep(t.Context(), run.SweepConfig{Scenario: s, Seeds: seeds, FailFast: true, Request: req}, func(run.Item) {})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Exit() != 1 {
		t.Fatalf("%d seeds with %v: exit %d, want a violation", sum.Seeds, c.Params, sum.Exit())
	}
	found := sum.Buckets[0].First.Output
	t.Logf("seed %d: %s: %s", found.Seed, found.Violation.Oracle, found.Violation.Message)
	w, err := run.StartWorker(t.Context(), s, run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	req.Seed = found.Seed
	again, err := w.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash != found.Hash {
		t.Fatalf("seed %d has hash %s, and %s when it is repeated", found.Seed, found.Hash, again.Hash)
	}
}

// built is the test of the caller's package.
var built = sync.OnceValues(func() ([]*run.Binary, error) {
	return run.Build(context.Background(), []string{"."}, run.Options{})
})

func (c Case) resolve(t *testing.T) (run.Scenario, run.Seeds) {
	t.Helper()
	binaries, err := built()
	if err != nil {
		t.Fatal(err)
	}
	list, err := binaries[0].Scenarios(t.Context(), regexp.MustCompile("^"+c.Scenario+"$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios %s: %v", len(list), c.Scenario, err)
	}
	seeds, err := run.ParseSeeds(c.Seeds)
	if err != nil {
		t.Fatal(err)
	}
	return list[0], seeds
}
