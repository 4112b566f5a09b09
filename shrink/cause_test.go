package shrink

import (
	"context"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// fated fails in every future from a moment on, and in one of four before.
type fated struct{ from int64 }

func (f fated) Branch(_ context.Context, req run.Request, branches []run.Branch) (out [][]run.Output, err error) {
	for _, b := range branches {
		var list []run.Output
		for i, future := range b.Futures {
			o := run.Output{Result: run.Result{Seed: *future.Seed, Verdict: run.Pass}}
			if b.At.Time >= f.from || i%4 == 0 {
				o.Violation = &run.Violation{Oracle: "model", Message: "it fails"}
			} else if i%4 == 1 {
				o.Violation = &run.Violation{Oracle: "model", Message: "it fails otherwise"}
			}
			list = append(list, o)
		}
		out = append(out, list)
	}
	return out, nil
}

func TestCause(t *testing.T) {
	failed := run.Result{Verdict: run.Violated, Virtual: 1001, Violation: &run.Violation{Oracle: "model", Message: "it fails"}}
	points, err := Cause(t.Context(), fated{700}, run.Request{Seed: 3}, failed, 11, 8)
	if err != nil || len(points) != 11 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	for i, p := range points {
		want := 2
		if p.At >= 700 {
			want = 8
		}
		if p.Futures != 8 || p.Fail != want {
			t.Errorf("point %d: %+v, want %d of 8", i, p, want)
		}
	}
	if i, by := Jump(points); points[i].At < 700 || points[i-1].At >= 700 || by != 0.75 {
		t.Errorf("the jump is at %d, by %v: %+v", i, by, points)
	}
	if last := points[10].At; last != 1000 {
		t.Errorf("the last moment is %d, want that before the end", last)
	}
	if _, err := Cause(t.Context(), fated{}, run.Request{}, run.Result{Verdict: run.Pass}, 2, 2); err == nil {
		t.Error("a run that passes has a cause")
	}
}
