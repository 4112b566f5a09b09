package sim

import (
	"slices"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

// deadlockEvery is how often nodes are looked through for deadlocks.
const deadlockEvery = time.Second

// watchDeadlocks ends, now and from now on, the processes of nodes whose goroutines
// all wait for each other, as Go does on Linux: there is no timer, no system call
// that is under way, no descriptor and no signal that they wait for. Another node
// could wake them only by memory that they share, which processes do not.
func (w *World) watchDeadlocks() {
	w.kern.After(deadlockEvery, w.watchDeadlocks)
	marks := make([]bool, len(w.procs))
	if !rt.Awake(marks) {
		return
	}
	for _, n := range w.nodes {
		if p := n.proc; p != nil && !marks[p.id] && !p.kern.Stopped() {
			w.deadlocked(p)
		}
	}
}

// fatalError is what Go's runtime prints before what ends a process.
const fatalError = "fatal error: "

// deadlocked ends a process with the fatal error of a deadlock.
func (w *World) deadlocked(p *process) {
	message := "all goroutines are asleep - deadlock!"
	stacks := rt.Stacks(p.id)
	if stacks == "" {
		message = "no goroutines (main called runtime.Goexit) - deadlock!"
	}
	w.flush(p)
	w.output(p, []byte(fatalError+message+"\n"+stacks))
	w.violate(&run.Violation{Oracle: run.OracleFatal, Message: message, Node: p.name, Stack: strings.TrimSpace(stacks)})
	w.endProcess(p)
}

// stacksMost is how much text tells where the goroutines of one process wait, and
// stacksAll where those of all do.
const (
	stacksMost = 8 << 10
	stacksAll  = 32 << 10
)

// waiting tells where the goroutines of a world that got nowhere wait: of clients
// and the test first, who wait for the others.
func (w *World) waiting() string {
	var out strings.Builder
	procs := slices.DeleteFunc(slices.Clone(w.procs), func(p *process) bool { return p == nil })
	slices.SortStableFunc(procs, func(a, b *process) int { return w.rank(a) - w.rank(b) })
	for _, p := range procs {
		text := strings.TrimSpace(rt.Stacks(p.id))
		if text == "" {
			continue
		}
		if len(text) > stacksMost {
			text = text[:stacksMost] + "\n..."
		}
		if out.Len()+len(text) > stacksAll {
			out.WriteString("\n...")
			break
		}
		out.WriteString("\n" + p.name + " waits:\n" + text)
	}
	return out.String()
}

// rank orders processes by who waits for whom.
func (w *World) rank(p *process) int {
	switch {
	case slices.ContainsFunc(w.clients, func(c *Client) bool { return c.Node == p.node }):
		return 0
	case p.node == nil:
		return 1
	}
	return 2
}
