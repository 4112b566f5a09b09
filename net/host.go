package net

import "net/netip"

// host is a machine on the network: its address, ports and sockets.
type host struct {
	net   *Network
	id    HostID
	name  string
	addr  netip.Addr
	up    bool
	conns map[tuple]*Socket // TCP connections by what their packets carry
	ports map[port]*portUse
	// first and last are the host's sockets that hold a port, in the order in
	// which they got it.
	first, last *Socket
	made        uint64 // connections so far
	ephemeral   uint16 // the port to try next
}

// tuple identifies a TCP connection at one of its ends.
type tuple struct{ local, peer netip.AddrPort }

var loopbackAddr = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// AddHost adds a host that is up. It panics if another host has the address.
func (n *Network) AddHost(name string, addr netip.Addr) HostID {
	if n.byAddr[addr] != nil || !addr.Is4() || addr.IsLoopback() || addr.IsUnspecified() {
		panic("net: host " + name + ": address " + addr.String() + " is taken or no IPv4 host's")
	}
	h := &host{
		net: n, id: HostID(len(n.hosts)), name: name, addr: addr, up: true,
		conns: map[tuple]*Socket{}, ports: map[port]*portUse{}, ephemeral: ephemeralFirst,
	}
	n.hosts = append(n.hosts, h)
	n.byAddr[addr] = h
	return h.id
}

// HostAddr returns a host's address.
func (n *Network) HostAddr(h HostID) netip.Addr { return n.hosts[h].addr }

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

// CrashHost takes a host down: its sockets vanish without a word, and packets to
// it are dropped. Packets that it sent are on their way and arrive.
func (n *Network) CrashHost(id HostID) {
	h := n.hosts[id]
	h.up = false
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
	if p.proto == UDP {
		h.inputDatagram(p)
		return
	}
	h.inputSegment(p)
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
