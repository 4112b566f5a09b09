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
	if s.host.reach(to.Addr()) == nil {
		return syscall.ENETUNREACH
	}
	if errno := s.bindFor(to); errno != 0 {
		return errno
	}
	s.peer = to
	return 0
}

// Disconnect has a datagram socket talk to everyone again.
func (s *Socket) Disconnect() {
	s.peer = netip.AddrPort{}
	if s.boundTo.IsValid() {
		s.local = netip.AddrPortFrom(s.boundTo, s.local.Port())
	}
}

func (s *Socket) sendConnected(b []byte) (int, syscall.Errno) {
	if !s.peer.IsValid() {
		return 0, syscall.EDESTADDRREQ
	}
	return s.SendTo(b, s.peer)
}

// SendTo sends a datagram. Its errors are EMSGSIZE, ENETUNREACH, EPIPE, and what
// Err would return. It never waits: what the network cannot carry it loses.
func (s *Socket) SendTo(b []byte, to netip.AddrPort) (int, syscall.Errno) {
	to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	if to.Addr().IsUnspecified() {
		to = netip.AddrPortFrom(loopbackAddr, to.Port())
	}
	switch {
	case s.gone || s.datagrams.sendClosed:
		return 0, syscall.EPIPE
	case s.err != 0:
		return 0, s.Err()
	case len(b) > datagramMax:
		return 0, syscall.EMSGSIZE
	case to.Port() == 0:
		return 0, syscall.EINVAL
	}
	dst := s.host.reach(to.Addr())
	if dst == nil {
		return 0, syscall.ENETUNREACH
	}
	if !s.holds {
		if errno := s.Bind(s.local); errno != 0 {
			return 0, syscall.EAGAIN
		}
	}
	src := s.local
	if src.Addr().IsUnspecified() {
		src = netip.AddrPortFrom(s.host.sourceFor(to.Addr()), src.Port())
	}
	p := s.net.newPacket()
	p.proto, p.from, p.to, p.src, p.dst = UDP, s.host.id, dst.id, src, to
	p.segment = s.net.newSegment(len(b))
	p.segment.data = append(p.segment.data, b...)
	s.net.send(p)
	return len(b), 0
}

// RecvFrom takes a datagram; what does not fit b is lost. size is the datagram's.
// Its errors are EAGAIN and what Err would return.
func (s *Socket) RecvFrom(b []byte) (n, size int, from netip.AddrPort, errno syscall.Errno) {
	n, size, from, errno = s.PeekFrom(b)
	if errno == 0 && len(s.datagrams.packets) > 0 {
		q := &s.datagrams
		p := q.packets[0]
		i := copy(q.packets, q.packets[1:])
		q.packets[i] = nil
		q.packets = q.packets[:i]
		q.size -= p.size() + segmentOverhead
		s.net.freePacket(p)
	}
	return n, size, from, errno
}

// PeekFrom is RecvFrom that leaves the datagram.
func (s *Socket) PeekFrom(b []byte) (n, size int, from netip.AddrPort, errno syscall.Errno) {
	switch {
	case s.err != 0:
		return 0, 0, from, s.Err()
	case len(s.datagrams.packets) > 0:
	case s.datagrams.recvClosed:
		return 0, 0, from, 0
	default:
		return 0, 0, from, syscall.EAGAIN
	}
	p := s.datagrams.packets[0]
	if p.segment != nil {
		n = copy(b, p.segment.data)
	}
	return n, p.size(), p.src, 0
}

func (s *Socket) shutdownDatagrams(d Direction) syscall.Errno {
	if !s.peer.IsValid() {
		return syscall.ENOTCONN
	}
	s.datagrams.recvClosed = s.datagrams.recvClosed || d&Receiving != 0
	s.datagrams.sendClosed = s.datagrams.sendClosed || d&Sending != 0
	s.rise(s.Ready())
	s.net.tellWatchers()
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
		s.rise(Readable | Writable | Failed)
		h.net.freePacket(p)
	case s.datagrams.recvClosed, s.datagrams.size > s.opt.RecvBuffer:
		h.net.dropBuffer(p)
	default:
		s.datagrams.packets = append(s.datagrams.packets, p)
		s.datagrams.size += p.size() + segmentOverhead
		s.rise(Readable)
	}
}

// datagramSocket returns who takes p: a socket connected to its sender before one
// that takes from everybody. ICMP reaches connected sockets only.
func (h *host) datagramSocket(p *packet) *Socket {
	u := h.ports[port{UDP, p.dst.Port()}]
	if u == nil {
		return nil
	}
	s := pick(u.owners, p.dst, p.src, func(s *Socket) bool { return s.peer == p.src })
	if s == nil && p.flags&UNREACHABLE == 0 {
		s = pick(u.owners, p.dst, p.src, func(s *Socket) bool { return !s.peer.IsValid() })
	}
	return s
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
