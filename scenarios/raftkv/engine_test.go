package raftkv

import (
	"context"
	"flag"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/shrink"
	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// The tests in this file use the scenario to test the engine.

func find(t *testing.T) run.Scenario {
	t.Helper()
	if os.Getenv("ORRERY_LIST") != "" {
		t.Skip("only listed")
	}
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("^TestKV$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	return list[0]
}

func worker(t *testing.T, s run.Scenario) *run.Worker {
	t.Helper()
	w, err := run.StartWorker(t.Context(), s, run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func once(t *testing.T, w *run.Worker, req run.Request) run.Output {
	t.Helper()
	out, err := w.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if out.Verdict == run.Died || out.Verdict == run.NoProgress {
		t.Fatalf("%s: %s", out.Verdict, out.Reason)
	}
	return out
}

var seedsOfOne = flag.Uint64("one.seeds", 100, "seeds that one worker runs; make accept-memory takes 10000")

// hugePages is what the machine's kernel may add to a process on its own, when it
// makes a few huge pages of small ones.
const hugePages = 4 * 2 << 20

// TestOneWorkersMemory: what a worker holds does not grow with the runs that it has
// made.
func TestOneWorkersMemory(t *testing.T) {
	w := worker(t, find(t))
	var early uint64
	for seed := range *seedsOfOne {
		once(t, w, run.Request{Seed: 1 + seed})
		if seed == 9 || seed == *seedsOfOne-1 {
			held, err := w.Memory()
			if err != nil || held == 0 {
				t.Fatalf("the worker holds %d bytes: %v", held, err)
			}
			t.Logf("after %d seeds the worker holds %.1f MB", seed+1, float64(held)/1e6)
			if seed == 9 {
				early = held
			} else if held > early+hugePages {
				t.Errorf("the worker held %d bytes after 10 seeds and holds %d after %d: want %d more at most", early, held, seed+1, hugePages)
			}
		}
	}
}

// TestFirstOrLast: a seed that a worker runs first, and after many others, is the
// same run; so it is in another process.
func TestFirstOrLast(t *testing.T) {
	others := uint64(500)
	if testing.Short() {
		others = 20
	}
	s := find(t)
	w := worker(t, s)
	first := once(t, w, run.Request{Seed: 7})
	for seed := range others {
		once(t, w, run.Request{Seed: 100 + seed})
	}
	last, other := once(t, w, run.Request{Seed: 7}), once(t, worker(t, s), run.Request{Seed: 7})
	if first.Hash != last.Hash || first.Hash != other.Hash {
		t.Fatalf("seed 7 has hash %s first, %s after %d others, %s in another process", first.Hash, last.Hash, others, other.Hash)
	}
}

// TestMagnitudeZero: faults that do nothing leave the run as it was.
func TestMagnitudeZero(t *testing.T) {
	w := worker(t, find(t))
	for seed := uint64(1); seed <= 3; seed++ {
		none := once(t, w, run.Request{Seed: seed, Faults: []string{}})
		zero := once(t, w, run.Request{Seed: seed, Faults: []string{
			"at 1s lose n1 n2 0% for 3s", "at 2s delay n2 n3 by 0s for 3s", "at 3s skew n1 by 0s for 3s", "at 4s slow-disk n2 by 0s for 3s",
		}})
		if none.Hash != zero.Hash {
			t.Fatalf("seed %d: hash %s without faults, %s with faults of magnitude zero", seed, none.Hash, zero.Hash)
		}
		one := once(t, w, run.Request{Seed: seed, Faults: []string{"at 2s lose n1 n2 20% for 9s", "at 2s lose n2 n3 20% for 9s"}})
		if one.Hash == none.Hash || !one.Faults[0].Landed && !one.Faults[1].Landed {
			t.Fatalf("seed %d: a loss of 20%% left the run as it was: %+v", seed, one.Faults)
		}
	}
}

// choices returns what each stream drew, in its order.
func choices(t *testing.T, o run.Output) map[uint64][]trace.Event {
	t.Helper()
	streams := map[uint64][]trace.Event{}
	r := trace.NewReader(o.Events)
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		if e.Kind == trace.Choice {
			streams[e.A] = append(streams[e.A], e)
		}
	}
	if r.Err() != nil || len(streams) == 0 {
		t.Fatalf("no choices were recorded: %v", r.Err())
	}
	return streams
}

// TestDroppedClient: without the client that talks to n1 alone, the others' choices
// are what they were. A choice is the same if its stream drew the same 64 bits at
// its place, whatever they were scaled to.
func TestDroppedClient(t *testing.T) {
	w := worker(t, find(t))
	req := run.Request{Seed: 3, Faults: []string{}, Record: run.RecordEvents, Params: map[string]string{"lone": "with"}}
	with := choices(t, once(t, w, req))
	req.Params = map[string]string{"lone": "without"}
	without := choices(t, once(t, w, req))
	same, all := 0, 0
	for key, before := range with {
		after := without[key]
		if own(key) {
			continue
		}
		for i, e := range before {
			all++
			if i < len(after) && e.B == after[i].B && (e.C != after[i].C || e.Value == after[i].Value) {
				same++
			}
		}
	}
	t.Logf("%d of %d choices are as they were", same, all)
	if all < 10_000 || float64(same) < 0.95*float64(all) {
		t.Fatalf("%d of %d choices of the others are as they were, want 95%%", same, all)
	}
}

// own reports whether a stream is of the client that is dropped, or of the node
// that it touches: those may differ.
func own(key uint64) bool { return ownKeys[key] }

var ownKeys = map[uint64]bool{
	uint64(choice.NameKey("client/lone1")): true,
	uint64(choice.NameKey("net/lone1>n1")): true,
	uint64(choice.NameKey("net/n1>lone1")): true,
}

// TestPlantedBugs finds each planted bug, replays it in a fresh process, shrinks its
// faults until none can be left out, and puts it down to the system.
func TestPlantedBugs(t *testing.T) {
	s := find(t)
	for _, bug := range s.Params["bug"][1:] {
		t.Run(bug, func(t *testing.T) {
			params := map[string]string{"bug": bug}
			seeds, _ := run.ParseSeeds("1-300")
			sum, err := run.Sweep(t.Context(), run.SweepConfig{Scenario: s, Seeds: seeds, FailFast: true, Request: run.Request{Params: params}}, func(run.Item) {})
			if err != nil || sum.Exit() != 1 {
				t.Fatalf("%d seeds: exit %d, %v", sum.Seeds, sum.Exit(), err)
			}
			found := sum.Buckets[0].First.Output
			replay := once(t, worker(t, s), run.Request{Seed: found.Seed, Params: params})
			if replay.Hash != found.Hash || !reflect.DeepEqual(replay.Violation, found.Violation) {
				t.Fatalf("seed %d: hash %s and %+v, replayed: hash %s and %+v", found.Seed, found.Hash, found.Violation, replay.Hash, replay.Violation)
			}
			small := minimal(t, s, params, found.Result)
			blame, err := shrink.Whose(t.Context(), worker(t, s), small, shrink.BlameOptions{
				Params: s.Params, Seeds: 200,
				Fresh: func(ctx context.Context, req run.Request) (run.Output, error) {
					return run.Fresh(ctx, s, req, run.WorkerOptions{})
				},
			})
			t.Logf("%s: %+v", blame.Party, blame.Experiments)
			if err != nil || blame.Party != run.OfSystem {
				t.Errorf("put down to %s, %s, %v; want %s", blame.Party, blame.Why, err, run.OfSystem)
			}
		})
	}
}

// minimal shrinks a failure, and shows that without any one of the faults that are
// left it does not come back.
func minimal(t *testing.T, s run.Scenario, params map[string]string, failed run.Result) shrink.Outcome {
	pool := run.NewPool(s, runtime.NumCPU(), run.WorkerOptions{})
	defer pool.Close()
	req := run.Request{Seed: failed.Seed, Params: params}
	out, err := shrink.Shrink(t.Context(), pool, req, failed, shrink.Options{Budget: 1000, Procs: runtime.NumCPU(), Depth: shrink.OnlyFaults})
	if err != nil || out.End != shrink.Minimal {
		t.Fatalf("shrinking ended with %s, %v, after %d runs", out.End, err, out.Runs)
	}
	faults := out.Request.Faults
	t.Logf("seed %d: %d faults to %d in %d runs: %s", failed.Seed, len(failed.Faults), len(faults), out.Runs, strings.Join(faults, "; "))
	w := worker(t, s)
	for i := range faults {
		less := slices.Delete(slices.Clone(faults), i, i+1)
		r := once(t, w, run.Request{Seed: failed.Seed, Params: params, Faults: less})
		if r.Violation != nil && run.Signature(*r.Violation) == run.Signature(*failed.Violation) {
			t.Errorf("without %q the same failure comes back", faults[i])
		}
	}
	return out
}
