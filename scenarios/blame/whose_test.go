package blame

import (
	"context"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

// TestWhose: each failure is made small, and put down to the party that it is of, by
// the experiment that shows it.
func TestWhose(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^TestRegister$"))
	if err != nil || len(found) != 1 {
		t.Fatalf("found %d scenarios, %v", len(found), err)
	}
	for _, c := range []struct {
		bug   string
		party run.Party
		shows string // by what
		needs string // what is among the faults that are left
	}{
		{"system", run.OfSystem, "", "crash"},
		{"harness", run.OfHarness, "another generator", ""},
		{"checker", run.OfChecker, "put to the test", ""},
		{"disk", run.OfEnvironment, "promises not to have", "lie-sync"},
	} {
		t.Run(c.bug, func(t *testing.T) {
			small, blame := whose(t, found[0], c.bug)
			i := slices.IndexFunc(blame.Experiments, func(e run.Experiment) bool { return e.Shows })
			t.Logf("%s: %s; %v: %+v", blame.Party, blame.Why, small.Request.Faults, blame.Experiments)
			if blame.Party != c.party || (i >= 0) != (c.shows != "") || i >= 0 && !strings.Contains(blame.Experiments[i].Did, c.shows) {
				t.Errorf("got %s by experiment %d, want %s by %q", blame.Party, i, c.party, c.shows)
			}
			if text := strings.Join(small.Request.Faults, "; "); !strings.Contains(text, c.needs) {
				t.Errorf("the small run has faults %q, want %q", text, c.needs)
			}
		})
	}
}

// whose finds a failure, makes it small, and puts it down to a party.
func whose(t *testing.T, s run.Scenario, bug string) (shrink.Outcome, run.Blame) {
	t.Helper()
	ctx, params := t.Context(), map[string]string{"bug": bug}
	seeds, _ := run.ParseSeeds("1-200")
	sum, err := run.Sweep(ctx, run.SweepConfig{Scenario: s, Seeds: seeds, FailFast: true, Request: run.Request{Params: params}}, func(run.Item) {})
	if err != nil || len(sum.Buckets) == 0 {
		t.Fatalf("nothing was found: %v, %v", sum.Verdicts, err)
	}
	failed := sum.Buckets[0].First.Output.Result
	pool := run.NewPool(s, runtime.NumCPU(), run.WorkerOptions{})
	defer pool.Close()
	small, err := shrink.Shrink(ctx, pool, run.Request{Seed: failed.Seed, Params: params}, failed, shrink.Options{
		Budget: 150, Procs: runtime.NumCPU(), Depth: shrink.OnlyFaults,
	})
	if err != nil {
		t.Fatal(err)
	}
	blame, err := shrink.Whose(ctx, pool, small, shrink.BlameOptions{
		Params: s.Params, Seeds: 20,
		Fresh: func(ctx context.Context, req run.Request) (run.Output, error) {
			return run.Fresh(ctx, s, req, run.WorkerOptions{})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return small, blame
}
