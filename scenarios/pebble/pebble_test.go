// Package pebble runs an unmodified pebble alone under crashes: what it has
// acknowledged must be there when it opens again, and nothing else.
package pebble

import (
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
	"github.com/orrery-sim/orrery/sim"
)

var program = sim.NewProgram("app", func() {
	newProcess()
	ledger.Main(open, ledger.Options{Writers: 3, Buffered: 50})
})

func TestPebble(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		if sync := w.Param("sync"); sync != "on" {
			n.Env("SYNC=" + sync)
		}
		n.Start(program)
		w.SafetyFor(10 * time.Second)
		w.Faults(sim.Swarm(sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.SlowDisks()))
		ledger.Watch(w, n)
	}, sim.Param("sync", "on", "off", "no-wal"))
}
