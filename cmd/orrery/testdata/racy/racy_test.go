package racy

import (
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

var counting = sim.NewProgram("counter", program)

func TestCounter(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for _, n := range w.Nodes("n", 3) {
			n.Start(counting, w.Param("counter"))
		}
		w.SafetyFor(3 * time.Second)
		w.Plan("at 1s kill n1 for 500ms")
	}, sim.Param("counter", "locked", "unlocked"))
}
