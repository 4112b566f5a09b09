package sim

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

// shrinkBudget is how many runs a failing go test spends on shrinking.
const shrinkBudget = 100

// report fails t with what a sweep found, and with the lines that replay it. It
// returns how many kinds of failure are known.
func report(ctx context.Context, t *testing.T, s run.Scenario, params map[string]string, sum run.Summary) (excused int) {
	t.Helper()
	for _, b := range sum.Buckets {
		if b.Known != nil {
			excused++
			t.Logf("%s\n%s", failure(ctx, s, params, b), b.Known)
			continue
		}
		t.Errorf("%s", failure(ctx, s, params, b))
	}
	for _, k := range sum.NotSeen() {
		t.Logf("%s, and not seen in %d seeds: %s", k, sum.Seeds, k.Signature)
	}
	for _, it := range sum.Troubles {
		t.Errorf("seed %d: %s: %s", it.Seed, it.Output.Verdict, it.Output.Reason)
		if it.Difference != nil {
			t.Error(strings.Join(it.Difference.Lines(), "\n"))
		}
	}
	switch {
	case sum.Interrupted:
		t.Errorf("interrupted after %d seeds", sum.Seeds)
	case sum.TooVacuous():
		t.Errorf("%d of %d seeds were vacuous: no fault landed, or a check was given nothing", sum.Verdicts[run.Vacuous], sum.Seeds)
	}
	for _, kind := range sum.NeverLanded() {
		t.Errorf("%s never landed", kind)
	}
	t.Logf("%d seeds, %d faults landed, %d system calls", sum.Seeds, sum.Landed(), sum.Calls)
	return excused
}

// failure tells one kind of failure: the violation, the faults that it needs, and
// how to run it again.
func failure(ctx context.Context, s run.Scenario, params map[string]string, b run.Bucket) string {
	r := b.First.Output.Result
	var out strings.Builder
	fmt.Fprintf(&out, "seed %d: %s: %s", r.Seed, r.Violation.Oracle, r.Violation.Message)
	if b.Count > 1 {
		fmt.Fprintf(&out, " (and %d seeds more)", b.Count-1)
	}
	minimal, err := shrunk(ctx, s, params, r)
	if err != nil {
		fmt.Fprintf(&out, "\nshrinking ended early: %v", err)
	}
	if len(r.Faults) > 0 && minimal.Runs > 0 {
		fmt.Fprintf(&out, "\nshrunk %d faults to %d (%s):", len(r.Faults), len(minimal.Request.Faults), minimal.End)
		for _, f := range minimal.Output.Faults {
			fmt.Fprintf(&out, "\n  %s  (%s)", f.Text, f.Evidence)
		}
		r.Violation = minimal.Output.Violation
	}
	for _, text := range []string{r.Violation.Detail, r.Violation.Stack} {
		if text != "" {
			out.WriteString("\n" + text)
		}
	}
	fmt.Fprintf(&out, "\nTo re-run: %s", s.ReplayLine(run.Request{Seed: r.Seed, Params: params}))
	return out.String()
}

// shrunk runs a failure again with fewer and fewer faults.
func shrunk(ctx context.Context, s run.Scenario, params map[string]string, r run.Result) (shrink.Outcome, error) {
	pool := run.NewPool(s, runtime.NumCPU(), run.WorkerOptions{})
	defer pool.Close()
	req := run.Request{Seed: r.Seed, Params: params}
	return shrink.Shrink(ctx, pool, req, r, shrink.Options{Budget: shrinkBudget, Procs: runtime.NumCPU(), Depth: shrink.OnlyFaults})
}
