package shrink

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
	"pgregory.net/rapid"
)

var stale = run.Violation{Oracle: "linearizability", Message: "get(x) = 3, want 4"}

// failed returns the result of a run that failed with plan.
func failed(plan []string) run.Result {
	r := run.Result{Verdict: run.Violated, Violation: &stale}
	for _, line := range plan {
		r.Faults = append(r.Faults, run.Fault{Text: line, Landed: true})
	}
	return r
}

// failsIf makes a Run of a predicate, which fails with another number each time.
func failsIf(pred func(faults []string) bool) Run {
	var runs atomic.Int64
	return func(_ context.Context, faults []string) (run.Result, error) {
		r := failed(faults)
		n := runs.Add(1)
		r.Violation = &run.Violation{Oracle: stale.Oracle, Message: fmt.Sprintf("get(x) = %d, want %d", n, n+1)}
		if !pred(faults) {
			r.Verdict, r.Violation = run.Pass, nil
		}
		return r, nil
	}
}

// holds reports whether faults has every line of want.
func holds(faults []string, want ...string) bool {
	for _, w := range want {
		if !slices.Contains(faults, w) {
			return false
		}
	}
	return true
}

func numbered(n int) []string {
	plan := make([]string, n)
	for i := range plan {
		plan[i] = fmt.Sprintf("at %dms kill n%d", i*100, i%5)
	}
	return plan
}

// Run is [Runs] of plans alone.
type Run func(ctx context.Context, faults []string) (run.Result, error)

func (r Run) Run(ctx context.Context, req run.Request) (run.Output, error) {
	out, err := r(ctx, req.Faults)
	return run.Output{Result: out}, err
}

// plan is what came of shrinking a plan.
type plan struct {
	Outcome
	Faults []string
	Before int
	Result run.Result
}

func shrinkPlan(ctx context.Context, do Run, failed run.Result, budget int) (plan, error) {
	out, err := Shrink(ctx, do, run.Request{Seed: 1}, failed, Options{Budget: budget, Depth: OnlyFaults})
	return plan{out, out.Request.Faults, out.Before.Faults, out.Output.Result}, err
}

func shrunk(t rapid.TB, do Run, lines []string, budget int) plan {
	t.Helper()
	out, err := shrinkPlan(context.Background(), do, failed(lines), budget)
	if err != nil {
		t.Fatalf("shrink: %v", err)
	}
	return out
}

func TestExactMinimum(t *testing.T) {
	plan := numbered(16)
	for _, c := range []struct {
		name string
		pred func([]string) bool
		want []string
	}{
		{"no fault needed", func([]string) bool { return true }, nil},
		{"one", func(f []string) bool { return holds(f, plan[11]) }, []string{plan[11]}},
		{"two far apart", func(f []string) bool { return holds(f, plan[0], plan[15]) }, []string{plan[0], plan[15]}},
		{"three", func(f []string) bool { return holds(f, plan[2], plan[3], plan[9]) }, []string{plan[2], plan[3], plan[9]}},
		{"all", func(f []string) bool { return holds(f, plan...) }, plan},
		{"any two of one node", func(f []string) bool {
			return len(slices.DeleteFunc(slices.Clone(f), func(l string) bool { return !strings.HasSuffix(l, "n3") })) >= 2
		}, []string{"at 0s kill n3", "at 0s kill n3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := shrunk(t, failsIf(c.pred), plan, 1000)
			if !slices.Equal(out.Faults, c.want) || out.End != Minimal || out.Before != 16 {
				t.Fatalf("got %q, end %q, before %d; want %q, %q, 16", out.Faults, out.End, out.Before, c.want, Minimal)
			}
			if got := texts(out.Result.Faults); !slices.Equal(got, c.want) {
				t.Fatalf("result is of the run with %q, want that with %q", got, c.want)
			}
		})
	}
}

// The failure needs a set of lines, or any of some other sets: not monotone, for
// a poison line hides the failure unless its antidote is there too.
func TestOneMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := numbered(rapid.IntRange(1, 14).Draw(t, "lines"))
		line := rapid.SampledFrom(plan)
		needs := rapid.SliceOfN(rapid.SliceOfN(line, 0, 4), 1, 3).Draw(t, "needs")
		poison, antidote := line.Draw(t, "poison"), line.Draw(t, "antidote")
		pred := func(f []string) bool {
			if slices.Equal(f, plan) {
				return true
			}
			if holds(f, poison) && !holds(f, antidote) {
				return false
			}
			return slices.ContainsFunc(needs, func(need []string) bool { return holds(f, need...) })
		}
		out := shrunk(t, failsIf(pred), plan, 10_000)
		if out.End != Minimal {
			t.Fatalf("end is %q, want %q", out.End, Minimal)
		}
		if !pred(out.Faults) {
			t.Fatalf("%q does not fail", out.Faults)
		}
		for i := range out.Faults {
			if rest := slices.Delete(slices.Clone(out.Faults), i, i+1); pred(rest) {
				t.Fatalf("%q is not 1-minimal: %q fails too", out.Faults, rest)
			}
		}
		if again := shrunk(t, failsIf(pred), plan, 10_000); again.Runs != out.Runs || !slices.Equal(again.Faults, out.Faults) {
			t.Fatalf("shrunk twice: %q in %d runs, then %q in %d", out.Faults, out.Runs, again.Faults, again.Runs)
		}
	})
}

func TestBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := numbered(12)
		pred := func(f []string) bool { return holds(f, plan[1], plan[7], plan[10]) }
		whole := shrunk(t, failsIf(pred), plan, 1000)
		budget := rapid.IntRange(0, whole.Runs+2).Draw(t, "budget")
		made := 0
		do := failsIf(pred)
		out := shrunk(t, func(ctx context.Context, f []string) (run.Result, error) {
			made++
			return do(ctx, f)
		}, plan, budget)
		want := OutOfBudget
		if budget >= whole.Runs {
			want = Minimal
		}
		if out.End != want || out.Runs != made || made > budget || !pred(out.Faults) {
			t.Fatalf("budget %d of %d: end %q, want %q; said %d runs, made %d; %q", budget, whole.Runs, out.End, want, out.Runs, made, out.Faults)
		}
	})
}

func TestShorter(t *testing.T) {
	plan := []string{"at 1s crash n1 for 8s", "at 2s cut n1 n2 for 3s", "at 3s skew n1 by 2s for 4s"}
	pred := func(f []string) bool {
		// The crash must last a second and a half, the skew half a millisecond; a
		// crash of three seconds or more needs the cut as well.
		i := slices.IndexFunc(f, func(l string) bool { return strings.HasPrefix(l, "at 1s crash n1 for ") })
		if i < 0 || !slices.ContainsFunc(f, func(l string) bool { return strings.HasPrefix(l, "at 3s skew n1 by 2s for ") }) {
			return false
		}
		switch strings.TrimPrefix(f[i], "at 1s crash n1 for ") {
		case "8s", "4s":
			return slices.ContainsFunc(f, func(l string) bool { return strings.HasPrefix(l, "at 2s cut n1 n2") })
		case "2s":
			return true
		}
		return false
	}
	out := shrunk(t, failsIf(pred), plan, 1000)
	want := []string{"at 1s crash n1 for 2s", "at 3s skew n1 by 2s for 1ms"}
	if !slices.Equal(out.Faults, want) || out.End != Minimal {
		t.Fatalf("got %q, end %q; want %q: the cut is not needed once the crash is short", out.Faults, out.End, want)
	}
}

func TestFewerVictims(t *testing.T) {
	plan := []string{"at 500ms partition n1,n2,n4|n3,n5 for 2ms"}
	pred := func(f []string) bool {
		if len(f) != 1 {
			return false
		}
		sides := strings.Split(strings.Fields(f[0])[3], "|")
		return holds(strings.Split(sides[0], ","), "n4") && holds(strings.Split(sides[1], ","), "n3")
	}
	out := shrunk(t, failsIf(pred), plan, 1000)
	if want := "at 0s partition n4|n3 for 1ms"; len(out.Faults) != 1 || out.Faults[0] != want {
		t.Fatalf("got %q, want %q", out.Faults, want)
	}
}

func TestAnotherFailureIsNotTheSame(t *testing.T) {
	plan := numbered(4)
	for _, other := range []run.Violation{
		{Oracle: "panic", Message: stale.Message},
		{Oracle: stale.Oracle, Message: "put(x) = 3, want 4"},
	} {
		do := func(_ context.Context, f []string) (run.Result, error) {
			r := failed(f)
			if len(f) < 4 {
				r.Violation = &other
			}
			return r, nil
		}
		want := []string{"at 0ms kill n0", "at 0s kill n1", "at 0s kill n2", "at 0s kill n3"}
		if out := shrunk(t, do, plan, 1000); !slices.Equal(out.Faults, want) || out.End != Minimal {
			t.Fatalf("beside %v: got %q, end %q; want all faults, as early as can be", other, out.Faults, out.End)
		}
	}
}

func TestLost(t *testing.T) {
	plan := numbered(4)
	out := shrunk(t, failsIf(func([]string) bool { return false }), plan, 1000)
	if out.End != Lost || out.Runs != 1 || !slices.Equal(out.Faults, plan) {
		t.Fatalf("got end %q after %d runs with %q; want %q after 1 with the plan", out.End, out.Runs, out.Faults, Lost)
	}
}

func TestErrorKeepsWhatIsKnown(t *testing.T) {
	plan := numbered(8)
	broken := errors.New("no worker")
	do := failsIf(func(f []string) bool { return holds(f, plan[5]) })
	out, err := shrinkPlan(context.Background(), func(ctx context.Context, f []string) (run.Result, error) {
		if len(f) == 2 {
			return run.Result{}, broken
		}
		return do(ctx, f)
	}, failed(plan), 1000)
	if !errors.Is(err, broken) || out.End != Interrupted || !slices.Equal(out.Faults, plan[4:]) {
		t.Fatalf("got %q, end %q, error %v; want %q, %q, the run's error", out.Faults, out.End, err, plan[4:], Interrupted)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := shrinkPlan(ctx, do, failed(plan), 1000); !errors.Is(err, context.Canceled) || out.End != Interrupted {
		t.Fatalf("cancelled: end %q, error %v; want %q", out.End, err, Interrupted)
	}
}

func TestEarlierAndBothWays(t *testing.T) {
	plan := []string{"at 9s cut n1>n2 for 2s"}
	pred := func(f []string) bool {
		return len(f) == 1 && (f[0] == plan[0] || strings.HasPrefix(f[0], "at 9s cut n1>n2 for ") || strings.HasPrefix(f[0], "at 4.5s cut n1>n2 for ") || strings.HasPrefix(f[0], "at 4.5s partition n1|n2 for "))
	}
	out := shrunk(t, failsIf(pred), plan, 1000)
	if want := "at 4.5s partition n1|n2 for 1ms"; len(out.Faults) != 1 || out.Faults[0] != want {
		t.Fatalf("got %q, want %q", out.Faults, want)
	}
}
