package net

import "net/netip"

// host is a machine on the network: its addresses, ports and sockets.
type host struct {
	net    *Network
	id     HostID
	name   string
	addrs  [families]netip.Addr // the zero Addr where it has none
	up     bool
	conns  map[tuple]*Socket // TCP connections by what their packets carry
	ports  map[port]*portUse
	groups []group // that its sockets joined
	// first and last are the host's sockets that hold a port, in the order in
	// which they got it.
	first, last *Socket
	made        uint64 // connections so far
	ephemeral   uint16 // the port to try next
}

// tuple identifies a TCP connection at one of its ends.
type tuple struct{ local, peer netip.AddrPort }

// Family is the family of a socket's addresses.
type Family uint8

// The families. A socket of IPv6 also talks IPv4, unless it is V6Only.
const (
	IPv4 Family = iota
	IPv6
	families
)

// familyOf returns the family of the packets to an address.
func familyOf(a netip.Addr) Family {
	if a.Is4() {
		return IPv4
	}
	return IPv6
}

// loopbacks and unspecifieds are addresses by their family.
var (
	loopbacks    = [families]netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	unspecifieds = [families]netip.Addr{netip.IPv4Unspecified(), netip.IPv6Unspecified()}
)

// AddHost adds a host that is up, with at most one address of each family. It
// panics if another host has an address.
func (n *Network) AddHost(name string, addrs ...netip.Addr) HostID {
	h := &host{
		net: n, id: HostID(len(n.hosts)), name: name, up: true,
		conns: map[tuple]*Socket{}, ports: map[port]*portUse{}, ephemeral: ephemeralFirst,
	}
	for _, a := range addrs {
		f := familyOf(a)
		if n.byAddr[a] != nil || h.addrs[f].IsValid() || !a.IsGlobalUnicast() || a.Is4In6() || a.Zone() != "" {
			panic("net: host " + name + ": address " + a.String() + " is taken, a second of its family or no host's")
		}
		h.addrs[f] = a
		if f == IPv4 && !n.broadcast.IsValid() {
			n.broadcast = Broadcast(a)
		}
		n.byAddr[a] = h
	}
	n.hosts = append(n.hosts, h)
	return h.id
}

// HostAddr returns a host's address of a family; the zero Addr if it has none.
func (n *Network) HostAddr(h HostID, f Family) netip.Addr { return n.hosts[h].addrs[f] }

// HostName returns a host's name.
func (n *Network) HostName(h HostID) string { return n.hosts[h].name }

// Hosts returns how many hosts there are.
func (n *Network) Hosts() int { return len(n.hosts) }

// reach returns the host that an address leads to from h, or nil.
func (h *host) reach(a netip.Addr) *host {
	if a.IsLoopback() || a.IsUnspecified() {
		return h
	}
	return h.net.byAddr[a]
}

// owns reports whether a is an address of the host's, as a socket may bind it.
func (h *host) owns(a netip.Addr) bool {
	return a.IsUnspecified() || a.IsLoopback() || a == h.addrs[familyOf(a)]
}

// CrashHost takes a host down: its sockets vanish without a word, and packets to
// it are dropped. Packets that it sent are on their way and arrive.
func (n *Network) CrashHost(id HostID) {
	h := n.hosts[id]
	h.up = false
	h.groups = nil
	for h.first != nil {
		h.first.vanish()
	}
}

// StartHost brings a host up without sockets: what old peers still send to it is
// answered with RST.
func (n *Network) StartHost(id HostID) { n.hosts[id].up = true }

// Up reports whether a host is up.
func (n *Network) Up(id HostID) bool { return n.hosts[id].up }

// input handles a packet that has reached h, and owns it.
func (n *Network) input(h *host, p *packet) {
	switch {
	case p.proto == TCP:
		h.inputSegment(p)
	case h.net.toMany(p.dst.Addr()):
		h.inputMany(p)
	default:
		h.inputDatagram(p)
	}
}

func (h *host) link(s *Socket) {
	if s.linked {
		return
	}
	s.prevSock, s.nextSock = h.last, nil
	if h.last == nil {
		h.first = s
	} else {
		h.last.nextSock = s
	}
	h.last = s
	s.linked = true
}

func (h *host) unlink(s *Socket) {
	if !s.linked {
		return
	}
	if s.prevSock == nil {
		h.first = s.nextSock
	} else {
		s.prevSock.nextSock = s.nextSock
	}
	if s.nextSock == nil {
		h.last = s.prevSock
	} else {
		s.nextSock.prevSock = s.prevSock
	}
	s.prevSock, s.nextSock, s.linked = nil, nil, false
}
