package net

import (
	"net/netip"
	"slices"
	"syscall"
)

type port struct {
	proto  Proto
	number uint16
}

// portUse is who holds a port.
type portUse struct {
	owners   []*Socket // bound to it, in the order in which they were
	accepted int       // connections that listeners on it accepted
	fixed    int       // those of them without SO_REUSEADDR
}

const (
	ephemeralFirst = 32768 // net.ipv4.ip_local_port_range
	ephemeralLast  = 60999
)

// conflicts reports whether s may not bind a to the port that u is about, by
// Linux's rule: owners of overlapping addresses conflict unless both have
// SO_REUSEADDR and the other does not listen, or both have SO_REUSEPORT.
func (u *portUse) conflicts(s *Socket, a netip.Addr) bool {
	for _, o := range u.owners {
		if o == s || !overlap(o.local.Addr(), a) {
			continue
		}
		if o.opt.ReusePort && s.opt.ReusePort {
			continue
		}
		if o.opt.ReuseAddr && s.opt.ReuseAddr && o.state != Listen {
			continue
		}
		return true
	}
	return u.fixed > 0 || u.accepted > 0 && !s.opt.ReuseAddr
}

func overlap(a, b netip.Addr) bool {
	return a == b || a.IsUnspecified() || b.IsUnspecified()
}

// hold gives s its port, which s.local names.
func (h *host) hold(s *Socket) {
	k := port{s.proto, s.local.Port()}
	u := h.ports[k]
	if u == nil {
		u = &portUse{}
		h.ports[k] = u
	}
	if s.accepted {
		u.accepted++
		if !s.opt.ReuseAddr {
			u.fixed++
			s.fixed = true
		}
	} else {
		u.owners = append(u.owners, s)
	}
	s.holds = true
	h.link(s)
}

// release undoes hold.
func (h *host) release(s *Socket) {
	if !s.holds {
		return
	}
	s.holds = false
	h.unlink(s)
	k := port{s.proto, s.local.Port()}
	u := h.ports[k]
	if s.accepted {
		u.accepted--
		if s.fixed {
			u.fixed--
		}
	} else {
		i := slices.Index(u.owners, s)
		u.owners = slices.Delete(u.owners, i, i+1)
	}
	if len(u.owners) == 0 && u.accepted == 0 {
		delete(h.ports, k)
	}
}

// freePort returns the next ephemeral port that nobody holds or, if there is
// none, that usable accepts; 0 if it accepts none. Ports go up in order and
// begin again: unlike Linux's, they are not drawn.
func (h *host) freePort(p Proto, usable func(uint16, *portUse) bool) uint16 {
	if n := h.scanPorts(p, func(_ uint16, u *portUse) bool { return u == nil }); n != 0 {
		return n
	}
	if usable == nil {
		return 0
	}
	return h.scanPorts(p, usable)
}

func (h *host) scanPorts(p Proto, ok func(uint16, *portUse) bool) uint16 {
	n := h.ephemeral
	for range ephemeralLast - ephemeralFirst + 1 {
		this := n
		n++
		if n > ephemeralLast {
			n = ephemeralFirst
		}
		if ok(this, h.ports[port{p, this}]) {
			h.ephemeral = n
			return this
		}
	}
	return 0
}

// Bind gives the socket its local address; port 0 stands for a free one. Its
// errors are EINVAL (bound already), EADDRNOTAVAIL, EADDRINUSE.
func (s *Socket) Bind(a netip.AddrPort) syscall.Errno {
	if s.holds || s.gone || s.state != Closed {
		return syscall.EINVAL
	}
	addr := a.Addr().Unmap()
	if !addr.IsUnspecified() && !addr.IsLoopback() && addr != s.host.addr {
		return syscall.EADDRNOTAVAIL
	}
	number := a.Port()
	if number == 0 {
		if number = s.host.freePort(s.proto, nil); number == 0 {
			return syscall.EADDRINUSE
		}
	} else if u := s.host.ports[port{s.proto, number}]; u != nil && u.conflicts(s, addr) {
		return syscall.EADDRINUSE
	}
	s.local = netip.AddrPortFrom(addr, number)
	s.boundTo = addr
	s.host.hold(s)
	return 0
}

// bindFor gives a socket that connects or sends to peer a local address that
// reaches it, and a port if it has none.
func (s *Socket) bindFor(peer netip.AddrPort) syscall.Errno {
	addr := s.host.sourceFor(peer.Addr())
	if s.holds {
		if s.local.Addr().IsLoopback() && !addr.IsLoopback() && peer.Addr() != s.host.addr {
			return syscall.EINVAL
		}
		if s.local.Addr().IsUnspecified() {
			s.local = netip.AddrPortFrom(addr, s.local.Port())
		}
		return 0
	}
	number := s.host.freePort(s.proto, func(number uint16, u *portUse) bool {
		return s.proto == TCP && u.allAutomatic() &&
			s.host.conns[tuple{netip.AddrPortFrom(addr, number), peer}] == nil
	})
	if number == 0 {
		return syscall.EADDRNOTAVAIL
	}
	s.automatic = true
	s.local = netip.AddrPortFrom(addr, number)
	s.host.hold(s)
	return 0
}

// allAutomatic reports whether only connections that got it by themselves hold
// the port.
func (u *portUse) allAutomatic() bool {
	for _, o := range u.owners {
		if !o.automatic {
			return false
		}
	}
	return u.accepted == 0
}

// sourceFor returns the address from which h reaches a.
func (h *host) sourceFor(a netip.Addr) netip.Addr {
	if a.IsLoopback() {
		return loopbackAddr
	}
	return h.addr
}

// listener returns the socket that listens for a connection to dst: one bound to
// the address before one bound to all. Among several with SO_REUSEPORT, the
// source decides.
func (h *host) listener(dst, src netip.AddrPort) *Socket {
	u := h.ports[port{TCP, dst.Port()}]
	if u == nil {
		return nil
	}
	return pick(u.owners, dst, src, func(s *Socket) bool { return s.state == Listen })
}

// pick returns the socket of owners that best fits a packet to dst.
func pick(owners []*Socket, dst, src netip.AddrPort, ok func(*Socket) bool) *Socket {
	var found *Socket
	best, nth := 0, uint16(0)
	for _, s := range owners {
		score := 0
		switch {
		case !ok(s):
		case s.local.Addr() == dst.Addr():
			score = 2
		case s.local.Addr().IsUnspecified():
			score = 1
		}
		if score == 0 || score < best {
			continue
		}
		if score > best {
			best, nth = score, 0
		}
		nth++
		if nth == 1 || src.Port()%nth == 0 {
			found = s
		}
	}
	return found
}
