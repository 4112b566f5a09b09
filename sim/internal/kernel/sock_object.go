package kernel

import (
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// socket is a socket of the network as a descriptor's object.
type socket struct {
	waitQueue
	k      *Kernel
	s      *net.Socket
	ino    uint64
	kept   keptOptions
	linger syscall.Linger
}

// newSocket makes a descriptor of a socket.
func (k *Kernel) newSocket(p *Process, o *socket, flags int) uintptr {
	o.k, o.ino = k, k.nextIno()
	o.s.Watch(o)
	return k.newDescriptor(p, o, syscall.O_RDWR, flags)
}

// newDescriptor makes a descriptor of an object; flags are O_NONBLOCK and
// O_CLOEXEC, which calls of all kinds of objects have by the same bits.
func (k *Kernel) newDescriptor(p *Process, o object, mode, flags int) uintptr {
	fd := p.install(&description{obj: o, flags: mode | flags&syscall.O_NONBLOCK}, 0)
	p.setCloexec(fd, flags)
	return uintptr(fd)
}

// nextIno numbers the objects that have no file.
func (k *Kernel) nextIno() uint64 {
	k.inos++
	return k.inos
}

// read of no bytes does nothing, other than recvfrom.
func (o *socket) read(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(b) == 0 {
		return 0, 0
	}
	return o.s.Recv(b)
}

func (o *socket) write(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) { return o.s.Send(b) }

func (o *socket) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	*st = syscall.Stat_t{Mode: syscall.S_IFSOCK | 0o777, Blksize: 4096, Ino: o.ino}
	setLinks(st, 1)
	return 0
}

func (o *socket) link() string { return socketLink(o.ino) }

// socketLink is what /proc shows of a socket.
func socketLink(ino uint64) string { return "socket:[" + strconv.FormatUint(ino, 10) + "]" }

func (o *socket) close(*Kernel) { o.s.Close() }

func (o *socket) ioctl(_ *Kernel, _ *description, request, arg uintptr) (uintptr, syscall.Errno) {
	switch request {
	case unix.TIOCINQ:
		if o.s.Listening() {
			return 0, syscall.EINVAL
		}
		*at[int32](arg) = int32(o.s.Buffered())
	case unix.TIOCOUTQ:
		*at[int32](arg) = int32(o.s.Unsent())
	default:
		return 0, syscall.ENOTTY
	}
	return 0, 0
}

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

func (o *socket) datagrams() bool { return o.s.Proto() == net.UDP }

// descriptor returns the description of a descriptor that bytes go through.
func (c *Call) descriptor(fd uintptr) (*description, syscall.Errno) {
	d := c.proc.fd(fd)
	if d == nil || d.flags&unix.O_PATH != 0 {
		return nil, syscall.EBADF
	}
	return d, 0
}

// socketOf returns the network's socket of a descriptor.
func (c *Call) socketOf(fd uintptr) (*socket, *description, syscall.Errno) {
	d, errno := c.descriptor(fd)
	if errno != 0 {
		return nil, nil, errno
	}
	switch o := d.obj.(type) {
	case *socket:
		return o, d, 0
	case *pairEnd:
		return nil, nil, syscall.EOPNOTSUPP
	}
	return nil, nil, syscall.ENOTSOCK
}
