// Package badger runs an unmodified badger alone under crashes: what it has
// committed must be there when it opens again, and nothing else.
package badger

import (
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
	"github.com/orrery-sim/orrery/sim"
)

var program = sim.NewProgram("app", func() { ledger.Main(open, ledger.Options{Writers: 3}) })

func TestBadger(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Env("SYNC="+w.Param("sync"), "EMPTY_LOGS="+w.Param("empty-logs"), "GC="+w.Param("gc"))
		n.Start(program)
		w.SafetyFor(10 * time.Second)
		w.Faults(sim.Swarm(sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.SlowDisks()))
		ledger.Watch(w, n)
	}, sim.Param("sync", "on", "off"), sim.Param("empty-logs", "removed", "kept"), sim.Param("gc", "off", "on"))
}
