package sim

import (
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// Tally adds calls that a client began or ended just now to the run's load, as
// oracle.History does with each.
func (w *World) Tally(n outcome.Ops) {
	window := int((rt.Now() - rt.Start) / int64(run.LoadWindow))
	for len(w.measures.Load) <= window {
		w.measures.Load = append(w.measures.Load, run.Ops{})
	}
	w.measures.Load[window] = w.measures.Load[window].Plus(n)
}

// since is the virtual time since the run's start in nanoseconds.
func since() int64 { return rt.Now() - rt.Start }
