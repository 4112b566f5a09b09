package net

import (
	"net/netip"
	"slices"
	"syscall"
)

// All hosts are on one link, as if at one switch, which floods what is sent to
// many: broadcasts and multicasts reach every host, each over its own [link] with
// that link's faults.

// prefixBits are the lengths of the hosts' prefixes by family.
var prefixBits = [families]int{8, 64}

// PrefixBits returns the length of the prefix that the hosts' addresses share.
func PrefixBits(f Family) int { return prefixBits[f] }

var (
	limitedBroadcast = netip.AddrFrom4([4]byte{255, 255, 255, 255})
	allHosts         = [families]netip.Addr{netip.AddrFrom4([4]byte{224, 0, 0, 1}), netip.IPv6LinkLocalAllNodes()}
)

// Broadcast returns the address that reaches all hosts with a's prefix.
func Broadcast(a netip.Addr) netip.Addr {
	b := a.As4()
	b[1], b[2], b[3] = 255, 255, 255
	return netip.AddrFrom4(b)
}

// Interface is one of a host's two network interfaces, by its index.
type Interface int

// The interfaces.
const (
	Loopback Interface = 1
	Ethernet Interface = 2
)

// InterfaceOf returns the interface that has an address of a host's.
func (n *Network) InterfaceOf(h HostID, a netip.Addr) (Interface, bool) {
	switch {
	case a.IsLoopback():
		return Loopback, true
	case a == n.hosts[h].addrs[familyOf(a)]:
		return Ethernet, true
	}
	return 0, false
}

// group is a multicast group at an interface, and how many sockets joined it.
type group struct {
	membership
	sockets int
}

type membership struct {
	addr netip.Addr
	at   Interface
}

func isBroadcast(n *Network, a netip.Addr) bool {
	return a == limitedBroadcast || n.broadcast.IsValid() && a == n.broadcast
}

// toMany reports whether a is an address of many hosts.
func (n *Network) toMany(a netip.Addr) bool { return a.IsMulticast() || isBroadcast(n, a) }

// Join has the socket's host receive what is sent to a multicast group at an
// interface; an interface of 0 is the default one. Its errors are EINVAL (no
// multicast address), EADDRINUSE (joined already).
func (s *Socket) Join(addr netip.Addr, at Interface) syscall.Errno {
	m, errno := memberAt(addr, at)
	if errno != 0 {
		return errno
	}
	if slices.Contains(s.joined, m) {
		return syscall.EADDRINUSE
	}
	s.joined = append(s.joined, m)
	h := s.host
	if i := h.groupIndex(m); i >= 0 {
		h.groups[i].sockets++
	} else {
		h.groups = append(h.groups, group{m, 1})
	}
	return 0
}

// Leave undoes Join. Its errors are EINVAL and EADDRNOTAVAIL (not joined).
func (s *Socket) Leave(addr netip.Addr, at Interface) syscall.Errno {
	m, errno := memberAt(addr, at)
	if errno != 0 {
		return errno
	}
	i := slices.Index(s.joined, m)
	if i < 0 {
		return syscall.EADDRNOTAVAIL
	}
	s.joined = slices.Delete(s.joined, i, i+1)
	s.host.leave(m)
	return 0
}

func memberAt(addr netip.Addr, at Interface) (membership, syscall.Errno) {
	if addr = addr.Unmap(); !addr.IsMulticast() {
		return membership{}, syscall.EINVAL
	}
	if at == 0 {
		at = Ethernet
	}
	return membership{addr, at}, 0
}

func (h *host) groupIndex(m membership) int {
	return slices.IndexFunc(h.groups, func(g group) bool { return g.membership == m })
}

func (h *host) leave(m membership) {
	i := h.groupIndex(m)
	if i < 0 {
		return // the host crashed since
	}
	if h.groups[i].sockets--; h.groups[i].sockets == 0 {
		h.groups = slices.Delete(h.groups, i, i+1)
	}
}

// takes reports whether the host takes what is sent to many hosts at an interface.
func (h *host) takes(a netip.Addr, at Interface) bool {
	return isBroadcast(h.net, a) || a == allHosts[familyOf(a)] || h.groupIndex(membership{a, at}) >= 0
}

// leaveAll leaves every group.
func (s *Socket) leaveAll() {
	for _, m := range s.joined {
		s.host.leave(m)
	}
	s.joined = nil
}

// sendToMany sends p to every host, its own among them.
func (s *Socket) sendToMany(p *packet) {
	n, broadcast := s.net, isBroadcast(s.net, p.dst.Addr())
	if broadcast || s.opt.MulticastLoop {
		n.send(n.clone(p))
	}
	for _, h := range n.hosts {
		if h == s.host || !broadcast && s.opt.MulticastAt == Loopback {
			continue
		}
		q := n.clone(p)
		q.to = h.id
		n.send(q)
	}
	n.freePacket(p)
}

// inputMany gives a datagram to many hosts to each of its receivers here. Nobody
// is told if there is none.
func (h *host) inputMany(p *packet) {
	u := h.ports[port{UDP, p.dst.Port()}]
	at := Ethernet
	if p.from == p.to && p.src.Addr().IsLoopback() {
		at = Loopback
	}
	if u != nil && h.takes(p.dst.Addr(), at) {
		for _, s := range u.owners {
			if s.receivesMany(p, at) {
				s.queueDatagram(h.net.clone(p))
			}
		}
	}
	h.net.freePacket(p)
}

// receivesMany reports whether a socket whose host takes p is one of its receivers.
func (s *Socket) receivesMany(p *packet, at Interface) bool {
	dst := p.dst.Addr()
	if s.fits(dst) == 0 || !s.hears(p.src) {
		return false
	}
	return !dst.IsMulticast() || !s.opt.MulticastOwn || slices.Contains(s.joined, membership{dst, at})
}
