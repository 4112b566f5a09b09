package oracle

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// What a check of a boundary was given is told: answered controls, by surface.
func TestBoundaryCovered(t *testing.T) {
	h := NewHistory(ClockFunc(func() int64 { return 0 }))
	answered := func(c Control, answer string) { h.Invoke(c.Call("c1")).OK(answer) }
	answered(Control{Kind: ControlPlant, Surface: "api", Operation: "put", Tenant: "a", Object: "x", Marks: []string{"mark-a"}}, "done")
	answered(Control{Kind: ControlOwn, Surface: "api", Operation: "get", Tenant: "a", Object: "x", Marks: []string{"mark-a"}}, "mark-a")
	answered(Control{Kind: ControlForeign, Surface: "export", Operation: "get", Tenant: "b", Owner: "a", Object: "x"}, "none")
	answered(Control{Kind: ControlForeign, Surface: "api", Operation: "get", Tenant: "b", Owner: "a", Object: "x"}, "none")
	h.Invoke(Control{Kind: ControlForeign, Surface: "search", Operation: "get", Tenant: "b", Owner: "a", Object: "x"}.Call("c2")) // without an answer
	out := Boundary(h, BoundaryRules{}).Check()
	want := outcome.Coverage{Surfaces: []string{"api", "export"}, Positive: 1, Negative: 2}
	if !reflect.DeepEqual(out.Covered, want) || out.Calls != 5 {
		t.Errorf("covered %+v of %d calls, want %+v of 5", out.Covered, out.Calls, want)
	}
}

// The ways that answered calls took are told, if the rules know them.
func TestFairSurfaces(t *testing.T) {
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { now += int64(time.Millisecond); return now }))
	for range 150 {
		for _, group := range []string{"a", "b"} {
			for _, way := range []string{"search", "get"} {
				h.Invoke(Call{Process: group, Type: way, Key: group}).OK("")
			}
		}
	}
	h.Invoke(Call{Process: "a", Type: "export", Key: "a"}).Fail(errors.New("refused"))
	out := Fair(h, FairRules{ToOthers: 3, SurfaceOf: func(op *Op) string { return op.Type }}).Check()
	want := outcome.Coverage{Surfaces: []string{"get", "search"}, Groups: 2, Percentile: "p99"}
	if out.Verdict != OK || !reflect.DeepEqual(out.Covered, want) {
		t.Errorf("%s: %s, covered %+v, want %+v", out.Verdict, out.Reason, out.Covered, want)
	}
}

// What a check of fairness compared is told: a percentile and a baseline only if a rule is
// about them.
func TestFairCovered(t *testing.T) {
	now := int64(0)
	h := NewHistory(ClockFunc(func() int64 { return now }))
	for range 40 {
		for _, group := range []string{"a", "b"} {
			p := h.Invoke(Call{Process: "of " + group, Type: "get", Key: group})
			now += int64(time.Millisecond)
			p.OK("")
		}
	}
	for _, c := range []struct {
		rules FairRules
		want  outcome.Coverage
	}{
		{FairRules{ToOthers: 2, Samples: 5}, outcome.Coverage{Groups: 2, Percentile: "p99"}},
		{FairRules{Window: 10 * time.Millisecond, Answers: 1}, outcome.Coverage{Groups: 2}},
		{FairRules{ToBaseline: 2, Samples: 5, From: 20 * time.Millisecond}, outcome.Coverage{Groups: 2, Percentile: "p99", Baseline: outcome.BaselineSameRun}},
		{FairRules{ToBaseline: 2, Samples: 5, Baseline: h}, outcome.Coverage{Groups: 2, Percentile: "p99", Baseline: outcome.BaselineOther}},
	} {
		if out := Fair(h, c.rules).Check(); !reflect.DeepEqual(out.Covered, c.want) {
			t.Errorf("%+v: covered %+v, want %+v: %s", c.rules, out.Covered, c.want, out.Reason)
		}
	}
}
