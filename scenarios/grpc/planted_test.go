package grpc

import (
	"regexp"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// TestPlantedBugs finds each planted bug by the check that is there for it.
func TestPlantedBugs(t *testing.T) {
	checks := map[string]string{bugDropMessage: "streams", bugRetry: "execution", bugAnswerFirst: "execution"}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^TestCalls$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	seeds, err := run.ParseSeeds("1-60")
	if err != nil {
		t.Fatal(err)
	}
	for _, bug := range list[0].Params["bug"][1:] {
		c := run.SweepConfig{Scenario: list[0], Seeds: seeds, FailFast: true, Request: run.Request{Params: map[string]string{"bug": bug}}}
		sum, err := run.Sweep(t.Context(), c, func(run.Item) {})
		if err != nil || sum.Exit() != 1 {
			t.Errorf("%s: %d seeds: exit %d, %v", bug, sum.Seeds, sum.Exit(), err)
			continue
		}
		v := sum.Buckets[0].First.Output.Violation
		t.Logf("%s: seed %d: %s", bug, sum.Buckets[0].First.Seed, v.Message)
		if v.Oracle != checks[bug] {
			t.Errorf("%s: found by %s, want %s", bug, v.Oracle, checks[bug])
		}
	}
}
