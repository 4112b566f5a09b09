package net

import "net/netip"

// Flags are the control bits of a TCP packet.
type Flags uint8

// The control bits that there are.
const (
	SYN Flags = 1 << iota
	ACK
	FIN
	RST
	// PROBE asks the peer for an ACK: keepalive's and the closed window's probe,
	// on the wire a segment before the window.
	PROBE
	// UNREACHABLE is no TCP: it is ICMP's "port unreachable" about a datagram.
	UNREACHABLE
)

// packet is what goes over a link. A packet has one owner: the heap of arrivals,
// the queue of a link that is held, of a UDP socket or of a TCP socket's segments
// that came too early.
type packet struct {
	proto    Proto
	flags    Flags
	from, to HostID
	src, dst netip.AddrPort
	conn     uint64 // of which connection; tells a port's successive uses apart
	seq, ack int64
	window   int64 // bytes that the sender takes after ack
	segment  *segment
	next     *packet // in the free list
}

func (p *packet) size() int {
	if p.segment == nil {
		return 0
	}
	return len(p.segment.data)
}

// end is the sequence number after the packet's: SYN and FIN count as a byte.
func (p *packet) end() int64 { return p.seq + int64(p.size()) + p.flags.count() }

func (f Flags) count() int64 {
	n := int64(0)
	if f&SYN != 0 {
		n++
	}
	if f&FIN != 0 {
		n++
	}
	return n
}

// segment is a piece of payload. It does not change once a packet carries it, so
// the packets and the sender's queue share it.
type segment struct {
	data   []byte
	refs   int
	seq    int64
	flags  Flags // SYN, FIN
	sentAt int64 // when it was sent first
	tries  int   // how often it was sent
	next   *segment
}

func (g *segment) end() int64 { return g.seq + int64(len(g.data)) + g.flags.count() }

// segmentOverhead is what a segment counts in the send buffer besides its bytes.
const segmentOverhead = 256

func (g *segment) charge() int { return len(g.data) + segmentOverhead }

func (n *Network) newPacket() *packet {
	p := n.freePackets
	if p == nil {
		return &packet{}
	}
	n.freePackets = p.next
	p.next = nil
	return p
}

func (n *Network) freePacket(p *packet) {
	if p.segment != nil {
		n.releaseSegment(p.segment)
	}
	*p = packet{next: n.freePackets}
	n.freePackets = p
}

// clone returns a second packet with the same payload.
func (n *Network) clone(p *packet) *packet {
	q := n.newPacket()
	*q = *p
	q.next = nil
	if q.segment != nil {
		q.segment.refs++
	}
	return q
}

// newSegment returns a segment with one reference and room for size bytes.
func (n *Network) newSegment(size int) *segment {
	g := n.freeSegments
	if g == nil {
		g = &segment{}
	} else {
		n.freeSegments = g.next
	}
	*g = segment{refs: 1}
	if size > 0 {
		g.data = n.pool.get(size)
	}
	return g
}

func (n *Network) releaseSegment(g *segment) {
	g.refs--
	if g.refs > 0 {
		return
	}
	n.pool.put(g.data)
	*g = segment{next: n.freeSegments}
	n.freeSegments = g
}
