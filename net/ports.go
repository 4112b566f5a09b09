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
	accepted []accepted
}

// accepted counts the connections that listeners accepted at one address.
type accepted struct {
	at    span
	all   int
	fixed int // those of them without SO_REUSEADDR
}

const (
	ephemeralFirst = 32768 // net.ipv4.ip_local_port_range
	ephemeralLast  = 60999
)

// span is the addresses at which a socket takes packets.
type span struct {
	addr   netip.Addr
	only   bool   // an unspecified address of IPv6 stands for IPv6 alone
	family Family // the socket's
}

func (s *Socket) span() span { return span{s.local.Addr(), s.opt.V6Only, s.family} }

// dual reports whether the span is all addresses of both families.
func (x span) dual() bool { return x.addr == unspecifieds[IPv6] && !x.only }

func (x span) overlaps(y span) bool {
	if y.addr.Is4() {
		x, y = y, x
	}
	switch {
	case y.dual() || x.addr == y.addr:
		return true
	case x.addr.Is4() && y.addr.Is6():
		// Linux also keeps apart those that left both families for one address.
		return x.addr.IsUnspecified() && x.family == IPv4 && !y.only
	}
	return x.dual() || x.addr.IsUnspecified() || y.addr.IsUnspecified()
}

// conflicts reports whether s may not bind x to the port that u is about, by
// Linux's rule: owners of overlapping addresses conflict unless both have
// SO_REUSEADDR and the other does not listen, or both have SO_REUSEPORT.
func (u *portUse) conflicts(s *Socket, x span) bool {
	for _, o := range u.owners {
		if o == s || !o.span().overlaps(x) {
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
	for _, a := range u.accepted {
		if (a.fixed > 0 || a.all > 0 && !s.opt.ReuseAddr) && x.overlaps(a.at) {
			return true
		}
	}
	return false
}

// counts returns the counts of accepted connections at an address.
func (u *portUse) counts(at span) *accepted {
	for i := range u.accepted {
		if u.accepted[i].at == at {
			return &u.accepted[i]
		}
	}
	u.accepted = append(u.accepted, accepted{at: at})
	return &u.accepted[len(u.accepted)-1]
}

func (u *portUse) hasAccepted() bool {
	return slices.ContainsFunc(u.accepted, func(a accepted) bool { return a.all > 0 })
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
		c := u.counts(s.span())
		c.all++
		if !s.opt.ReuseAddr {
			c.fixed++
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
		c := u.counts(s.span())
		c.all--
		if s.fixed {
			c.fixed--
		}
	} else {
		i := slices.Index(u.owners, s)
		u.owners = slices.Delete(u.owners, i, i+1)
	}
	if len(u.owners) == 0 && !u.hasAccepted() {
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
	if s.holds || s.gone || s.proto == TCP && s.state != Closed || s.peer.IsValid() && s.proto == UDP {
		return syscall.EINVAL
	}
	addr := a.Addr().Unmap()
	if s.family == IPv6 && s.opt.V6Only && addr.Is4() {
		return syscall.EINVAL
	}
	if !s.host.owns(addr) && !s.mayReceiveAt(addr) {
		return syscall.EADDRNOTAVAIL
	}
	x := span{addr, s.opt.V6Only || addr.Is6() && !addr.IsUnspecified(), s.family}
	number := a.Port()
	if number == 0 {
		if number = s.host.freePort(s.proto, nil); number == 0 {
			return syscall.EADDRINUSE
		}
	} else if u := s.host.ports[port{s.proto, number}]; u != nil && u.conflicts(s, x) {
		s.local = netip.AddrPortFrom(unspecifieds[s.family], s.local.Port())
		return syscall.EADDRINUSE
	}
	s.local = netip.AddrPortFrom(addr, number)
	s.addrKept, s.portKept = addr != unspecifieds[s.family], a.Port() != 0
	s.opt.V6Only = x.only
	s.host.hold(s)
	return 0
}

// mayReceiveAt reports whether a is an address of many hosts, to which a datagram
// socket may be bound to receive what is sent there.
func (s *Socket) mayReceiveAt(a netip.Addr) bool {
	return s.proto == UDP && s.net.toMany(a)
}

// Autobind gives the socket a free port if it has none; its error is EAGAIN.
func (s *Socket) Autobind() syscall.Errno {
	if s.holds {
		return 0
	}
	number := s.host.freePort(s.proto, nil)
	if number == 0 {
		return syscall.EAGAIN
	}
	s.local = netip.AddrPortFrom(s.local.Addr(), number)
	s.host.hold(s)
	return 0
}

// bindFor gives a socket that connects to peer a local address that reaches it,
// and a port if it has none.
func (s *Socket) bindFor(peer netip.AddrPort) syscall.Errno {
	addr := s.sourceFor(peer.Addr())
	if s.local.Addr().IsLoopback() && !s.host.owns(peer.Addr()) {
		return syscall.EINVAL
	}
	if s.holds {
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

// forgetAddr takes from a socket that is not connected any more the address that it
// was not bound to.
func (s *Socket) forgetAddr() {
	if !s.addrKept {
		s.local = netip.AddrPortFrom(unspecifieds[s.family], s.local.Port())
	}
}

// allAutomatic reports whether only connections that got it by themselves hold
// the port.
func (u *portUse) allAutomatic() bool {
	for _, o := range u.owners {
		if !o.automatic {
			return false
		}
	}
	return !u.hasAccepted()
}

// sourceFor returns the address from which the socket reaches a: that which it is
// bound to, or else the host's.
func (s *Socket) sourceFor(a netip.Addr) netip.Addr {
	if local := s.local.Addr(); !local.IsUnspecified() && familyOf(local) == familyOf(a) {
		return local
	}
	if a.IsLoopback() {
		return loopbacks[familyOf(a)]
	}
	return s.host.addrs[familyOf(a)]
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

// fits says how well a packet to dst fits the socket's address: not at all, as one
// of both families, as one of its family, or by itself.
func (s *Socket) fits(dst netip.Addr) int {
	switch x := s.span(); {
	case x.addr == dst:
		return 3
	case x.addr == unspecifieds[familyOf(dst)]:
		return 2
	case x.dual():
		return 1
	}
	return 0
}

// mayUse reports whether the socket's device is that of a packet.
func (s *Socket) mayUse(dst, src netip.Addr) bool {
	if s.opt.Device == 0 {
		return true
	}
	local := src.IsLoopback() || dst.IsLoopback() || src == s.host.addrs[familyOf(src)]
	return local == (s.opt.Device == Loopback)
}

// pick returns the socket of owners that best fits a packet to dst: of equal ones
// the last, but of those with SO_REUSEPORT one by the source.
func pick(owners []*Socket, dst, src netip.AddrPort, ok func(*Socket) bool) *Socket {
	var found *Socket
	best, nth := 0, uint16(0)
	for _, s := range owners {
		score := s.fits(dst.Addr())
		if score == 0 || score < best || !ok(s) || !s.mayUse(dst.Addr(), src.Addr()) {
			continue
		}
		if score > best || !s.opt.ReusePort || !found.opt.ReusePort {
			best, nth = score, 0
		}
		nth++
		if nth == 1 || src.Port()%nth == 0 {
			found = s
		}
	}
	return found
}
