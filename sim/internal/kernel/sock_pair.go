package kernel

import (
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// pairEnd is one end of a pair of connected stream sockets: bytes arrive at the
// other end at once.
type pairEnd struct {
	waitQueue
	in, out *byteQueue
	peer    *pairEnd
	closed  bool
	reset   bool // the peer closed with bytes unread
	ino     uint64
}

// pairBuffer is how many bytes each direction takes.
const pairBuffer = 212992

func sysSocketpair(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	kind := int(int32(c.Args[1]))
	switch {
	case int(c.Args[0]) != syscall.AF_UNIX:
		return 0, syscall.EOPNOTSUPP
	case kind&^sockFlags != syscall.SOCK_STREAM:
		return 0, syscall.ESOCKTNOSUPPORT
	case c.Args[2] != 0 && int(c.Args[2]) != syscall.AF_UNIX:
		return 0, syscall.EPROTONOSUPPORT
	}
	there, back := &byteQueue{most: pairBuffer}, &byteQueue{most: pairBuffer}
	a := &pairEnd{in: back, out: there, ino: k.nextIno()}
	b := &pairEnd{in: there, out: back, ino: k.nextIno(), peer: a}
	a.peer = b
	*at[[2]int32](c.Args[3]) = [2]int32{
		int32(k.newDescriptor(c.proc, a, syscall.O_RDWR, kind)),
		int32(k.newDescriptor(c.proc, b, syscall.O_RDWR, kind)),
	}
	return 0, 0
}

// pairOf returns the end of a pair that a descriptor is, or nil.
func (c *Call) pairOf(fd uintptr) *pairEnd {
	if d, errno := c.descriptor(fd); errno == 0 {
		if e, ok := d.obj.(*pairEnd); ok {
			return e
		}
	}
	return nil
}

func (e *pairEnd) read(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(b) == 0 {
		return 0, 0
	}
	r, errno := e.receive(k, b, 0)
	return r.n, errno
}

func (e *pairEnd) write(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	return e.send(k, b, netip.AddrPort{})
}

func (e *pairEnd) receive(k *Kernel, b []byte, flags int) (r received, errno syscall.Errno) {
	if e.in.size() == 0 {
		switch {
		case e.reset:
			e.reset = false
			return r, syscall.ECONNRESET
		case e.in.ended:
			return r, 0
		}
		return r, syscall.EAGAIN
	}
	if flags&syscall.MSG_PEEK != 0 {
		r.n = e.in.peek(b)
	} else {
		full := !e.in.roomy()
		r.n = e.in.take(b)
		if full && e.in.roomy() && !e.peer.closed {
			e.peer.wake(k, writable)
		}
	}
	r.size = r.n
	return r, 0
}

func (e *pairEnd) send(k *Kernel, b []byte, _ netip.AddrPort) (int, syscall.Errno) {
	if e.out.ended {
		return 0, syscall.EPIPE
	}
	n := e.out.put(b)
	if n == 0 && len(b) > 0 {
		return 0, syscall.EAGAIN
	}
	if n > 0 {
		e.peer.wake(k, readable)
	}
	return n, 0
}

func (e *pairEnd) datagrams() bool { return false }

func (e *pairEnd) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	*st = syscall.Stat_t{Mode: syscall.S_IFSOCK | 0o777, Blksize: 4096, Ino: e.ino}
	setLinks(st, 1)
	return 0
}

func (e *pairEnd) link() string { return socketLink(e.ino) }

func (e *pairEnd) close(k *Kernel) {
	e.closed = true
	e.peer.reset = e.in.size() > 0
	e.shutdown(k, net.Receiving|net.Sending)
}

// shutdown ends directions, at both ends.
func (e *pairEnd) shutdown(k *Kernel, how net.Direction) {
	if how&net.Receiving != 0 {
		e.in.ended = true
	}
	if how&net.Sending != 0 {
		e.out.ended = true
	}
	for _, end := range [...]*pairEnd{e, e.peer} {
		if !end.closed {
			end.wake(k, end.events(k))
		}
	}
}

func (e *pairEnd) events(*Kernel) (v events) {
	if e.in.size() > 0 {
		v |= readable
	}
	if e.in.ended {
		v |= readable | peerShut
	}
	if e.out.ended || e.out.roomy() {
		v |= writable
	}
	if e.in.ended && e.out.ended {
		v |= hungUp
	}
	if e.reset {
		v |= failed
	}
	return v
}

func (e *pairEnd) ioctl(_ *Kernel, _ *description, request, arg uintptr) (uintptr, syscall.Errno) {
	switch request {
	case unix.TIOCINQ:
		*at[int32](arg) = int32(e.in.size())
	case unix.TIOCOUTQ:
		*at[int32](arg) = int32(e.out.size())
	default:
		return 0, syscall.ENOTTY
	}
	return 0, 0
}

func (e *pairEnd) option(which option) (int, syscall.Errno) {
	if which.level != unix.SOL_SOCKET {
		return 0, syscall.EOPNOTSUPP
	}
	switch which.name {
	case unix.SO_ERROR:
		if e.reset {
			e.reset = false
			return int(syscall.ECONNRESET), 0
		}
		return 0, 0
	case unix.SO_TYPE:
		return syscall.SOCK_STREAM, 0
	case unix.SO_DOMAIN:
		return syscall.AF_UNIX, 0
	case unix.SO_PROTOCOL, unix.SO_ACCEPTCONN, unix.SO_KEEPALIVE, unix.SO_REUSEADDR:
		return 0, 0
	case unix.SO_SNDBUF, unix.SO_RCVBUF:
		return pairBuffer, 0
	}
	return 0, syscall.ENOPROTOOPT
}

// setOption takes what Linux takes and what changes nothing for a pair.
func (e *pairEnd) setOption(which option, _ int) syscall.Errno {
	if which.level != unix.SOL_SOCKET {
		return syscall.EOPNOTSUPP
	}
	switch which.name {
	case unix.SO_SNDBUF, unix.SO_RCVBUF, unix.SO_KEEPALIVE, unix.SO_REUSEADDR, unix.SO_BROADCAST:
		return 0
	}
	return syscall.ENOPROTOOPT
}

func (e *pairEnd) getLinger() syscall.Linger { return syscall.Linger{} }
func (e *pairEnd) setLinger(syscall.Linger)  {}
