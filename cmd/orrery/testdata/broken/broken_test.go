// Package broken does not compile.
package broken

import (
	"testing"

	"github.com/orrery-sim/orrery/sim"
)

func TestBroken(t *testing.T) { sim.Test(t, "not a function") }
