package sim

import (
	"iter"
	"strconv"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Op is one operation of a client's workload. Its choices are a stream of its own,
// "client/NAME/N": an operation that is left out, or whose arguments become
// simpler, changes nothing in those after it.
type Op struct {
	*choice.Stream
	Index int // from 0
}

// Ops ranges over a client's operations while the safety phase lasts: one after
// another, each after a wait from least to most, drawn from "client/NAME/wait". The
// shrinker leaves operations out; their waits stay.
func (c *Client) Ops(least, most time.Duration) iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for {
			time.Sleep(c.waits.Between(least, most))
			if !c.Active() {
				return
			}
			i := c.ops
			c.ops++
			if c.drops.Draw(2) != 0 {
				continue
			}
			if !yield(&Op{c.w.src.Stream("client/" + c.name + "/" + strconv.Itoa(i)), i}) {
				return
			}
		}
	}
}
