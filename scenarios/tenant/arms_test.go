package tenant

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/sim/run"
)

// TestArms runs a few seeds of every arm with either workload: go test runs the
// scenarios themselves with the first value of each parameter alone.
func TestArms(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ test, arm string }{{"TestBoundary", "surface"}, {"TestFairness", "load"}} {
		list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^"+c.test+"$"))
		if err != nil || len(list) != 1 {
			t.Fatalf("found %d scenarios %s: %v", len(list), c.test, err)
		}
		w, err := run.StartWorker(t.Context(), list[0], run.WorkerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range list[0].Params[c.arm] {
			for _, generator := range []string{workload.Even, workload.Bursts} {
				t.Run(fmt.Sprintf("%s/%s/%s", c.test, value, generator), func(t *testing.T) {
					for seed := uint64(1); seed <= 2; seed++ {
						params := map[string]string{c.arm: value, workload.Name: generator}
						out, err := w.Run(t.Context(), run.Request{Seed: seed, Params: params})
						if err != nil {
							t.Fatal(err)
						}
						if out.Verdict != run.Pass {
							t.Errorf("seed %d: %s %s %+v", seed, out.Verdict, out.Reason, out.Violation)
						}
					}
				})
			}
		}
		w.Close()
	}
}
