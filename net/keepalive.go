package net

import "syscall"

// startKeepAlive starts to look for a peer that has gone, if the option is set.
func (s *Socket) startKeepAlive() {
	if !s.opt.KeepAlive || s.gone || !s.keepsAlive() {
		return
	}
	s.net.arm(&s.life, max(s.heard+int64(s.opt.KeepIdle), s.net.now))
}

func (s *Socket) stopKeepAlive() {
	if s.keepsAlive() {
		s.net.disarm(&s.life)
	}
}

// keepsAlive reports whether the timer of the socket's life is keepalive's.
func (s *Socket) keepsAlive() bool {
	return s.state >= Established && s.state < TimeWait && !(s.state == FinWait2 && s.gone)
}

// keepAlive probes a peer that has been silent, and ends the connection if the
// probes had no answer.
func (s *Socket) keepAlive() {
	now := s.net.now
	idle := s.heard + int64(s.opt.KeepIdle)
	if s.sendq.len() > 0 || idle > now {
		// Data on its way has its own timer.
		if idle <= now {
			idle = now + int64(s.opt.KeepIdle)
		}
		s.net.arm(&s.life, idle)
		return
	}
	silent := now - s.heard
	if t := int64(s.opt.UserTimeout); t > 0 && silent >= t && s.probes > 0 || t == 0 && s.probes >= s.opt.KeepCount {
		s.sendReset()
		s.fail(syscall.ETIMEDOUT)
		return
	}
	s.probes++
	p := s.packet(ACK | PROBE)
	p.seq = s.una - 1
	s.net.send(p)
	s.net.arm(&s.life, now+int64(max(s.opt.KeepInterval, 1)))
}
