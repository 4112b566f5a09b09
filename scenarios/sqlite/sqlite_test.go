// Package sqlite runs an unmodified SQLite, translated to Go, alone under crashes:
// what it has committed must be there when it opens again, nothing else, and its
// file must be sound.
package sqlite

import (
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
	"github.com/orrery-sim/orrery/sim"
)

var program = sim.NewProgram("app", func() { ledger.Main(open, ledger.Options{Writers: 2}) })

func TestSQLite(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Env("JOURNAL="+w.Param("journal"), "SYNC="+w.Param("sync"))
		n.Start(program)
		w.SafetyFor(10 * time.Second)
		w.Faults(sim.Swarm(sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.SlowDisks()))
		ledger.Watch(w, n)
	}, sim.Param("journal", "wal", "delete"), sim.Param("sync", "extra", "full", "normal", "off"))
}
