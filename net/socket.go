package net

import (
	"net/netip"
	"syscall"
	"time"
)

// Proto is a socket's protocol.
type Proto uint8

// The protocols.
const (
	TCP Proto = 1 + iota
	UDP
)

func (p Proto) String() string {
	switch p {
	case TCP:
		return "tcp"
	case UDP:
		return "udp"
	}
	return "unknown"
}

// Watcher is told when a socket's readiness rises, and when more comes to a
// socket that is readable already, as an edge-triggered epoll would be. It may
// call any method of any socket.
type Watcher interface {
	SocketReady(s *Socket, rose Ready)
}

// Options are a socket's options. Accepted connections inherit their listener's.
type Options struct {
	ReuseAddr, ReusePort bool
	KeepAlive            bool
	KeepIdle             time.Duration // until the first probe
	KeepInterval         time.Duration // between probes
	KeepCount            int           // probes without an answer that end the connection
	UserTimeout          time.Duration // how long data may stay unacknowledged; 0 is by tries
	LingerZero           bool          // Close sends RST
	SendBuffer           int           // bytes
	RecvBuffer           int           // bytes
	V6Only               bool          // a socket of IPv6 takes no IPv4
	Broadcast            bool          // a datagram socket may send to all hosts
	MulticastLoop        bool          // what is sent to a group comes back to members here
	MulticastAt          Interface     // where groups are sent to; 0 is Ethernet
	Device               Interface     // the only one that the socket uses, if not 0
	MulticastOwn         bool          // takes only the groups that the socket itself joined
}

// Socket is one end of a connection, a listener or a datagram socket. Its errors
// are Linux's. Once closed it must not be used any more.
type Socket struct {
	net     *Network
	host    *host
	proto   Proto
	family  Family
	opt     Options
	watcher Watcher

	local, peer netip.AddrPort // addresses of IPv4 are never mapped ones here
	addrKept    bool           // Bind was given local's address: a connection's end leaves it
	portKept    bool           // and its port
	holds       bool           // local's port, in host.ports
	automatic   bool           // the port was chosen for a connection
	accepted    bool
	fixed       bool // accepted, and without SO_REUSEADDR

	err    syscall.Errno // SO_ERROR
	gone   bool          // its owner closed it
	rose   Ready
	queued bool // in net.rising

	prevSock, nextSock *Socket // of the host, in the order of their ports' taking
	linked             bool

	tcp
	datagrams datagramQueue
	joined    []membership // multicast groups
}

// Socket returns a new socket of a host.
func (n *Network) Socket(h HostID, p Proto, f Family) *Socket {
	s := &Socket{net: n, host: n.hosts[h], proto: p, family: f}
	s.opt = Options{
		KeepIdle: keepIdle, KeepInterval: keepInterval, KeepCount: keepCount,
		SendBuffer: n.cfg.SendBuffer, RecvBuffer: n.cfg.RecvBuffer, MulticastLoop: true,
	}
	s.local = netip.AddrPortFrom(unspecifieds[f], 0)
	s.initTimers()
	return s
}

// Watch sets who is told of the socket's readiness; nil ends it.
func (s *Socket) Watch(w Watcher) { s.watcher = w }

// Proto returns the socket's protocol.
func (s *Socket) Proto() Proto { return s.proto }

// Family returns the family of the socket's addresses.
func (s *Socket) Family() Family { return s.family }

// Host returns whose socket it is.
func (s *Socket) Host() HostID { return s.host.id }

// Conn returns the number of the socket's TCP connection, the same at both ends,
// or 0.
func (s *Socket) Conn() uint64 { return s.conn }

// Options returns the socket's options.
func (s *Socket) Options() Options { return s.opt }

// SetOptions sets them all. Buffers are at least 4 KiB and at most 64 MiB.
func (s *Socket) SetOptions(o Options) {
	o.SendBuffer = min(max(o.SendBuffer, bufferLeast), 64<<20)
	o.RecvBuffer = min(max(o.RecvBuffer, bufferLeast), 64<<20)
	kept := s.opt.KeepAlive
	s.opt = o
	if s.proto != TCP {
		return
	}
	if o.KeepAlive {
		s.startKeepAlive()
	} else if kept {
		s.stopKeepAlive()
	}
}

// LocalAddr returns the socket's own address, an unspecified one without a port if
// it has none yet.
func (s *Socket) LocalAddr() netip.AddrPort { return s.local }

// Bound reports whether the socket holds the port of its local address, which it
// may have had for a connection that is over.
func (s *Socket) Bound() bool { return s.holds }

// PeerAddr returns the address that the socket is connected to; its error is
// ENOTCONN.
func (s *Socket) PeerAddr() (netip.AddrPort, syscall.Errno) {
	if s.peer.Port() != 0 && (s.proto == UDP || s.state.connected() && s.state != SynSent) {
		return s.peer, 0
	}
	return netip.AddrPort{}, syscall.ENOTCONN
}

// Remote returns where the socket was last connected to, even if that has ended.
func (s *Socket) Remote() netip.AddrPort { return s.peer }

// Err returns the error that waits on the socket, and clears it.
func (s *Socket) Err() syscall.Errno {
	e := s.err
	s.err = 0
	return e
}

// Connect connects the socket. For TCP its answer is EINPROGRESS, and the socket
// becomes writable once it is connected or has failed, by Err; asked again it
// answers EALREADY, the outcome once, and EISCONN. A datagram socket is connected
// at once. ENETUNREACH says that no host has the address.
func (s *Socket) Connect(to netip.AddrPort) syscall.Errno {
	if s.gone {
		return syscall.EINVAL
	}
	if s.proto == UDP {
		return s.connectDatagram(s.target(to))
	}
	return s.connectStream(s.target(to))
}

// Disconnect has a socket be as it was before Connect or Listen; a connection is
// reset.
func (s *Socket) Disconnect() {
	if s.proto == UDP {
		s.disconnectDatagrams()
		return
	}
	s.disconnectStream()
}

// target returns what an address that is sent to stands for: an unspecified one is
// the host itself.
func (s *Socket) target(to netip.AddrPort) netip.AddrPort {
	a := to.Addr().Unmap()
	if a.IsUnspecified() {
		local := s.local.Addr()
		switch {
		case a.Is4() && local.Is4() && !local.IsUnspecified():
			a = local
		case a.Is4() || local.Is4():
			a = loopbacks[IPv4]
		default:
			a = loopbacks[IPv6]
		}
	}
	return netip.AddrPortFrom(a, to.Port())
}

// reachable returns the host that the socket's packets to an address go to.
func (s *Socket) reachable(a netip.Addr) (*host, syscall.Errno) {
	local, f := s.local.Addr(), familyOf(a)
	switch {
	case f == IPv4 && s.family == IPv6 && s.opt.V6Only:
		return nil, syscall.ENETUNREACH
	case f == IPv6 && s.family == IPv4:
		return nil, syscall.EAFNOSUPPORT
	case f == IPv6 && local.Is4():
		return nil, syscall.EAFNOSUPPORT
	}
	dst := s.host.reach(a)
	if d := s.opt.Device; d != 0 && (d == Loopback) != (dst == s.host) {
		return nil, syscall.ENETUNREACH
	}
	if dst == nil || !a.IsLoopback() && !s.host.addrs[f].IsValid() {
		return nil, syscall.ENETUNREACH
	}
	return dst, 0
}

// Close gives the socket up. A connection ends in order, with FIN, after what was
// sent has arrived; or with RST if something received was not read.
func (s *Socket) Close() {
	if s.gone {
		return
	}
	s.gone = true
	s.watcher = nil
	s.leaveAll()
	if s.proto == UDP {
		s.datagrams.drop(s.net)
		s.host.release(s)
		return
	}
	s.closeStream()
}

// Abort gives the socket up at once: a connection ends with RST, and what was not
// sent yet is lost.
func (s *Socket) Abort() {
	s.opt.LingerZero = true
	s.Close()
}

// vanish takes the socket away as its host's crash does.
func (s *Socket) vanish() {
	s.gone = true
	s.watcher, s.rose = nil, 0
	s.datagrams.drop(s.net)
	if s.proto == TCP {
		s.forget()
		return
	}
	s.host.release(s)
}
