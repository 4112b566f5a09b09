// Package workload gives the operations of clients by one of two generators: the same
// calls, chosen and paced in different ways. What fails with one of them alone may be
// the workload's fault.
package workload

import (
	"iter"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/generate"
	"pgregory.net/rapid"
)

// Name is the parameter's, by which the shrinker knows it.
const Name = "workload"

// The generators.
const (
	Even   = "even"   // every choice is as likely, and every wait
	Bursts = "bursts" // small numbers are likelier, and calls come close upon each other
)

// burst is how many operations come close upon each other.
const burst = 8

// Param declares the parameter that chooses the generator.
func Param() sim.Option { return sim.Param(Name, Even, Bursts) }

// Op is an operation of a client.
type Op struct {
	*sim.Op
	skewed bool
}

// Intn returns a number from 0 to n-1.
func (o Op) Intn(n int) int {
	if o.skewed {
		return generate.Draw(o.Op, "choice", rapid.IntRange(0, n-1))
	}
	return o.Op.Intn(n)
}

// Ops ranges over a client's operations as [sim.Client.Ops] does, after waits of a
// millisecond to most, or in bursts.
func Ops(w *sim.World, c *sim.Client, most time.Duration) iter.Seq[Op] {
	if w.Param(Name) == Bursts {
		return inBursts(c, most)
	}
	return func(yield func(Op) bool) {
		for op := range c.Ops(time.Millisecond, most) {
			if !yield(Op{op, false}) {
				return
			}
		}
	}
}

// inBursts waits longer only before each burst.
func inBursts(c *sim.Client, most time.Duration) iter.Seq[Op] {
	const near = 20 * time.Millisecond
	return func(yield func(Op) bool) {
		for op := range c.Ops(time.Millisecond, near) {
			if op.Index%burst == 0 {
				c.Sleep(op.Between(0, most))
			}
			if !c.Active() || !yield(Op{op, true}) {
				return
			}
		}
	}
}
