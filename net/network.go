// Package net is a simulated network: hosts, links between them, packets on the
// links, and TCP and UDP on top.
//
// It is a state machine. Its owner moves its time with [Network.Advance], asks
// with [Network.Next] when the next packet or timer is due, and calls the methods
// of [Socket], none of which ever waits. The network tells a socket's [Watcher]
// when the socket's readiness rises.
//
// Every link, an ordered pair of hosts, draws its choices from streams of its own,
// "net/a>b" for latency and "net/a>b/loss" and so on for faults: one draw for each
// packet and purpose, whatever becomes of the packet. So what one link draws
// depends only on the packets that go over it. The loopback of a host draws
// nothing and knows no faults.
package net

import (
	"net/netip"

	"github.com/orrery-sim/orrery/sim/choice"
)

// HostID numbers the hosts of a network, from 0, in the order they were added.
type HostID int32

// Network is all hosts and links of one world. It is not safe for concurrent use.
type Network struct {
	// Observe, if set, is called with everything that happens to a packet.
	Observe func(Event)

	cfg    Config
	src    *choice.Source
	now    int64 // nanoseconds since 1970
	order  uint64
	hosts  []*host
	byAddr map[netip.Addr]*host
	links  [][]*link // by sender, then receiver; nil where nothing was sent yet
	// broadcast is the address of all hosts of the first one's prefix.
	broadcast netip.Addr

	arrivals arrivalHeap
	timers   timerHeap
	rising   []*Socket // sockets whose watchers are to be told
	telling  bool      // tellWatchers runs

	freePackets  *packet
	freeSegments *segment
	pool         bufferPool
}

// New returns a network without hosts that draws from src. It panics if cfg is
// not valid.
func New(cfg Config, src *choice.Source) *Network {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Network{cfg: cfg.withDefaults(), src: src, byAddr: map[netip.Addr]*host{}}
}

// Now returns the time that the network was last advanced to.
func (n *Network) Now() int64 { return n.now }

// Next returns when the next packet or timer is due, or 0 if there is none.
func (n *Network) Next() int64 {
	t := n.arrivals.next()
	if u := n.timers.next(); u != 0 && (t == 0 || u < t) {
		t = u
	}
	return t
}

// Advance moves the time to now and runs all that is due until then: by time,
// and at one time in the order in which it was scheduled.
func (n *Network) Advance(now int64) {
	for {
		a, t := n.arrivals.peek(), n.timers.peek()
		switch {
		case a != nil && a.when <= now && (t == nil || a.before(t)):
			n.now = max(n.now, a.when)
			n.arrive(n.arrivals.pop().packet)
		case t != nil && t.when <= now:
			n.now = max(n.now, t.when)
			n.timers.remove(t)
			t.fire()
		default:
			n.now = max(n.now, now)
			return
		}
		n.tellWatchers()
	}
}

func (n *Network) schedule(when int64, p *packet) {
	n.order++
	n.arrivals.push(arrival{when, n.order, p})
}
