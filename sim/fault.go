package sim

import (
	"fmt"
	"strings"
	"time"
)

// Fault is one thing that goes wrong, at a time of the safety phase. It prints as
// one types it, and [ParseFault] reads it back:
//
//	at 1.2s crash n1 for 3s
//	at 500ms partition n1,n2|n3 for 2s
type Fault struct {
	At     time.Duration // since the safety phase began
	Action Action
	For    time.Duration // until it is undone; 0 is until the phase ends
}

func (f Fault) String() string {
	s := fmt.Sprintf("at %v %v", f.At, f.Action)
	if f.For > 0 {
		s += fmt.Sprintf(" for %v", f.For)
	}
	return s
}

// Action is what a fault does, by its verb. [Crash], [Kill], [Drain], [Pause], [Cut], [Partition],
// [Lose], [Delay], [Skew], [SlowDisk] and [LieSync] are all there are.
type Action interface {
	fmt.Stringer
	// inject starts it and returns what undoes it and shows that it landed.
	inject(w *World) (effect, error)
	kind() string
}

// effect is a fault that is on.
type effect struct {
	undo func()
	// evidence says, once it is undone, whether it landed and what shows that.
	evidence func() (landed bool, what string)
}

// Crash takes the power of nodes, all at once; they restart with their program.
type Crash struct{ Nodes []string }

// Kill ends the processes of nodes, as SIGKILL would; they restart.
type Kill struct{ Nodes []string }

// Drain asks the processes of nodes to end by SIGTERM, and kills those that have
// not within a time; they restart.
type Drain struct {
	Nodes  []string
	Within time.Duration
}

// Pause stops the processes of nodes where they are, as SIGSTOP does; they go on.
type Pause struct{ Nodes []string }

// Cut drops every packet from one node to another, one way.
type Cut struct{ From, To string }

// Partition splits the network into groups that hear nothing of each other.
// Nodes that no group names hear everybody.
type Partition struct{ Groups [][]string }

// Lose loses packets between two nodes, either way, with a probability.
type Lose struct {
	A, B string
	Rate float64
}

// Delay makes every packet between two nodes take longer, either way.
type Delay struct {
	A, B string
	By   time.Duration
}

// Skew sets the wall clock of a node off.
type Skew struct {
	Node string
	By   time.Duration
}

// SlowDisk makes every read, write and sync of a node's disk take longer.
type SlowDisk struct {
	Node string
	By   time.Duration
}

// LieSync has a node's disk acknowledge syncs that make nothing durable.
type LieSync struct{ Node string }

func (a Crash) kind() string     { return "crash" }
func (a Kill) kind() string      { return "kill" }
func (a Drain) kind() string     { return "drain" }
func (a Pause) kind() string     { return "pause" }
func (a Cut) kind() string       { return "cut" }
func (a Partition) kind() string { return "partition" }
func (a Lose) kind() string      { return "lose" }
func (a Delay) kind() string     { return "delay" }
func (a Skew) kind() string      { return "skew" }
func (a SlowDisk) kind() string  { return "slow-disk" }
func (a LieSync) kind() string   { return "lie-sync" }

func (a Crash) String() string { return "crash " + strings.Join(a.Nodes, ",") }
func (a Kill) String() string  { return "kill " + strings.Join(a.Nodes, ",") }
func (a Drain) String() string {
	return fmt.Sprintf("drain %s within %v", strings.Join(a.Nodes, ","), a.Within)
}
func (a Pause) String() string { return "pause " + strings.Join(a.Nodes, ",") }
func (a Cut) String() string   { return "cut " + a.From + ">" + a.To }
func (a Partition) String() string {
	var groups []string
	for _, g := range a.Groups {
		groups = append(groups, strings.Join(g, ","))
	}
	return "partition " + strings.Join(groups, "|")
}
func (a Lose) String() string {
	return fmt.Sprintf("lose %s %s %s%%", a.A, a.B, trimFloat(a.Rate*100))
}
func (a Delay) String() string    { return fmt.Sprintf("delay %s %s by %v", a.A, a.B, a.By) }
func (a Skew) String() string     { return fmt.Sprintf("skew %s by %v", a.Node, a.By) }
func (a SlowDisk) String() string { return fmt.Sprintf("slow-disk %s by %v", a.Node, a.By) }
func (a LieSync) String() string  { return "lie-sync " + a.Node }
