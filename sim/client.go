package sim

import (
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/trace"
)

// Client is a user of the system: a machine of its own with an address, and a
// process whose code is part of the test and may share its memory. No fault hits
// a client, but for those of links that name it.
type Client struct {
	*Node
	run     func()
	choices *choice.Stream
	waits   *choice.Stream // before operations
	ops     int            // that were begun
	drops   *choice.Stream // of the whole client, then of each operation: 1 leaves it out
	done    chan struct{}
}

// Run sets what the client does, once the test's setup is over: see [Client.Ops].
// The run's safety phase lasts until every client has returned.
func (c *Client) Run(f func()) { c.run = f }

// Choices returns the stream "client/NAME", for the choices of its workload.
func (c *Client) Choices() *choice.Stream { return c.choices }

// Active reports whether the client is still to make calls: what a workload loops on.
// That is as long as the safety phase lasts and, if the run was asked for calm, before
// and after it.
func (c *Client) Active() bool { return c.w.calling && c.w.Elapsed() < c.w.safety+2*c.w.calm }

// Sleep sleeps for d of the client's time.
func (c *Client) Sleep(d time.Duration) { time.Sleep(d) }

// startClient starts the client's goroutine. The caller is the kernel.
func (w *World) startClient(c *Client) {
	c.done = make(chan struct{})
	p := w.newProcess(c.host, kernel.Start{Args: []string{c.name}}, c.name)
	p.node, c.proc = c.Node, p
	w.setClock(c.Node)
	w.event(trace.Started, p.id, 0, 0, 0, c.name)
	rt.Spawn(p.id, c.name, 0, func() {
		become([]string{c.name}, []string{"HOME=/root", "HOSTNAME=" + c.name, "TZ=UTC"})
		defer close(c.done)
		defer w.failedTest(c.name)
		if c.drops.Draw(2) == 0 && c.run != nil {
			c.run()
		}
	})
}
