package audit

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// TestRealDescriptors: what would write to the machine's descriptors is refused.
func TestRealDescriptors(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.Node("n").Start(dumps)
		w.SafetyFor(time.Second)
	})
}

var dumps = sim.NewProgram("dumps", func() {
	f, err := os.Create("/dump")
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(f.Fd())
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err == nil || !strings.Contains(err.Error(), "simulated world") {
		panic(fmt.Sprintf("SetCrashOutput: %v", err))
	}
	if s, err := f.Stat(); err != nil || s.Size() != 0 {
		panic(fmt.Sprintf("the dump has %d bytes: %v", s.Size(), err))
	}
})
