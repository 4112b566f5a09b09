package net

import (
	"syscall"
	"time"
)

// push queues a segment without payload: a SYN or a FIN.
func (s *Socket) push(f Flags) {
	g := s.net.newSegment(0)
	g.seq, g.flags = s.end, f
	s.sendq.push(g)
	s.end = g.end()
}

// enqueue queues what of b fits one segment, and returns how much that is.
func (s *Socket) enqueue(b []byte) int {
	b = b[:min(len(b), s.opt.SendBuffer-s.charged)]
	if s.unsent < s.sendq.len() {
		// What waits for the window is filled up before a new segment is begun.
		g := s.sendq.last()
		room := min(cap(g.data), s.net.cfg.SegmentMax) - len(g.data)
		if room > 0 {
			b = b[:min(len(b), room)]
			g.data = append(g.data, b...)
			s.end += int64(len(b))
			s.charged += len(b)
			return len(b)
		}
	}
	b = b[:min(len(b), s.net.cfg.SegmentMax)]
	g := s.net.newSegment(len(b))
	g.seq = s.end
	g.data = append(g.data, b...)
	s.sendq.push(g)
	s.end = g.end()
	s.charged += g.charge()
	return len(b)
}

// output sends what the peer's window has room for. A segment that does not fit
// is cut only if nothing is on its way whose acknowledgement would open the window.
func (s *Socket) output() {
	for s.unsent < s.sendq.len() {
		g := s.sendq.at(s.unsent)
		if len(g.data) > 0 && g.end() > s.edge {
			room := s.edge - g.seq
			if room <= 0 || s.nxt > s.una {
				break
			}
			s.split(g, int(room))
		}
		s.unsent++
		s.nxt = g.end()
		s.transmit(g)
	}
	if !s.retransmit.armed() {
		s.armRetransmit()
	}
}

// split leaves the first size bytes in g and moves the others to a new segment.
func (s *Socket) split(g *segment, size int) {
	rest := s.net.newSegment(len(g.data) - size)
	rest.data = append(rest.data, g.data[size:]...)
	rest.seq = g.seq + int64(size)
	g.data = g.data[:size]
	s.sendq.insert(s.unsent, rest)
	s.charged += segmentOverhead
}

// transmit sends a segment of sendq, for the first time or again.
func (s *Socket) transmit(g *segment) {
	p := s.packet(ACK | g.flags)
	p.seq, p.segment = g.seq, g
	if s.state == SynSent {
		p.flags &^= ACK
	}
	g.refs++
	g.tries++
	if g.tries == 1 {
		g.sentAt = s.net.now
	} else {
		s.resent++
		s.net.observe(Retransmitted, p)
		if p.from != p.to {
			s.net.link(p.from, p.to).stats.Retransmitted++
		}
	}
	s.net.send(p)
}

// packet returns a packet to the peer that says what was received so far.
func (s *Socket) packet(f Flags) *packet {
	p := s.net.newPacket()
	p.proto, p.flags, p.conn = TCP, f, s.conn
	p.from, p.to = s.host.id, s.peerHost
	p.src, p.dst = s.local, s.peer
	p.seq, p.ack = s.nxt, s.rcv
	s.advertised = max(s.advertised, s.rcv+int64(max(s.opt.RecvBuffer-s.recvq.size, 0)))
	p.window = s.advertised - s.rcv
	return p
}

func (s *Socket) acknowledge() { s.net.send(s.packet(ACK)) }

func (s *Socket) sendReset() { s.net.send(s.packet(ACK | RST)) }

// openWindow tells the peer of room that the owner made by reading, once it is
// half of the buffer.
func (s *Socket) openWindow() {
	if s.finSeen || s.state == Closed || s.state == TimeWait {
		return
	}
	edge := s.rcv + int64(s.opt.RecvBuffer-s.recvq.size)
	if edge-s.advertised >= int64(s.opt.RecvBuffer/2) {
		s.acknowledge()
	}
}

// armRetransmit starts the timer over, or stops it if nothing waits for an answer.
func (s *Socket) armRetransmit() {
	if s.sendq.len() == 0 {
		s.net.disarm(&s.retransmit)
		s.shutSince = 0
		return
	}
	if s.unsent > 0 {
		s.shutSince = 0
		s.stalledSince = max(s.sendq.at(0).sentAt, s.progress)
	} else {
		if s.shutSince == 0 {
			s.shutSince = s.net.now
		}
		s.stalledSince = s.shutSince
	}
	wait := min(s.rto<<min(s.backoff, 16), rtoMost)
	when := s.net.now + int64(wait)
	if s.opt.UserTimeout > 0 {
		when = min(when, max(s.stalledSince+int64(s.opt.UserTimeout), s.net.now+1))
	}
	s.net.arm(&s.retransmit, when)
}

// onRetransmit sends the oldest segment again, or asks for a closed window, or
// gives up.
func (s *Socket) onRetransmit() {
	if s.exhausted() {
		if s.state == SynReceived || s.gone {
			s.fail(0)
			return
		}
		s.fail(syscall.ETIMEDOUT)
		return
	}
	s.tries++
	s.backoff++
	if s.unsent == 0 {
		p := s.packet(ACK | PROBE)
		p.seq = s.una - 1
		s.net.send(p)
	} else {
		s.recover = s.nxt
		s.transmit(s.sendq.at(0))
	}
	s.armRetransmit()
}

// exhausted reports whether the peer has been silent for too long.
func (s *Socket) exhausted() bool {
	if t := s.opt.UserTimeout; t > 0 && s.state != SynReceived {
		return s.net.now-s.stalledSince >= int64(t)
	}
	switch {
	case s.state == SynSent:
		return s.tries >= synTries
	case s.state == SynReceived:
		return s.tries >= synAckTries
	case s.gone:
		return s.tries >= orphanTries
	}
	return s.tries >= dataTries
}

// measure takes a round trip into account, by RFC 6298 with Linux's bounds.
func (s *Socket) measure(rtt time.Duration) {
	if s.srtt == 0 {
		s.srtt, s.rttvar = rtt, rtt/2
	} else {
		s.rttvar += ((s.srtt - rtt).Abs() - s.rttvar) / 4
		s.srtt += (rtt - s.srtt) / 8
	}
	s.rto = min(s.srtt+max(4*s.rttvar, rtoLeast), rtoMost)
}
