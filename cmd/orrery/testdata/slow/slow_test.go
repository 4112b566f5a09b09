// Package slow holds a scenario whose runs take long enough to be interrupted.
package slow

import (
	"os"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

var worked uint64

// program takes a processor for some hundred milliseconds, and does not bear to be
// started twice.
var program = sim.NewProgram("slow", func() {
	for i := range uint64(4e8) {
		worked ^= i * i
	}
	if _, err := os.Stat("/var/lib/started"); err == nil {
		panic("it was started before")
	}
	if err := os.WriteFile("/var/lib/started", nil, 0o600); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour)
})

func TestSlow(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.Node("n1").Start(program)
		w.SafetyFor(4 * time.Second)
		w.Faults(sim.Swarm(sim.Kills()))
		w.Check(outcome.Func("nothing", func() outcome.Outcome { return outcome.Outcome{Verdict: outcome.OK} }))
	})
}
