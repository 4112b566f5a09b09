// Package textbook measures the shrinker on the bugs that are planted in the
// textbook systems, and in raftkv.
package textbook

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/run"
)

var (
	accept = flag.Bool("shrink.accept", false, "shrink every planted bug, and put the table in docs/failures.md")
	budget = flag.Int("shrink.budget", 800, "runs for each")
)

// sample is what an ordinary test shrinks.
var sample = []string{"TestQueue/send-unsynced", "TestCounter/merge-sum"}

// row is what came of shrinking one bug.
type row struct {
	Name   string      `json:"name"`
	Seed   uint64      `json:"seed"`
	Before shrink.Size `json:"before"`
	After  shrink.Size `json:"after"`
	Runs   int         `json:"runs"`
	End    shrink.End  `json:"end"`
}

// TestShrink shrinks planted bugs: each result is 1-minimal in faults, shrinking
// twice comes to the same, and over all of them most of what there was is gone.
func TestShrink(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	binaries, err := run.Build(t.Context(), []string{"./...", "../raftkv"}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, b := range binaries {
		found, err := b.Scenarios(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found {
			if bugs := s.Params["bug"]; len(bugs) > 1 {
				rows = append(rows, measured(t, s, bugs[1:])...)
			}
		}
	}
	if *accept {
		conclude(t, rows)
	}
}

// measured shrinks the bugs of a scenario that no earlier run of this binary did.
func measured(t *testing.T, s run.Scenario, bugs []string) (rows []row) {
	name := filepath.Join(filepath.Dir(s.Binary.File), fmt.Sprintf("shrink-%s-%s-%d.jsonl", s.Binary.Identity.Build, s.Name, *budget))
	if !*accept {
		name = filepath.Join(t.TempDir(), "rows")
	}
	kept, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	done := map[string]row{}
	for lines := bufio.NewScanner(kept); lines.Scan(); {
		var r row
		if json.Unmarshal(lines.Bytes(), &r) == nil { // the last run may have been killed as it wrote
			done[r.Name] = r
		}
	}
	for _, bug := range bugs {
		id := s.Name + "/" + bug
		if !*accept && !slices.Contains(sample, id) {
			continue
		}
		r, ok := done[id]
		if !ok {
			t.Run(id, func(t *testing.T) { r = one(t, s, bug); r.Name = id })
			line, _ := json.Marshal(r)
			if r.Seed != 0 && !t.Failed() {
				if _, err := kept.Write(append(line, '\n')); err != nil {
					t.Fatal(err)
				}
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// one shrinks the first failure of a bug, twice.
func one(t *testing.T, s run.Scenario, bug string) row {
	ctx, params := t.Context(), map[string]string{"bug": bug}
	seeds, _ := run.ParseSeeds("1-300")
	sum, err := run.Sweep(ctx, run.SweepConfig{Scenario: s, Seeds: seeds, FailFast: true, Request: run.Request{Params: params}}, func(run.Item) {})
	if err != nil || len(sum.Buckets) == 0 {
		t.Fatalf("nothing was found: %v, %v", sum.Verdicts, err)
	}
	failed := sum.Buckets[0].First.Output.Result
	req := run.Request{Seed: failed.Seed, Params: params}
	shrunk := func(procs int, now func() time.Time) shrink.Outcome {
		pool := run.NewPool(s, procs, run.WorkerOptions{})
		defer pool.Close()
		out, err := shrink.Shrink(ctx, pool, req, failed, shrink.Options{Budget: *budget, Procs: procs, Params: s.Params, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := shrunk(runtime.NumCPU(), nil)
	if again := shrunk(runtime.NumCPU()+1, time.Now); !reflect.DeepEqual(again.Request, out.Request) || again.Runs != out.Runs {
		t.Errorf("shrunk again, with other workers, and runs that part: %+v in %d runs, want %+v in %d", again.Request, again.Runs, out.Request, out.Runs)
	}
	if out.End != shrink.Minimal && out.End != shrink.EachFault {
		t.Errorf("shrinking ended with %s after %d runs", out.End, out.Runs)
	}
	minimal(ctx, t, s, out)
	t.Logf("seed %d, %d runs, %s: %d faults to %d, %d departures to %d, %q", failed.Seed, out.Runs, out.End,
		out.Before.Faults, out.After.Faults, out.Before.Departures, out.After.Departures, out.Request.Faults)
	return row{Seed: failed.Seed, Before: out.Before, After: out.After, Runs: out.Runs, End: out.End}
}

// minimal removes each fault that is left: the failure must not come back.
func minimal(ctx context.Context, t *testing.T, s run.Scenario, out shrink.Outcome) {
	pool := run.NewPool(s, 1, run.WorkerOptions{})
	defer pool.Close()
	for i, f := range out.Request.Faults {
		req := out.Request
		req.Faults = slices.Delete(slices.Clone(req.Faults), i, i+1)
		less, err := pool.Run(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		if less.Violation != nil && run.Signature(*less.Violation) == run.Signature(*out.Output.Violation) {
			t.Errorf("without %q the same failure comes back", f)
		}
	}
}

// conclude checks the medians, and puts the table in the docs.
func conclude(t *testing.T, rows []row) {
	var faults, departures []float64
	var b strings.Builder
	b.WriteString("| bug | seed | faults | clients | calls | departures | delays | virtual time | runs |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		if r.Seed == 0 {
			continue // it failed, and said so
		}
		faults = append(faults, removed(r.Before.Faults, r.After.Faults))
		departures = append(departures, removed(r.Before.Departures, r.After.Departures))
		fmt.Fprintf(&b, "| %s | %d | %d → %d | %d → %d | %d → %d | %d → %d | %d → %d | %.2f s → %.2f s | %d |\n", r.Name, r.Seed,
			r.Before.Faults, r.After.Faults, r.Before.Clients, r.After.Clients, r.Before.Calls, r.After.Calls,
			r.Before.Departures, r.After.Departures, r.Before.Delays, r.After.Delays,
			float64(r.Before.Virtual)/1e9, float64(r.After.Virtual)/1e9, r.Runs)
	}
	f, d := median(faults), median(departures)
	fmt.Fprintf(&b, "\n%d bugs. Removed, in the median: %.1f%% of the faults, %.1f%% of the departures from first in, first out.\n", len(faults), 100*f, 100*d)
	t.Log("\n" + b.String())
	if f < 0.95 || d < 0.95 {
		t.Errorf("the medians are %.3f of the faults and %.3f of the departures, want 0.95", f, d)
	}
	const page, mark = "../../docs/failures.md", "<!-- made by make accept-shrink -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(text), mark)
	if !ok {
		t.Fatalf("%s has no line %q", page, mark)
	}
	if err := run.WriteFile(page, []byte(head+mark+b.String())); err != nil {
		t.Fatal(err)
	}
}

// removed is the share that is gone; of nothing, all is.
func removed(before, after int) float64 {
	if before == 0 {
		return 1
	}
	return 1 - float64(after)/float64(before)
}

func median(list []float64) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
