package audit

import (
	"fmt"
	"testing"

	"github.com/orrery-sim/orrery/sim"
)

var program = sim.NewProgram("audit", func() {
	for _, c := range Cases {
		fmt.Printf("%s: %s\n", c.Name, c.Run())
	}
})

// TestAudit runs every case on two nodes, and in the test itself.
func TestAudit(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for _, n := range w.Nodes("n", 2) {
			n.Start(program, "arg")
		}
		for _, c := range w.Clients("c", 1) {
			c.Run(func() {
				for _, k := range Cases {
					fmt.Printf("%s: %s\n", k.Name, k.Run())
				}
			})
		}
	})
}
