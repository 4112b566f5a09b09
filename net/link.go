package net

import (
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// link carries packets one way from a host to another.
type link struct {
	latency, loss, corrupt, duplicate *choice.Stream

	faults linkFaults
	held   []*packet // in the order in which they were due
	freeAt int64     // when the link has sent what waits for its rate
	stats  LinkStats
}

// LinkStats counts the packets of a link. What faults did is here: a fault that
// no packet met counts nothing.
type LinkStats struct {
	Sent, SentBytes           uint64 // packets, and bytes of payload
	Delivered, DeliveredBytes uint64
	Retransmitted             uint64
	DroppedCut                uint64
	DroppedLoss               uint64
	DroppedCorrupted          uint64
	DroppedQueue              uint64
	DroppedDown               uint64
	DroppedBuffer             uint64
	Duplicated                uint64
	Delayed                   uint64 // by a delay or latency that a fault set
	Throttled                 uint64 // had to wait for the link's rate
	Held                      uint64
	Refused                   uint64 // SYNs
	Reset                     uint64 // connections, counted on the link from one of their ends
}

// latencyParts is the resolution of a latency's choice. It does not depend on the
// bounds, so a change of latency leaves every choice as it was.
const latencyParts = 1 << 20

func (n *Network) link(from, to HostID) *link {
	for int(from) >= len(n.links) {
		n.links = append(n.links, nil)
	}
	row := n.links[from]
	for int(to) >= len(row) {
		row = append(row, nil)
	}
	n.links[from] = row
	if row[to] == nil {
		name := "net/" + n.hosts[from].name + ">" + n.hosts[to].name
		row[to] = &link{
			latency:   n.src.Stream(name),
			loss:      n.src.Stream(name + "/loss"),
			corrupt:   n.src.Stream(name + "/corrupt"),
			duplicate: n.src.Stream(name + "/duplicate"),
			faults:    n.noFaults(),
		}
	}
	return row[to]
}

// send puts a packet on its link, which owns it from now on.
func (n *Network) send(p *packet) {
	if p.from == p.to {
		n.observe(Sent, p)
		n.schedule(n.now+int64(loopbackLatency), p)
		return
	}
	l := n.link(p.from, p.to)
	f := &l.faults
	l.stats.Sent++
	l.stats.SentBytes += uint64(p.size())
	n.observe(Sent, p)

	delay := l.drawLatency(l.latency)
	lost := f.loss > 0 && l.loss.Chance(f.loss)
	corrupted := f.corrupt > 0 && l.corrupt.Chance(f.corrupt)
	twice := f.duplicate > 0 && l.duplicate.Chance(f.duplicate)
	second := time.Duration(0)
	if twice {
		second = l.drawLatency(l.duplicate)
	}
	switch {
	case f.cut:
		n.drop(l, DroppedCut, p)
		return
	case lost:
		n.drop(l, DroppedLoss, p)
		return
	case corrupted:
		n.drop(l, DroppedCorrupted, p)
		return
	}
	wait, full := l.queue(n.now, p)
	if full {
		n.drop(l, DroppedQueue, p)
		return
	}
	if f.delay > 0 || f.slow {
		l.stats.Delayed++
	}
	if twice {
		l.stats.Duplicated++
		n.observe(Duplicated, p)
		n.schedule(n.now+int64(wait+second+f.delay), n.clone(p))
	}
	n.schedule(n.now+int64(wait+delay+f.delay), p)
}

func (l *link) drawLatency(t *choice.Stream) time.Duration {
	spread := uint64(l.faults.latencyMax - l.faults.latencyMin)
	v := t.Draw(latencyParts)
	return l.faults.latencyMin + time.Duration(spread/latencyParts*v+spread%latencyParts*v/latencyParts)
}

// headers is what a packet takes on the wire besides its payload, in bytes.
const headers = 66

// queue returns how long p waits until a link of limited rate has sent it.
func (l *link) queue(now int64, p *packet) (wait time.Duration, full bool) {
	rate := l.faults.rate
	if rate <= 0 {
		return 0, false
	}
	start := max(l.freeAt, now)
	if float64(start-now)/1e9*float64(rate) > queueMax {
		return 0, true
	}
	if start > now {
		l.stats.Throttled++
	}
	l.freeAt = start + int64(float64(p.size()+headers)/float64(rate)*1e9)
	return time.Duration(l.freeAt - now), false
}

// arrive hands a packet that is due to its host, unless the link is cut or held.
func (n *Network) arrive(p *packet) {
	to := n.hosts[p.to]
	if p.from == p.to {
		if !to.up {
			n.observe(DroppedDown, p)
			n.freePacket(p)
			return
		}
		n.observe(Delivered, p)
		n.input(to, p)
		return
	}
	l := n.link(p.from, p.to)
	switch {
	case l.faults.cut:
		n.drop(l, DroppedCut, p)
	case l.faults.hold:
		l.stats.Held++
		n.observe(Held, p)
		l.held = append(l.held, p)
	case !to.up:
		n.drop(l, DroppedDown, p)
	default:
		l.stats.Delivered++
		l.stats.DeliveredBytes += uint64(p.size())
		n.observe(Delivered, p)
		if l.faults.refuse && p.flags&(SYN|ACK) == SYN {
			l.stats.Refused++
			n.refuse(p)
			return
		}
		n.input(to, p)
	}
}

func (n *Network) drop(l *link, k Kind, p *packet) {
	switch k {
	case DroppedCut:
		l.stats.DroppedCut++
	case DroppedLoss:
		l.stats.DroppedLoss++
	case DroppedCorrupted:
		l.stats.DroppedCorrupted++
	case DroppedQueue:
		l.stats.DroppedQueue++
	case DroppedDown:
		l.stats.DroppedDown++
	}
	n.observe(k, p)
	n.freePacket(p)
}

// dropBuffer drops a packet for which its receiver had no room.
func (n *Network) dropBuffer(p *packet) {
	if p.from != p.to {
		n.link(p.from, p.to).stats.DroppedBuffer++
	}
	n.observe(DroppedBuffer, p)
	n.freePacket(p)
}
