package shrink

import (
	"runtime"
	"slices"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
)

// TestNeeds: each part of a small run is left out once, and what comes of it told.
func TestNeeds(t *testing.T) {
	link := choice.Override{Stream: "net/n1>n2", Index: 7, Value: 300}
	m := &model{fails: func(m made) bool {
		return holds(m.req.Faults, "at 1s kill n1") && m.drew("net/n1>n2", 7, 300) && len(m.values["client/c1/6"]) > 0
	}}
	req := run.Request{
		Seed: 5, Faults: []string{"at 0s kill n2", "at 1s kill n1"}, Neutral: []string{"net"},
		Overrides: slices.Concat([]choice.Override{link}, dropped("drop/c1", 1, "drop/c1", 2, "drop/c1", 3, "drop/c1", 4, "drop/c1", 5, "drop/c1", 6, "drop/c2", 0)),
	}
	out, err := m.Run(t.Context(), req)
	if err != nil || out.Violation == nil {
		t.Fatalf("the model does not fail: %v", err)
	}
	needs, all, err := Needs(t.Context(), m, Outcome{Request: req, Output: out}, 100)
	if err != nil || !all {
		t.Fatalf("all is %v, %v", all, err)
	}
	want := []Need{
		{Part: FaultPart, Fault: "at 0s kill n2", Without: "fails all the same"},
		{Part: FaultPart, Fault: "at 1s kill n1", Needed: true, Without: "passes"},
		{Part: CallPart, Choice: choice.Override{Stream: "drop/c1", Index: 7, Value: 1}, Needed: true, Without: "passes"},
		{Part: CallPart, Choice: choice.Override{Stream: "drop/c1", Index: 8, Value: 1}, Without: "fails all the same"},
		{Part: ChoicePart, Choice: link, Needed: true, Without: "passes"},
	}
	if !slices.Equal(needs, want) {
		t.Errorf("got  %+v\nwant %+v", needs, want)
	}
	if some, all, err := Needs(t.Context(), m, Outcome{Request: req, Output: out}, 2); err != nil || all || !slices.Equal(some, want[:2]) {
		t.Errorf("at most two: %+v, %v, %v", some, all, err)
	}
	lines, err := Story(out, needs)
	if err != nil {
		t.Fatal(err)
	}
	last := lines[len(lines)-1]
	if !slices.Contains(lines, Line{Who: "fault", What: "at 1s kill n1", Why: "passes"}) || last.What != "model: it fails" {
		t.Errorf("the story is %+v", lines)
	}
}

// A run of many thousand parts takes no request for each: every request holds all the
// others.
func TestNeedsOfMany(t *testing.T) {
	m := &model{fails: func(made) bool { return true }}
	req := run.Request{Seed: 1, Faults: []string{}}
	for i := range 30_000 {
		req.Overrides = append(req.Overrides, choice.Override{Stream: "net/n1>n2", Index: uint64(i), Value: 1})
	}
	out, err := m.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	needs, all, err := Needs(t.Context(), m, Outcome{Request: req, Output: out}, 3)
	runtime.ReadMemStats(&after)
	if err != nil || all || len(needs) != 3 {
		t.Fatalf("%d needs, all %v, %v; want 3 of many", len(needs), all, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 500<<20 {
		t.Errorf("took %d MB for 3 of %d parts", took>>20, len(req.Overrides))
	}
}
