package verdict_test

import (
	"fmt"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// One short run with a fault: a pass as far as it goes, and it says how far that is not.
func ExampleDecide() {
	d := verdict.Decide(verdict.Evidence{
		Name: "S1", Backend: verdict.Sim, Claims: []verdict.Category{verdict.Durability}, Checkers: []string{"durability"},
		Budgets: []verdict.Budget{{Tier: verdict.Smoke, Configurations: 1, Duration: 10 * time.Second, Faults: 1, Seeds: 1}},
		Cycles: []verdict.Cycle{{
			Seed: 1, Configuration: "nodes=3", Topology: "3 nodes", Tier: verdict.Smoke, Duration: 12 * time.Second,
			Oracles: []verdict.OracleRun{{Name: "durability", Sees: verdict.SeesHistory, Verdict: outcome.OK, Saw: 40, Calls: 40}},
			Faults: []verdict.Fault{{
				Text: "at 2s crash n1 for 1s", Kind: "crash", At: 2 * time.Second, Length: time.Second,
				Landing: verdict.Proven, Injector: "injected at 2s", Victim: "7 goroutines stopped",
			}},
		}},
	})
	fmt.Println(d.Title())
	for _, r := range d.Reasons[:4] {
		fmt.Printf("%s: %s: %s\n", r.Kind, r.Rule, r.Text)
	}
	exit := verdict.ExitStatus(verdict.Session([]verdict.Decision{d}), verdict.Sim)
	fmt.Println("exit", exit.Status)
	// Output:
	// PASS-smoke
	// decides: a complete history and no anomaly: 1 cycle, 1 seed, 1 fault that landed
	// caps: the tier that was met: hardening not met: the plan gives no budget for it
	// notes: the tier that was met: release not met: the plan gives no budget for it
	// caps: three seeds agree: found 1 seed with a fault that landed, want 3
	// exit 3
}
