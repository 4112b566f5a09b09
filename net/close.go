package net

import (
	"net/netip"
	"syscall"
)

// Direction is what Shutdown ends.
type Direction uint8

// The directions, which can be or'ed.
const (
	Receiving Direction = 1 << iota
	Sending
)

// Shutdown ends one or both directions of a connection; its error is ENOTCONN.
func (s *Socket) Shutdown(d Direction) syscall.Errno {
	if s.proto == UDP {
		return s.shutdownDatagrams(d)
	}
	if s.phase == connecting {
		s.phase = connected
		if s.state < Established {
			s.phase = disconnecting
		}
	}
	switch s.state {
	case SynSent:
		s.disconnectStream()
		return 0
	case Listen:
		if d&Receiving != 0 {
			s.disconnectStream()
		}
		return 0
	}
	if d&Receiving != 0 && !s.recvShut {
		s.recvShut = true
		s.rise(Readable | PeerClosed)
	}
	if d&Sending != 0 && !s.sendShut {
		s.finish()
		s.rise(Writable)
	}
	if s.recvShut && s.sendShut {
		s.rise(HangUp)
	}
	s.net.tellWatchers()
	if s.state == Closed {
		return syscall.ENOTCONN
	}
	return 0
}

// disconnectStream has the socket be as it was before Connect or Listen.
func (s *Socket) disconnectStream() {
	errno := s.err
	switch s.state {
	case Listen:
		s.dropBacklog()
	case SynSent:
		errno = syscall.ECONNRESET
	case SynReceived, Established, CloseWait, FinWait1, FinWait2:
		s.sendReset()
		errno = syscall.ECONNRESET
	}
	if s.state != Closed {
		s.detach()
	}
	s.dropReceived()
	s.forgetAddr()
	s.peer = netip.AddrPort{}
	s.accepted = s.accepted && s.holds
	s.phase, s.err = unconnected, errno
	s.sendShut, s.recvShut, s.finSeen = false, false, false
	s.rise(s.Ready())
	s.net.tellWatchers()
}

// finish queues the FIN.
func (s *Socket) finish() {
	s.sendShut = true
	switch s.state {
	case SynReceived, Established:
		s.state = FinWait1
	case CloseWait:
		s.state = LastAck
	default:
		return
	}
	s.push(FIN)
	s.output()
}

func (s *Socket) closeStream() {
	switch {
	case s.state == Listen:
		s.dropBacklog()
		s.forget()
	case s.state == Closed || s.state == SynSent:
		s.forget()
	case s.opt.LingerZero || s.recvq.size > 0:
		s.sendReset()
		s.forget()
	default:
		if !s.sendShut {
			s.finish()
		}
		s.recvShut = true
		s.stopKeepAlive()
		if s.state == FinWait2 {
			s.net.arm(&s.life, s.net.now+int64(finWait))
		}
	}
}

// dropBacklog ends the connections that a listener has not handed out.
func (s *Socket) dropBacklog() {
	for _, c := range s.backlog {
		c.listener = nil
		c.Abort()
	}
	for _, c := range s.halfOpen {
		c.listener = nil
		c.forget()
	}
	s.backlog, s.halfOpen = nil, nil
}

// forget takes the socket out of its host, without a word to the peer.
func (s *Socket) forget() {
	s.gone = true
	s.detach()
	s.dropReceived()
}

// fail ends the connection with an error that its owner will see. What was
// received before stays to be read.
func (s *Socket) fail(errno syscall.Errno) {
	if s.state == SynReceived && s.listener != nil {
		s.listener.removeHalfOpen(s)
		s.forget()
		return
	}
	if s.gone {
		s.forget()
		return
	}
	s.detach()
	s.sendShut, s.recvShut = true, true
	s.err = errno
	s.rise(s.Ready())
}

// detach ends the connection: no packet finds it any more.
func (s *Socket) detach() {
	if s.state != Closed && s.state != Listen && s.host.conns[tuple{s.local, s.peer}] == s {
		delete(s.host.conns, tuple{s.local, s.peer})
	}
	s.state = Closed
	s.net.disarm(&s.retransmit)
	s.net.disarm(&s.life)
	for s.sendq.len() > 0 {
		s.net.releaseSegment(s.sendq.pop())
	}
	s.unsent, s.charged, s.end = 0, 0, s.una
	s.dropEarly()
	if s.gone || !s.portKept {
		s.host.release(s)
	}
}

func (s *Socket) dropReceived() { s.recvq.drop(&s.net.pool) }

func (s *Socket) dropEarly() {
	for i, p := range s.early {
		s.net.freePacket(p)
		s.early[i] = nil
	}
	s.early = s.early[:0]
}

// enterTimeWait keeps the connection's addresses in use for a while, so that
// what is still on its way finds them. Its owner has done with them.
func (s *Socket) enterTimeWait() {
	if !s.gone {
		s.leaveTimeWait()
		s.detach()
		s.rise(HangUp | Readable | Writable)
		return
	}
	s.state = TimeWait
	s.net.disarm(&s.retransmit)
	s.net.arm(&s.life, s.net.now+int64(timeWait))
	s.dropEarly()
}

// waiting reports whether all that is left of the connection waits for what may still
// be on its way. Another between its addresses can take its place at once: their
// packets tell them apart, as time stamps do on Linux.
func (s *Socket) waiting() bool {
	return s.state == TimeWait || s.state == FinWait2 && s.gone
}

// leaveTimeWait has another socket, of nobody, keep the connection's addresses in
// use in place of s.
func (s *Socket) leaveTimeWait() {
	t := &Socket{net: s.net, host: s.host, proto: TCP, family: s.family, opt: s.opt, local: s.local, peer: s.peer, gone: true}
	t.accepted = true
	t.initTimers()
	t.host.hold(t)
	t.open(s.conn, TimeWait)
	t.peerHost = s.peerHost
	t.una, t.nxt, t.end, t.rcv, t.edge = s.una, s.nxt, s.end, s.rcv, s.edge
	t.finSeen, t.sendShut, t.recvShut = true, true, true
	s.net.arm(&t.life, s.net.now+int64(timeWait))
}

// onLife handles the timer of a connection's life.
func (s *Socket) onLife() {
	switch {
	case s.state == TimeWait:
		s.over()
	case s.state == FinWait2 && s.gone:
		s.forget()
	default:
		s.keepAlive()
	}
}

// over ends a connection that both sides have ended in order.
func (s *Socket) over() {
	if s.gone {
		s.forget()
		return
	}
	s.detach()
	s.rise(HangUp | Readable | Writable)
}
