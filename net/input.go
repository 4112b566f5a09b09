package net

import (
	"slices"
	"syscall"
	"time"
)

// inputSegment handles a TCP packet that has reached h.
func (h *host) inputSegment(p *packet) {
	s := h.conns[tuple{p.dst, p.src}]
	opening := p.flags&(SYN|ACK|RST) == SYN
	if s != nil && s.state == TimeWait && opening && s.conn != p.conn {
		s.over()
		s = nil
	}
	if s != nil {
		s.inputPacket(p)
		return
	}
	if opening {
		if l := h.listener(p.dst, p.src); l != nil {
			l.inputSyn(p)
			return
		}
	}
	if p.flags&RST != 0 {
		h.net.freePacket(p)
		return
	}
	h.net.refuse(p)
}

// refuse answers p with RST in the name of its receiver, and frees it.
func (n *Network) refuse(p *packet) {
	n.answerReset(p)
	n.freePacket(p)
}

// answerReset answers p with a RST that is in order for its sender.
func (n *Network) answerReset(p *packet) {
	r := n.newPacket()
	r.proto, r.flags, r.conn = TCP, RST|ACK, p.conn
	r.from, r.to, r.src, r.dst = p.to, p.from, p.dst, p.src
	r.seq, r.ack = p.ack, p.end()
	n.send(r)
}

// inputSyn makes a half-open connection, if the backlog has room.
func (s *Socket) inputSyn(p *packet) {
	if len(s.backlog) > s.backlogMax || len(s.halfOpen) > max(s.backlogMax, 8) {
		s.net.dropBuffer(p)
		return
	}
	c := &Socket{net: s.net, host: s.host, proto: TCP, family: s.family, opt: s.opt, accepted: true}
	c.initTimers()
	c.local, c.peer, c.addrKept = p.dst, p.src, s.addrKept
	c.host.hold(c)
	c.open(p.conn, SynReceived)
	c.peerHost = p.from
	c.sendShut, c.recvShut = s.sendShut, s.recvShut // it was shut down, then listened
	c.rcv, c.edge = p.end(), p.window
	c.listener = s
	s.halfOpen = append(s.halfOpen, c)
	s.net.freePacket(p)
	c.push(SYN)
	c.edge = max(c.edge, 1)
	c.output()
}

func (s *Socket) removeHalfOpen(c *Socket) {
	if i := slices.Index(s.halfOpen, c); i >= 0 {
		s.halfOpen = slices.Delete(s.halfOpen, i, i+1)
	}
}

// inputPacket handles a packet whose addresses are the connection's.
func (s *Socket) inputPacket(p *packet) {
	if p.conn != s.conn {
		s.inputStranger(p)
		return
	}
	s.heard, s.probes = s.net.now, 0
	switch {
	case p.flags&RST != 0:
		if s.resetInOrder(p) {
			s.inputReset()
		}
	case s.state == SynSent && p.flags&ACK == 0:
		s.inputOwnSyn(p)
	case s.state == SynSent:
		s.inputSynAck(p)
	case s.state == SynReceived && !s.establish(p):
	default:
		s.inputAck(p)
		if s.state != Closed && s.inputPayload(p) {
			return
		}
	}
	s.net.freePacket(p)
}

// inputStranger handles a packet of another connection between the same ports:
// one that an end has forgotten. A half-open end is found out as on Linux: its
// ACK to the new connection's SYN is answered with RST.
func (s *Socket) inputStranger(p *packet) {
	switch {
	case p.flags&RST != 0:
	case s.state == SynSent:
		s.net.refuse(p)
		return
	case p.flags&(SYN|ACK) == SYN:
		s.acknowledge()
	}
	s.net.freePacket(p)
}

// resetInOrder reports whether a RST ends the connection, by RFC 5961 as Linux has it:
// its number is the next in order, or the one after what came early, which the sender
// was told of by SACK. One that has overtaken data does not. It is answered with an
// ACK, to which a peer that has given up the connection answers with the RST due.
func (s *Socket) resetInOrder(p *packet) bool {
	switch {
	case s.state == SynSent:
		return p.ack == s.nxt
	case s.state == SynReceived && s.listener != nil:
		return p.seq >= s.rcv && p.seq <= s.advertised
	case p.seq == s.rcv:
		return true
	case len(s.early) > 0 && p.seq == s.early[len(s.early)-1].end():
		return true
	case p.seq > s.rcv && p.seq <= s.advertised && s.state != TimeWait:
		s.acknowledge()
	}
	return false
}

func (s *Socket) inputReset() {
	switch s.state {
	case Closed, Listen:
	case TimeWait:
		s.over()
	case SynSent:
		s.fail(syscall.ECONNREFUSED)
	case CloseWait:
		s.fail(syscall.EPIPE)
	default:
		s.fail(syscall.ECONNRESET)
	}
}

// inputOwnSyn handles the SYN of a socket that connects to itself.
func (s *Socket) inputOwnSyn(p *packet) {
	s.rcv, s.edge = p.end(), max(s.edge, p.window)
	s.state = SynReceived
	s.transmit(s.sendq.at(0))
}

// inputSynAck completes the initiator's side.
func (s *Socket) inputSynAck(p *packet) {
	if p.flags&(SYN|ACK) != SYN|ACK || p.ack != s.nxt {
		return
	}
	s.rcv = p.end()
	s.state = Established
	s.inputAck(p)
	s.acknowledge()
	s.startKeepAlive()
	s.rise(Writable)
}

// establish completes the listener's side, and reports whether p is to be looked
// at further.
func (s *Socket) establish(p *packet) bool {
	l := s.listener
	switch {
	case l == nil: // connected to itself
		s.opened()
		s.rise(Writable)
		return true
	case p.flags&ACK == 0: // its SYN again: our answer was lost
		s.transmit(s.sendq.at(0))
		return false
	case p.ack != s.nxt: // the SYN was an old one: the peer does not know of this
		s.net.answerReset(p)
		return false
	case len(l.backlog) > l.backlogMax:
		return false // our answer, sent again, asks for this once more
	}
	l.removeHalfOpen(s)
	l.backlog = append(l.backlog, s)
	s.opened()
	l.rise(Readable)
	return true
}

// opened has a connection that was not asked for by SYN-ACK begin.
func (s *Socket) opened() {
	s.state = Established
	s.startKeepAlive()
	if s.sendShut { // before it was connected
		s.finish()
	}
}

// inputAck handles what a packet says of the other direction.
func (s *Socket) inputAck(p *packet) {
	if p.flags&ACK == 0 {
		return
	}
	s.edge = max(s.edge, p.ack+p.window)
	switch {
	case p.ack > s.una && p.ack <= s.nxt:
		s.acked(p.ack)
	case s.unsent == 0:
		s.tries = 0 // a closed window is no silence
	}
	if s.state != Closed && s.state != TimeWait {
		s.output()
	}
}

// acked takes what the peer has received out of sendq. What a timeout has shown
// to be lost is sent again, all at once.
func (s *Socket) acked(ack int64) {
	rtt := int64(-1)
	for s.unsent > 0 && s.sendq.at(0).end() <= ack {
		g := s.sendq.pop()
		s.unsent--
		if len(g.data) > 0 {
			s.charged -= g.charge()
		}
		rtt = -1
		if g.tries == 1 { // Karn's rule
			rtt = s.net.now - g.sentAt
		}
		s.net.releaseSegment(g)
	}
	s.una, s.progress = ack, s.net.now
	if rtt >= 0 {
		s.measure(time.Duration(rtt))
	}
	s.tries, s.backoff = 0, 0
	if s.recover > ack {
		for i := 0; i < s.unsent && s.sendq.at(i).seq < s.recover; i++ {
			s.transmit(s.sendq.at(i))
		}
	}
	s.recover = 0
	s.armRetransmit()
	if s.full && s.charged <= s.opt.SendBuffer*2/3 {
		s.full = false
		s.rise(Writable)
	}
	if s.sendShut && s.una == s.end {
		s.finAcked()
	}
}

func (s *Socket) finAcked() {
	switch s.state {
	case FinWait1:
		s.state = FinWait2
		if s.gone {
			s.net.arm(&s.life, s.net.now+int64(finWait))
		}
	case Closing:
		s.enterTimeWait()
	case LastAck:
		s.over()
	}
}

// inputPayload handles a packet's bytes and its FIN; it reports whether it has
// kept the packet.
func (s *Socket) inputPayload(p *packet) bool {
	if p.end() == p.seq {
		if p.flags&PROBE != 0 {
			s.acknowledge()
		}
		return false
	}
	if p.end() <= s.rcv { // again: our ACK was lost
		s.acknowledge()
		return false
	}
	if s.finSeen {
		return false
	}
	if p.size() > 0 && s.recvShut && s.state != Established && s.state != CloseWait {
		// Nobody will read it.
		s.sendReset()
		s.fail(syscall.ECONNRESET)
		return false
	}
	if p.seq > s.rcv {
		return s.keepEarly(p)
	}
	s.take(p)
	for len(s.early) > 0 && s.early[0].seq <= s.rcv {
		q := s.early[0]
		s.early = slices.Delete(s.early, 0, 1)
		s.take(q)
		s.net.freePacket(q)
	}
	s.acknowledge()
	if s.finSeen {
		s.inputFin()
	}
	return false
}

// take takes the bytes of p that are next in order, and its FIN.
func (s *Socket) take(p *packet) {
	if s.finSeen || p.end() <= s.rcv {
		return
	}
	if size := p.size(); size > 0 {
		s.recvq.write(&s.net.pool, p.segment.data[s.rcv-p.seq:])
		s.rcv = p.seq + int64(size)
		s.rise(Readable)
	}
	if p.flags&FIN != 0 {
		s.rcv++
		s.finSeen = true
	}
}

// keepEarly keeps a packet that came before its turn.
func (s *Socket) keepEarly(p *packet) bool {
	i, found := slices.BinarySearchFunc(s.early, p.seq, func(q *packet, seq int64) int {
		return int(min(max(q.seq-seq, -1), 1))
	})
	if found && s.early[i].end() >= p.end() {
		return false
	}
	s.early = slices.Insert(s.early, i, p)
	return true
}

func (s *Socket) inputFin() {
	s.recvShut = true
	s.dropEarly()
	switch s.state {
	case Established:
		s.state = CloseWait
	case FinWait1:
		s.state = Closing
	case FinWait2:
		s.enterTimeWait()
	}
	s.rise(s.Ready() & (Readable | PeerClosed | HangUp))
}
