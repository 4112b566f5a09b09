package run

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func seedsOf(t *testing.T, text string) Seeds {
	t.Helper()
	s, err := ParseSeeds(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sweepFake sweeps, and returns what was reported, in order.
func sweepFake(t *testing.T, ctx context.Context, c SweepConfig) (Summary, []Item) {
	t.Helper()
	var items []Item
	s, err := Sweep(ctx, c, func(it Item) { items = append(items, it) })
	if err != nil {
		t.Fatal(err)
	}
	s.Wall = 0
	return s, items
}

func seedsIn(items []Item) (seeds []uint64) {
	for _, it := range items {
		seeds = append(seeds, it.Seed)
	}
	return seeds
}

func TestSweepIsTheSameForAnyProcs(t *testing.T) {
	c := SweepConfig{Scenario: fake("Mixed"), Seeds: seedsOf(t, "30-33,1-20"), Procs: 1, Verify: 0.3}
	want, wantItems := sweepFake(t, t.Context(), c)
	if got := seedsIn(wantItems); !slices.Equal(got[:5], []uint64{30, 31, 32, 33, 1}) || len(got) != 24 {
		t.Errorf("one worker: seeds %v", got)
	}
	c.Procs = 3
	got, items := sweepFake(t, t.Context(), c)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("three workers: %+v\none worker: %+v", got, want)
	}
	if !reflect.DeepEqual(items, wantItems) {
		t.Error("the items differ from those of one worker")
	}
	if n := want.Verdicts; n[Violated] != 3 || n[Vacuous] != 2 || n[Unknown] != 1 || n[Died] != 1 || n[Pass] != 17 {
		t.Errorf("verdicts %v", n)
	}
	if b := want.Buckets; len(b) != 1 || b[0].First.Seed != 33 || b[0].Count != 3 || !b[0].First.Verified {
		t.Errorf("buckets %+v, want one of seed 33 that was run again", b)
	}
	if len(want.Troubles) != 2 || want.Exit() != 1 {
		t.Errorf("troubles %+v, exit %d", want.Troubles, want.Exit())
	}
}

func TestFiftyFailuresOfThreeKinds(t *testing.T) {
	s, _ := sweepFake(t, t.Context(), SweepConfig{Scenario: fake("Kinds"), Seeds: seedsOf(t, "1-100")})
	if s.Verdicts[Violated] != 50 || len(s.Buckets) != 3 {
		t.Fatalf("%d failures in %d buckets, want 50 in 3", s.Verdicts[Violated], len(s.Buckets))
	}
	for i, want := range []Bucket{
		{Signature: "durability: _ lost key _ after #", First: Item{Seed: 2}, Count: 17},
		{Signature: "panic: nil map | kv.(*Server).put | kv.Main", First: Item{Seed: 4}, Count: 17},
		{Signature: "panic: nil map | kv.(*Server).get | kv.Main", First: Item{Seed: 6}, Count: 16},
	} {
		if b := s.Buckets[i]; b.Signature != want.Signature || b.First.Seed != want.First.Seed || b.Count != want.Count {
			t.Errorf("bucket %d: %q, first seed %d, %d of them, want %+v", i, b.Signature, b.First.Seed, b.Count, want)
		}
	}
}

// A failure that is known stops and fails no sweep; a new one beside it does.
func TestKnownFailures(t *testing.T) {
	known := []Known{
		{Signature: "durability: _ lost key _ after #", Issue: "#1", Note: "n"},
		{Signature: "panic: nil map | kv.(*Server).put | kv.Main", Issue: "#2", Note: "n"},
		{Signature: "o: never", Issue: "#3", Note: "n"},
	}
	c := SweepConfig{Scenario: fake("Kinds"), Seeds: seedsOf(t, "1-5"), FailFast: true, Known: known}
	s, _ := sweepFake(t, t.Context(), c)
	if s.Exit() != 0 || s.Seeds != 5 || s.Verdicts[Violated] != 2 || s.NewFailures() != 0 {
		t.Errorf("known alone: exit %d after %d seeds: %v", s.Exit(), s.Seeds, s.Verdicts)
	}
	if b := s.Buckets; len(b) != 2 || b[0].Known.Issue != "#1" || b[1].Known.Issue != "#2" {
		t.Errorf("buckets %+v, want two that are known", b)
	}
	if got := s.NotSeen(); len(got) != 1 || got[0].Issue != "#3" {
		t.Errorf("not seen: %+v, want #3", got)
	}
	c.Seeds = seedsOf(t, "1-20")
	s, _ = sweepFake(t, t.Context(), c)
	if s.Exit() != 1 || s.Seeds != 6 || s.NewFailures() != 1 {
		t.Errorf("a new one beside them: exit %d after %d seeds, %d new", s.Exit(), s.Seeds, s.NewFailures())
	}
}

func TestSweepOfDifferingRuns(t *testing.T) {
	s, items := sweepFake(t, t.Context(), SweepConfig{Scenario: fake("Differs"), Seeds: seedsOf(t, "3-5"), Verify: 1})
	if s.Verdicts[Nondeterministic] != 1 || s.Verified != 3 || s.Exit() != 3 {
		t.Errorf("%v, %d verified, exit %d", s.Verdicts, s.Verified, s.Exit())
	}
	d := items[1].Difference
	if d == nil || d.Index != 2 || d.A == d.B || len(d.StackA) != 1 || d.StackA[0] != "main.third third.go:3" {
		t.Errorf("difference %+v, want the third event with its stack", d)
	}
}

func TestVerify(t *testing.T) {
	if d, err := Verify(t.Context(), fake("Differs"), Request{Seed: 3}, WorkerOptions{}); d != nil || err != nil {
		t.Errorf("equal runs: %v, %v", d, err)
	}
	d, err := Verify(t.Context(), fake("Differs"), Request{Seed: 4}, WorkerOptions{})
	if err != nil || d == nil || d.Index != 2 {
		t.Errorf("different runs: %v, %v", d, err)
	}
}

func TestFailFast(t *testing.T) {
	s, items := sweepFake(t, t.Context(), SweepConfig{Scenario: fake("Mixed"), Seeds: seedsOf(t, "1-1000000"), Procs: 3, FailFast: true})
	if got := seedsIn(items); !slices.Equal(got, []uint64{1, 2, 3}) || s.Interrupted || s.Exit() != 1 {
		t.Errorf("seeds %v, interrupted %v, exit %d", got, s.Interrupted, s.Exit())
	}
}

func TestSweepFor(t *testing.T) {
	s, items := sweepFake(t, t.Context(), SweepConfig{Scenario: fake("Good"), Seeds: seedsOf(t, "0-18446744073709551614"), For: 300 * time.Millisecond})
	for i, it := range items {
		if it.Seed != uint64(i) {
			t.Fatalf("seeds %v, want all up to the last", seedsIn(items))
		}
	}
	if s.Interrupted || s.Seeds != uint64(len(items)) {
		t.Errorf("%+v after %d seeds", s, len(items))
	}
}

// An interrupted sweep tells what it knows, and leaves no process behind.
func TestInterruptedSweep(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { awaitFiles(dir, 2); cancel() }()
	s, items := sweepFake(t, ctx, SweepConfig{
		Scenario: fake("Hangs"), Seeds: seedsOf(t, "1-10"), Procs: 2, Request: Request{Params: map[string]string{"pids": dir}},
	})
	if !s.Interrupted || len(items) != 0 || s.Exit() != 3 {
		t.Errorf("interrupted %v, %d items, exit %d", s.Interrupted, len(items), s.Exit())
	}
	allGone(t, dir, 2)
}

func TestSweepGoesOnAfterItsWorkerEnds(t *testing.T) {
	s, items := sweepFake(t, t.Context(), SweepConfig{Scenario: fake("KillsWorker"), Seeds: seedsOf(t, "1-5"), Procs: 1})
	if s.Verdicts[Pass] != 4 || s.Verdicts[Died] != 1 || !strings.Contains(items[2].Output.Reason, "both of us") {
		t.Errorf("%v: %+v", s.Verdicts, items)
	}
}

func TestSweepWithoutWorkers(t *testing.T) {
	_, err := Sweep(t.Context(), SweepConfig{Scenario: fake("NoTest"), Seeds: seedsOf(t, "1-5")}, func(Item) {})
	if err == nil || !strings.Contains(err.Error(), "no such test") {
		t.Errorf("got %v, want the worker's words", err)
	}
}

func TestExit(t *testing.T) {
	counts := func(v ...Verdict) map[Verdict]uint64 {
		m := map[Verdict]uint64{}
		for _, x := range v {
			m[x]++
		}
		return m
	}
	for i, c := range []struct {
		s    Summary
		want int
	}{
		{Summary{Seeds: 1, Verdicts: counts(Pass)}, 0},
		{Summary{Seeds: 0, Verdicts: counts()}, 3},
		{Summary{Seeds: 2, Verdicts: counts(Pass, Vacuous), MaxVacuous: 0.5}, 0},
		{Summary{Seeds: 2, Verdicts: counts(Pass, Vacuous), MaxVacuous: 0.4}, 3},
		{Summary{Seeds: 2, Verdicts: counts(Violated, Died)}, 1},
		{Summary{Seeds: 2, Verdicts: counts(Violated, Nondeterministic)}, 3},
		{Summary{Seeds: 1, Verdicts: counts(NoProgress)}, 3},
		{Summary{Seeds: 1, Verdicts: counts(Unknown)}, 3},
		{Summary{Seeds: 1, Verdicts: counts(Pass), Interrupted: true}, 3},
		{Summary{Seeds: 1, Verdicts: counts(Pass), Faults: []FaultCount{{"cut", 99, 0}}}, 0},
		{Summary{Seeds: 1, Verdicts: counts(Pass), Faults: []FaultCount{{"cut", 100, 0}}}, 3},
		{Summary{Seeds: 1, Verdicts: counts(Pass), Faults: []FaultCount{{"cut", 100, 1}}}, 0},
	} {
		if got := c.s.Exit(); got != c.want {
			t.Errorf("case %d: exit %d, want %d", i, got, c.want)
		}
	}
}

// A second run that ends without a result takes nothing away from a violation, and
// leaves no pass.
func TestSecondRunIsLost(t *testing.T) {
	for first, want := range map[Verdict]Verdict{Violated: Violated, Pass: Died} {
		seeds, _ := ParseSeeds("1")
		params := map[string]string{"first": string(first), "mark": filepath.Join(t.TempDir(), "mark")}
		s, err := Sweep(t.Context(), SweepConfig{Scenario: fake("OnlyOnce"), Seeds: seeds, Verify: 1, Request: Request{Params: params}}, func(it Item) {
			if it.Verified || !strings.Contains(it.Output.Reason, "without a result") {
				t.Errorf("%s: verified %v, %q", first, it.Verified, it.Output.Reason)
			}
		})
		if err != nil || s.Verdicts[want] != 1 {
			t.Errorf("first %s, then no result: %v, %v, want one %s", first, s.Verdicts, err, want)
		}
	}
}

func TestVerifyOfALostRun(t *testing.T) {
	if d, err := Verify(t.Context(), fake("Killed"), Request{}, WorkerOptions{}); err == nil || d != nil {
		t.Errorf("two runs that died were compared: %v, %v", d, err)
	}
}

// A scenario that cannot be listed is an error, not left out.
func TestListingThatEndsEarly(t *testing.T) {
	b := fake("").Binary
	b.tests = []string{"TestA", "TestB"}
	if got, err := b.Scenarios(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "TestB") {
		t.Errorf("listed %v, %v, want an error that names TestB", got, err)
	}
	b.tests = []string{"TestA"}
	if got, err := b.Scenarios(t.Context(), nil); err != nil || len(got) != 1 {
		t.Errorf("listed %v, %v, want TestA", got, err)
	}
}
