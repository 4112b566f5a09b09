package inventory

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

// Each planted bug is found, and shrunk to the least that shows it: what a byte takes
// for nothing, and lines that are one too many together.
func TestPlantedBugs(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		t.Skip("only listed")
	}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^TestInventory$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	for _, c := range []struct {
		bug  string
		seed uint64
		want string // of the least
	}{
		{bugNarrow, 1, "taken true: it would hold 256 of 200"},
		{bugLines, 149, "taken true: it would hold 201 of 200"},
	} {
		t.Run(c.bug, func(t *testing.T) {
			pool := run.NewPool(list[0], runtime.NumCPU(), run.WorkerOptions{})
			defer pool.Close()
			req := run.Request{Seed: c.seed, Params: map[string]string{"bug": c.bug}}
			failed, err := pool.Run(t.Context(), req)
			if err != nil || failed.Violation == nil {
				t.Fatalf("seed %d does not find it: %s: %v", c.seed, failed.Verdict, err)
			}
			out, err := shrink.Shrink(t.Context(), pool, req, failed.Result, shrink.Options{Budget: 3000, Procs: runtime.NumCPU(), Params: list[0].Params})
			if err != nil || out.End != shrink.Minimal {
				t.Fatalf("shrinking ended with %s, %v, after %d runs", out.End, err, out.Runs)
			}
			t.Logf("%d runs: %d calls to %d: %s; %+v", out.Runs, out.Before.Calls, out.After.Calls, out.Output.Violation.Message, out.Request.Overrides)
			if got := out.Output.Violation.Message; !strings.HasSuffix(got, c.want) {
				t.Errorf("shrunk to %q, want it to end with %q", got, c.want)
			}
			if len(out.Request.Faults) > 0 || out.After.Clients != 1 {
				t.Errorf("faults %q and %d clients are left, want none and one", out.Request.Faults, out.After.Clients)
			}
		})
	}
}
