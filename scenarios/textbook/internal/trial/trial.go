// Package trial is what the scenarios of the textbook systems share.
package trial

import (
	"fmt"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// Safety is how long faults are injected.
const Safety = 15 * time.Second

// faultsMost is how many faults of a family a seed has at most: there are to be many
// that a failure does not need.
const faultsMost = 18

// Swarm is [sim.Swarm] with more faults.
func Swarm(families ...sim.Family) []sim.Family {
	for i := range families {
		families[i] = families[i].Most(faultsMost)
	}
	return sim.Swarm(families...)
}

// Complete records how a call went.
func Complete(p oracle.Pending, output string, err error) {
	switch {
	case err == nil:
		p.OK(output)
	case wire.Refused(err):
		p.Fail(err)
	default:
		p.Unknown(err)
	}
}

// Count has the run tell the numbers of calls of a history.
func Count(w *sim.World, h *oracle.History) {
	w.Count(func() run.Ops {
		n := h.Counts()
		return run.Ops{Invoked: n.Invoked, OK: n.OK, Failed: n.Failed, Unknown: n.Unknown}
	})
}

// Tally counts a call by how it went.
func Tally(n *run.Ops, err error) {
	n.Invoked++
	switch {
	case err == nil:
		n.OK++
	case wire.Refused(err):
		n.Failed++
	default:
		n.Unknown++
	}
}

// Violated is what a check concludes of a broken promise.
func Violated(format string, args ...any) outcome.Outcome {
	return outcome.Outcome{Verdict: outcome.Violation, Message: fmt.Sprintf(format, args...)}
}

// Kept is what a check concludes that has found nothing, if it was given anything.
func Kept(given int, what string) outcome.Outcome {
	if given == 0 {
		return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "there was no " + what}
	}
	return outcome.Outcome{Verdict: outcome.OK}
}

// Addrs are the addresses of the servers of nodes.
func Addrs(nodes []*sim.Node) wire.List {
	var list wire.List
	for _, n := range nodes {
		list = append(list, Addr(n))
	}
	return list
}

// Addr is the address of a node's server.
func Addr(n *sim.Node) wire.Addr { return wire.Addr(n.Addr() + ":80") }

// Start starts a program on a node, which listens at the node's Addr, with its
// other arguments and the bug that the parameter plants.
func Start(w *sim.World, n *sim.Node, p *sim.Program, args ...string) {
	args = append([]string{"-listen", string(Addr(n))}, args...)
	if bug := w.Param("bug"); bug != "none" {
		args = append(args, "-bug", bug)
	}
	n.Start(p, args...)
}
