package kernel

import (
	"net/netip"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// socket is a socket of the network.
type socket struct {
	sockBase
	s    *net.Socket
	kept []kept
}

// makeInet makes a socket of IPv4 or IPv6.
func (k *Kernel) makeInet(p *Process, b sockBase) (endpoint, syscall.Errno) {
	if k.net == nil {
		return nil, syscall.EAFNOSUPPORT
	}
	var proto net.Proto
	usual := syscall.IPPROTO_TCP
	switch b.kind {
	case syscall.SOCK_STREAM:
		proto = net.TCP
	case syscall.SOCK_DGRAM:
		proto, usual = net.UDP, syscall.IPPROTO_UDP
	case 0:
		return nil, syscall.EINVAL
	default:
		return nil, syscall.ESOCKTNOSUPPORT
	}
	switch {
	case b.proto < 0 || b.proto >= mptcp+1:
		return nil, syscall.EINVAL
	case b.proto != 0 && b.proto != usual:
		return nil, syscall.EPROTONOSUPPORT // MPTCP among them, which is off
	}
	b.proto = usual
	family := net.IPv4
	if b.domain == syscall.AF_INET6 {
		family = net.IPv6
	}
	return newInet(b, k.net.Socket(p.Host.Net, proto, family)), 0
}

// mptcp is IPPROTO_MPTCP, the last protocol there is.
const mptcp = 262

func newInet(b sockBase, s *net.Socket) *socket {
	o := &socket{sockBase: b, s: s}
	s.Watch(o)
	return o
}

// address is an address as the socket's family has it.
func (o *socket) address(ip netip.AddrPort) address {
	return address{family: uint16(o.domain), ip: ip}
}

// read of no bytes does nothing, other than recvfrom.
func (o *socket) read(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(b) == 0 {
		return 0, 0
	}
	return o.s.Recv(b)
}

func (o *socket) write(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) { return o.s.Send(b) }

func (o *socket) close(*Kernel) { o.s.Close() }

func (o *socket) events(*Kernel) events { return fromReady(o.s.Ready()) }

// SocketReady passes on what the network tells.
func (o *socket) SocketReady(_ *net.Socket, rose net.Ready) { o.wake(o.k, fromReady(rose)) }

func fromReady(r net.Ready) (e events) {
	if r&net.Readable != 0 {
		e |= readable
	}
	if r&net.Writable != 0 {
		e |= writable
	}
	if r&net.PeerClosed != 0 {
		e |= peerShut
	}
	if r&net.HangUp != 0 {
		e |= hungUp
	}
	if r&net.Failed != 0 {
		e |= failed
	}
	return e
}

// checkAddr says what is wrong with the length and the family of an address that
// the socket is bound or connected to.
func (o *socket) checkAddr(a address) syscall.Errno {
	least, family := sizeofInet4, uint16(syscall.AF_INET)
	if o.domain == syscall.AF_INET6 {
		least, family = sizeofInet6Least, syscall.AF_INET6
	}
	switch {
	case a.size < least:
		return syscall.EINVAL
	case a.family != family:
		return syscall.EAFNOSUPPORT
	}
	return 0
}

func (o *socket) bind(_ *Process, a address) syscall.Errno {
	if a.family == syscall.AF_UNSPEC && o.domain == syscall.AF_INET && a.size >= sizeofInet4 && a.ip.Addr().IsUnspecified() {
		return o.s.Bind(a.ip)
	}
	if errno := o.checkAddr(a); errno != 0 {
		return errno
	}
	return o.s.Bind(a.ip)
}

func (o *socket) localAddr() address { return o.address(o.s.LocalAddr()) }

func (o *socket) peerAddr() (address, syscall.Errno) {
	peer, errno := o.s.PeerAddr()
	return o.address(peer), errno
}

func (o *socket) connect(_ *Process, a address) syscall.Errno {
	switch {
	case a.size < sizeofFamily:
		return syscall.EINVAL
	case a.family == syscall.AF_UNSPEC:
		o.s.Disconnect()
		return 0
	}
	if !o.datagrams() {
		if errno, idle := o.s.Connecting(); !idle {
			return errno
		}
	} else if errno := o.s.Autobind(); errno != 0 {
		return errno
	} else if a.family == syscall.AF_INET { // IPv6's too
		switch {
		case o.domain == syscall.AF_INET6 && o.s.Options().V6Only:
			return syscall.EAFNOSUPPORT
		case a.size < sizeofInet4:
			return syscall.EINVAL
		}
		return o.s.Connect(a.ip)
	}
	if errno := o.checkAddr(a); errno != 0 {
		return errno
	}
	return o.s.Connect(a.ip)
}

func (o *socket) listen(_ *Process, backlog int) syscall.Errno { return o.s.Listen(backlog) }

// accept hands out a connection, which has the listener's options. One that was
// reset while it waited is handed out too.
func (o *socket) accept() (endpoint, syscall.Errno) {
	if o.datagrams() {
		return nil, syscall.EOPNOTSUPP
	}
	s, errno := o.s.Accept()
	if errno != 0 {
		return nil, errno
	}
	b := sockBase{domain: o.domain, kind: o.kind, proto: o.proto, sockOptions: o.sockOptions}
	c := newInet(b, s)
	c.kept = slices.Clone(o.kept)
	if s.Remote().Addr().Is4() { // the SYN's, on Linux
		c.keep(optGroupTTL, hopLimit)
	} else {
		c.keep(optGroupHops, hopLimit)
	}
	return c, 0
}

func (o *socket) shutdown(d net.Direction) syscall.Errno { return o.s.Shutdown(d) }

func (o *socket) send(m *message, b []byte) (int, syscall.Errno) {
	if !o.datagrams() {
		if errno := m.readControl(); errno != 0 {
			if _, first := o.s.Send(nil); first != 0 {
				errno = first // what else is wrong
			}
			return 0, errno
		}
		return o.s.Send(b)
	}
	if errno := o.s.Autobind(); errno != 0 {
		return 0, errno
	}
	var r net.Route
	a, named := &m.to, true
	switch {
	case !m.given, a.size >= sizeofFamily && a.family == syscall.AF_UNSPEC && o.domain == syscall.AF_INET6:
		named = false
		peer := o.s.Remote()
		if !peer.IsValid() {
			return 0, syscall.EDESTADDRREQ
		}
		if m.given && peer.Addr().Is4() {
			return 0, syscall.ENETUNREACH // as if by IPv6
		}
		r.To = peer
	case a.size >= sizeofFamily && a.family == syscall.AF_INET && o.domain == syscall.AF_INET6 && o.s.Options().V6Only:
		return 0, syscall.ENETUNREACH
	case a.family == syscall.AF_INET && a.size >= sizeofInet4, a.family == syscall.AF_UNSPEC && a.size >= sizeofInet4:
		r.To = a.ip
	case o.domain == syscall.AF_INET6 && a.family == syscall.AF_INET6 && a.size >= sizeofInet6Least:
		r.To = a.ip
	case o.domain == syscall.AF_INET && a.size >= sizeofInet4:
		return 0, syscall.EAFNOSUPPORT
	default:
		return 0, syscall.EINVAL
	}
	m.toIPv4 = r.To.Addr().Unmap().Is4()
	if m.toIPv4 && o.domain == syscall.AF_INET6 && o.s.Options().V6Only {
		return 0, syscall.ENETUNREACH
	}
	if r.To.Port() == 0 && (named || o.domain == syscall.AF_INET6 && m.toIPv4) {
		return 0, syscall.EINVAL
	}
	if errno := m.readControl(); errno != 0 {
		return 0, errno
	}
	r.From = m.source
	return o.s.SendTo(b, r)
}

func (o *socket) receive(m *message, b []byte) (n int, errno syscall.Errno) {
	peek := m.flags&syscall.MSG_PEEK != 0
	if !o.datagrams() {
		switch {
		case m.flags&syscall.MSG_OOB == 0:
		case o.s.Listening():
			return 0, syscall.ENOTCONN
		default:
			return 0, syscall.EINVAL // there never is any
		}
		if m.done > 0 && o.s.Ready()&net.Failed != 0 && o.s.Buffered() == 0 {
			return 0, 0 // the error is told by the next call
		}
		if peek {
			n, errno = o.s.Peek(b)
		} else {
			n, errno = o.s.Recv(b)
		}
		m.length = n
		return n, errno
	}
	var d net.Datagram
	if peek {
		d, errno = o.s.PeekFrom(b)
	} else {
		d, errno = o.s.RecvFrom(b)
	}
	if errno == syscall.EAGAIN && m.waits() && o.s.Ready()&net.PeerClosed != 0 {
		return 0, 0
	}
	m.length, m.datagram = d.Size, d
	m.from, m.named = o.address(d.From), errno == 0
	return d.N, errno
}

func (o *socket) ioctl(_ *Kernel, d *description, request, arg uintptr) (uintptr, syscall.Errno) {
	switch request {
	case unix.TIOCINQ:
		if o.s.Listening() {
			return 0, syscall.EINVAL
		}
		*at[int32](arg) = int32(o.s.Buffered())
	case unix.TIOCOUTQ:
		if o.s.Listening() {
			return 0, syscall.EINVAL
		}
		*at[int32](arg) = int32(o.s.Unsent())
	default:
		return o.interfaceRequest(request, arg)
	}
	return 0, 0
}
