package net

import (
	"net/netip"
	"syscall"
)

// datagramQueue is what a UDP socket has received.
type datagramQueue struct {
	packets    []*packet
	size       int // bytes
	sendClosed bool
	recvClosed bool
}

func (q *datagramQueue) firstSize() int {
	if len(q.packets) == 0 {
		return 0
	}
	return q.packets[0].size()
}

func (q *datagramQueue) drop(n *Network) {
	for _, p := range q.packets {
		n.freePacket(p)
	}
	q.packets, q.size = nil, 0
}

func (s *Socket) connectDatagram(to netip.AddrPort) syscall.Errno {
	if s.net.toMany(to.Addr()) {
		if isBroadcast(s.net, to.Addr()) && !s.opt.Broadcast {
			return syscall.EACCES
		}
	} else if _, errno := s.reachable(to.Addr()); errno != 0 {
		return errno
	}
	if errno := s.bindFor(to); errno != 0 {
		return errno
	}
	s.peer = to
	return 0
}

func (s *Socket) disconnectDatagrams() {
	s.peer = netip.AddrPort{}
	s.forgetAddr()
	if !s.portKept {
		s.host.release(s)
		s.local = netip.AddrPortFrom(s.local.Addr(), 0)
	}
}

func (s *Socket) sendConnected(b []byte) (int, syscall.Errno) {
	if !s.peer.IsValid() {
		return 0, syscall.EDESTADDRREQ
	}
	return s.SendTo(b, Route{To: s.peer})
}

// Route is where a datagram goes, and the local address that it comes from, which
// may be the zero Addr.
type Route struct {
	To   netip.AddrPort
	From netip.Addr
}

// SendTo sends a datagram. Its errors are EMSGSIZE, EINVAL (a From that is not
// the host's), ENETUNREACH, EACCES, EPIPE, and what Err would return. It
// never waits: what the network cannot carry it loses.
func (s *Socket) SendTo(b []byte, r Route) (int, syscall.Errno) {
	to := s.target(r.To)
	if errno := s.Autobind(); errno != 0 {
		return 0, errno
	}
	dst, src, errno := s.way(to.Addr(), r.From)
	switch {
	case errno != 0:
		return 0, errno
	case len(b) > datagramMost[familyOf(to.Addr())]:
		return 0, syscall.EMSGSIZE
	case s.err != 0:
		return 0, s.Err()
	case s.gone || s.datagrams.sendClosed:
		return 0, syscall.EPIPE
	}
	p := s.net.newPacket()
	p.proto, p.from, p.to, p.src, p.dst = UDP, s.host.id, dst.id, netip.AddrPortFrom(src, s.local.Port()), to
	p.segment = s.net.newSegment(len(b))
	p.segment.data = append(p.segment.data, b...)
	if s.net.toMany(to.Addr()) {
		s.sendToMany(p)
	} else {
		s.net.send(p)
	}
	return len(b), 0
}

// way returns the host that a datagram goes to, which is its own for one to many,
// and the address that it comes from.
func (s *Socket) way(to, from netip.Addr) (dst *host, src netip.Addr, errno syscall.Errno) {
	if isBroadcast(s.net, to) && !s.opt.Broadcast {
		return nil, src, syscall.EACCES
	}
	dst = s.host
	if !s.net.toMany(to) {
		if dst, errno = s.reachable(to); errno != 0 {
			return nil, src, errno
		}
	}
	switch {
	case from.IsValid() && !from.IsUnspecified():
		if !s.host.owns(from) || familyOf(from) != familyOf(to) {
			return nil, src, syscall.EINVAL
		}
		return dst, from, 0
	case to.IsMulticast() && s.opt.MulticastAt == Loopback:
		return dst, loopbacks[familyOf(to)], 0
	}
	if src = s.sourceFor(to); !src.IsValid() {
		return nil, src, syscall.ENETUNREACH
	}
	return dst, src, 0
}

// Datagram says what a call received of a datagram.
type Datagram struct {
	N, Size  int // bytes that fit, and that there were
	From, To netip.AddrPort
	At       Interface // that it came in by
}

// RecvFrom takes a datagram; what does not fit b is lost. Its errors are EAGAIN and
// what Err would return.
func (s *Socket) RecvFrom(b []byte) (Datagram, syscall.Errno) {
	d, errno := s.PeekFrom(b)
	if errno == 0 {
		q := &s.datagrams
		p := q.packets[0]
		i := copy(q.packets, q.packets[1:])
		q.packets[i] = nil
		q.packets = q.packets[:i]
		q.size -= p.size() + segmentOverhead
		s.net.freePacket(p)
	}
	return d, errno
}

// PeekFrom is RecvFrom that leaves the datagram.
func (s *Socket) PeekFrom(b []byte) (d Datagram, errno syscall.Errno) {
	switch {
	case s.err != 0:
		return d, s.Err()
	case len(s.datagrams.packets) == 0:
		return d, syscall.EAGAIN
	}
	p := s.datagrams.packets[0]
	d = Datagram{Size: p.size(), From: p.src, To: p.dst, At: Ethernet}
	if p.segment != nil {
		d.N = copy(b, p.segment.data)
	}
	if p.from == p.to && (p.dst.Addr().IsLoopback() || !p.dst.Addr().IsMulticast()) {
		d.At = Loopback
	}
	return d, 0
}

func (s *Socket) shutdownDatagrams(d Direction) syscall.Errno {
	s.datagrams.recvClosed = s.datagrams.recvClosed || d&Receiving != 0
	s.datagrams.sendClosed = s.datagrams.sendClosed || d&Sending != 0
	s.rise(s.Ready())
	s.net.tellWatchers()
	if !s.peer.IsValid() {
		return syscall.ENOTCONN
	}
	return 0
}

func (s *Socket) readyDatagrams() Ready {
	r := Writable
	if len(s.datagrams.packets) > 0 {
		r |= Readable
	}
	if s.datagrams.recvClosed {
		r |= Readable | PeerClosed
		if s.datagrams.sendClosed {
			r |= HangUp
		}
	}
	return r
}

// inputDatagram gives a datagram to the socket that it is for. If there is none,
// the sender is told, as ICMP would.
func (h *host) inputDatagram(p *packet) {
	s := h.datagramSocket(p)
	switch {
	case s == nil:
		h.unreachable(p)
	case p.flags&UNREACHABLE != 0:
		s.err = syscall.ECONNREFUSED
		s.rise(Failed)
		h.net.freePacket(p)
	default:
		s.queueDatagram(p)
	}
}

// queueDatagram keeps a datagram to be received, if there is room.
func (s *Socket) queueDatagram(p *packet) {
	if s.datagrams.size > s.opt.RecvBuffer {
		s.net.dropBuffer(p)
		return
	}
	s.datagrams.packets = append(s.datagrams.packets, p)
	s.datagrams.size += p.size() + segmentOverhead
	s.rise(Readable)
}

// datagramSocket returns who takes p: a socket connected to its sender before one
// that takes from everybody. ICMP reaches connected sockets only.
func (h *host) datagramSocket(p *packet) *Socket {
	u := h.ports[port{UDP, p.dst.Port()}]
	if u == nil {
		return nil
	}
	s := pick(u.owners, p.dst, p.src, func(s *Socket) bool { return s.peer.IsValid() && s.hears(p.src) })
	if s == nil && p.flags&UNREACHABLE == 0 {
		s = pick(u.owners, p.dst, p.src, func(s *Socket) bool { return !s.peer.IsValid() })
	}
	return s
}

// hears reports whether a datagram socket takes what comes from src.
func (s *Socket) hears(src netip.AddrPort) bool {
	return !s.peer.IsValid() || s.peer.Addr() == src.Addr() && (s.peer.Port() == 0 || s.peer.Port() == src.Port())
}

func (h *host) unreachable(p *packet) {
	if p.flags&UNREACHABLE == 0 {
		r := h.net.newPacket()
		r.proto, r.flags = UDP, UNREACHABLE
		r.from, r.to, r.src, r.dst = p.to, p.from, p.dst, p.src
		h.net.send(r)
	}
	h.net.freePacket(p)
}
