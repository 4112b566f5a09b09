package audit

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

var leaks = flag.String("leaks", "500", "connections that a run leaks; make accept-processes takes 10000")

var processes = flag.Int("processes", 12, "fresh processes that must agree; make accept-processes takes 50")

// TestFreshProcesses wants the same run of every case in fresh processes. An overload
// exposed causes that a quiet machine hid.
func TestFreshProcesses(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	agree(t, find(t, "^TestAudit$"), nil, 3*len(Cases))
}

// TestLeaksInFreshProcesses wants the same run, of a program that leaks ten thousand
// connections and collects garbage all the time, in fresh processes.
func TestLeaksInFreshProcesses(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	t.Setenv("GOGC", "5")
	agree(t, find(t, "^TestLeaks$"), map[string]string{"connections": *leaks}, 1)
}

// agree runs three seeds in each of many fresh processes, while the processors are
// overloaded, and wants passes that are all alike, of so many lines at least.
func agree(t *testing.T, scenario run.Scenario, params map[string]string, lines int) {
	t.Helper()
	stop := make(chan bool)
	defer close(stop)
	for range 4 {
		go func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
	}
	seen := map[string]int{}
	for i := range *processes {
		w, err := run.StartWorker(t.Context(), scenario, run.WorkerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		key := ""
		for seed := range uint64(3) { // the second and third run of a process are like the first
			out, err := w.Run(t.Context(), run.Request{Seed: 1 + seed, Params: params})
			if err != nil {
				t.Fatal(err)
			}
			if out.Verdict != run.Pass || len(out.Log) < lines {
				t.Fatalf("process %d, seed %d: %s, %s, %d lines", i, 1+seed, out.Verdict, out.Reason, len(out.Log))
			}
			key += out.Hash + " "
		}
		seen[key]++
		w.Close()
	}
	if len(seen) != 1 {
		t.Fatalf("%d processes made %d different sets of runs: %v", *processes, len(seen), seen)
	}
	fmt.Printf("%s: %d fresh processes, 3 seeds each: %v\n", scenario.Name, *processes, seen)
}

func find(t *testing.T, name string) run.Scenario {
	t.Helper()
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile(name))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	return list[0]
}
