package etcd

import (
	"regexp"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// TestFindsLostWrites runs etcd without fsync, which loses acknowledged writes
// when power fails: the sweep must find it, and a fresh process must repeat it.
func TestFindsLostWrites(t *testing.T) {
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^TestEtcd$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	seeds, err := run.ParseSeeds("1-60")
	if err != nil {
		t.Fatal(err)
	}
	req := run.Request{Params: map[string]string{"unsafe-no-fsync": "on"}}
	sum, err := run.Sweep(t.Context(), run.SweepConfig{Scenario: list[0], Seeds: seeds, FailFast: true, Request: req}, func(run.Item) {})
	if err != nil || sum.Exit() != 1 {
		t.Fatalf("%d seeds: exit %d, %v", sum.Seeds, sum.Exit(), err)
	}
	found := sum.Buckets[0].First.Output
	t.Logf("seed %d of %d: %s: %s", found.Seed, sum.Seeds, found.Violation.Oracle, found.Violation.Message)
	w, err := run.StartWorker(t.Context(), list[0], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	req.Seed = found.Seed
	again, err := w.Run(t.Context(), req)
	if err != nil || again.Hash != found.Hash {
		t.Fatalf("seed %d has hash %s, and %s when it is repeated: %v", found.Seed, found.Hash, again.Hash, err)
	}
}
