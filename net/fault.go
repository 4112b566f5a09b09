package net

import (
	"slices"
	"time"
)

// linkFaults is what faults set on a link. Faults of a host with itself do
// nothing: the loopback has none.
type linkFaults struct {
	cut, hold, refuse        bool
	slow                     bool // latency is other than the network's
	latencyMin, latencyMax   time.Duration
	delay                    time.Duration
	loss, corrupt, duplicate float64
	rate                     int64 // bytes a second; 0 is unlimited
}

func (n *Network) noFaults() linkFaults {
	return linkFaults{
		latencyMin: n.cfg.LatencyMin, latencyMax: n.cfg.LatencyMax, loss: n.cfg.Loss,
	}
}

func (n *Network) faults(from, to HostID) *linkFaults {
	if from == to {
		return &linkFaults{}
	}
	return &n.link(from, to).faults
}

// Cut has the link drop every packet that is sent or due while it is cut. It is
// one way: cut both links for a partition.
func (n *Network) Cut(from, to HostID) { n.faults(from, to).cut = true }

// Heal undoes Cut. What was dropped comes only if its sender sends it again.
func (n *Network) Heal(from, to HostID) { n.faults(from, to).cut = false }

// Hold has packets wait at the end of the link.
func (n *Network) Hold(from, to HostID) { n.faults(from, to).hold = true }

// Release undoes Hold: what waited arrives at once, in the order it was due.
func (n *Network) Release(from, to HostID) {
	n.faults(from, to).hold = false
	if from == to {
		return
	}
	l := n.link(from, to)
	for i, p := range l.held {
		n.schedule(n.now, p)
		l.held[i] = nil
	}
	l.held = l.held[:0]
}

// Refuse has new TCP connections over the link answered with RST, as a firewall
// would.
func (n *Network) Refuse(from, to HostID) { n.faults(from, to).refuse = true }

// Admit undoes Refuse.
func (n *Network) Admit(from, to HostID) { n.faults(from, to).refuse = false }

// SetLoss sets the probability that a packet of the link is lost.
func (n *Network) SetLoss(from, to HostID, p float64) { n.faults(from, to).loss = p }

// SetCorrupt sets the probability that a packet of the link arrives corrupted.
// Checksums find it, so that the receiver drops the packet.
func (n *Network) SetCorrupt(from, to HostID, p float64) { n.faults(from, to).corrupt = p }

// SetDuplicate sets the probability that a packet of the link comes twice.
func (n *Network) SetDuplicate(from, to HostID, p float64) { n.faults(from, to).duplicate = p }

// SetLatency sets what a packet of the link takes, uniformly between least and
// most. A wide range reorders packets.
func (n *Network) SetLatency(from, to HostID, least, most time.Duration) {
	f := n.faults(from, to)
	f.latencyMin = max(least, 0)
	f.latencyMax = max(most, f.latencyMin)
	f.slow = f.latencyMin != n.cfg.LatencyMin || f.latencyMax != n.cfg.LatencyMax
}

// SetDelay adds a fixed delay to every packet of the link.
func (n *Network) SetDelay(from, to HostID, delay time.Duration) {
	n.faults(from, to).delay = max(delay, 0)
}

// SetRate limits the link to so many bytes a second; 0 is unlimited. Packets
// queue for it, up to a megabyte, and are dropped beyond.
func (n *Network) SetRate(from, to HostID, bytesPerSecond int64) {
	n.faults(from, to).rate = bytesPerSecond
}

// Repair takes every fault off the link and releases what it holds.
func (n *Network) Repair(from, to HostID) {
	*n.faults(from, to) = n.noFaults()
	n.Release(from, to)
}

// Stats returns what the link has counted so far.
func (n *Network) Stats(from, to HostID) LinkStats {
	if from == to {
		return LinkStats{}
	}
	return n.link(from, to).stats
}

// Reset breaks the TCP connections between two hosts at both ends, as a gateway
// that forgot them would, and returns how many. Connections of which only one end
// is left count too.
func (n *Network) Reset(a, b HostID) int {
	var conns []uint64
	for _, c := range n.Conns(a) {
		if c.State.connected() && n.byAddr[c.Peer.Addr()] == n.hosts[b] {
			conns = append(conns, c.Conn)
		}
	}
	for _, c := range n.Conns(b) {
		if c.State.connected() && n.byAddr[c.Peer.Addr()] == n.hosts[a] && !slices.Contains(conns, c.Conn) {
			conns = append(conns, c.Conn)
		}
	}
	for _, c := range conns {
		n.ResetConn(c)
	}
	return len(conns)
}

// ResetConn breaks one TCP connection at both ends, and returns how many ends
// there were.
func (n *Network) ResetConn(conn uint64) int {
	var ends []*Socket
	for _, h := range n.hosts {
		for s := h.first; s != nil; s = s.nextSock {
			if s.proto == TCP && s.conn == conn && s.state.connected() {
				ends = append(ends, s)
			}
		}
	}
	for i, s := range ends {
		if peer := n.byAddr[s.peer.Addr()]; i == 0 && peer != nil && peer != s.host {
			n.link(s.host.id, peer.id).stats.Reset++
		}
		s.inputReset()
	}
	n.tellWatchers()
	return len(ends)
}
