package audit

import (
	"testing"

	"github.com/orrery-sim/orrery/sim"
)

// TestInitialisersSeeNoMachine: package initialisers see the same in every machine.
func TestInitialisersSeeNoMachine(t *testing.T) {
	sim.Test(t, func(*sim.World) {
		if initPid != "1 0 1 0 1" || initHost != "localhost" || initCPUs != 4 {
			t.Errorf("process %s on %s with %d processors, want 1 0 1 0 1, localhost, 4", initPid, initHost, initCPUs)
		}
	})
}
