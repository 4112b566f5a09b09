package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SOCKET:      sysSocket,
		unix.SYS_BIND:        sysBind,
		unix.SYS_LISTEN:      sysListen,
		unix.SYS_ACCEPT:      sysAccept,
		unix.SYS_ACCEPT4:     sysAccept4,
		unix.SYS_CONNECT:     sysConnect,
		unix.SYS_GETSOCKNAME: sysGetsockname,
		unix.SYS_GETPEERNAME: sysGetpeername,
		unix.SYS_SHUTDOWN:    sysShutdown,
		unix.SYS_SOCKETPAIR:  sysSocketpair,
	})
}

// Bits of a socket's type beside the type.
const sockFlags = syscall.SOCK_NONBLOCK | syscall.SOCK_CLOEXEC

func sysSocket(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	family, kind, proto := int(c.Args[0]), int(c.Args[1]), int(c.Args[2])
	if family != syscall.AF_INET || k.net == nil {
		return 0, syscall.EAFNOSUPPORT
	}
	var p net.Proto
	switch kind &^ sockFlags {
	case syscall.SOCK_STREAM:
		if proto != 0 && proto != syscall.IPPROTO_TCP {
			return 0, syscall.EPROTONOSUPPORT // MPTCP among them
		}
		p = net.TCP
	case syscall.SOCK_DGRAM:
		if proto != 0 && proto != syscall.IPPROTO_UDP {
			return 0, syscall.EPROTONOSUPPORT
		}
		p = net.UDP
	default:
		return 0, syscall.ESOCKTNOSUPPORT
	}
	return k.newSocket(c.proc, &socket{s: k.net.Socket(c.proc.Host.Net, p)}, kind), 0
}

func sysBind(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	a, errno := readAddr(c.Args[1], c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	return 0, o.s.Bind(a)
}

func sysListen(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	return 0, o.s.Listen(int(int32(c.Args[1])))
}

func sysAccept(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.accept(c, 0) }

func sysAccept4(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if int(c.Args[3])&^sockFlags != 0 {
		return 0, syscall.EINVAL
	}
	return k.accept(c, int(c.Args[3]))
}

func (k *Kernel) accept(c *Call, flags int) (uintptr, syscall.Errno) {
	o, d, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	if o.datagrams() {
		return 0, syscall.EOPNOTSUPP
	}
	p, addr, size := c.proc, c.Args[1], c.Args[2]
	fd, errno := k.acceptOne(p, o, flags, addr, size)
	if errno == syscall.EAGAIN && d.flags&syscall.O_NONBLOCK == 0 {
		return k.block(c, d, PollRead, func() (uintptr, syscall.Errno) {
			return k.acceptOne(p, o, flags, addr, size)
		})
	}
	return fd, errno
}

// acceptOne makes a descriptor of a connection, which inherits the listener's
// options. One that was reset while it waited is handed out too, with its address:
// Go's listeners end at one without.
func (k *Kernel) acceptOne(p *Process, o *socket, flags int, addr, size uintptr) (uintptr, syscall.Errno) {
	s, errno := o.s.Accept()
	if errno != 0 {
		return 0, errno
	}
	writeAddr(addr, size, s.Remote())
	return k.newSocket(p, &socket{s: s, kept: o.kept, linger: o.linger}, flags), 0
}

func sysConnect(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, d, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	if c.Args[2] >= 2 && *at[uint16](c.Args[1]) == syscall.AF_UNSPEC && o.datagrams() {
		o.s.Disconnect()
		return 0, 0
	}
	a, errno := readAddr(c.Args[1], c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	errno = o.s.Connect(a)
	if errno != syscall.EINPROGRESS && errno != syscall.EALREADY || d.flags&syscall.O_NONBLOCK != 0 {
		return 0, errno
	}
	return k.block(c, d, PollWrite, func() (uintptr, syscall.Errno) {
		if errno := o.s.Err(); errno != 0 {
			return 0, errno
		}
		if o.s.Ready()&net.Writable == 0 {
			return 0, syscall.EAGAIN
		}
		return 0, 0
	})
}

func sysGetsockname(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.pairOf(c.Args[0]) != nil {
		writeUnnamed(c.Args[1], c.Args[2])
		return 0, 0
	}
	o, _, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	writeAddr(c.Args[1], c.Args[2], o.s.LocalAddr())
	return 0, 0
}

func sysGetpeername(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.pairOf(c.Args[0]) != nil {
		writeUnnamed(c.Args[1], c.Args[2])
		return 0, 0
	}
	o, _, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	peer, errno := o.s.PeerAddr()
	if errno != 0 {
		return 0, errno
	}
	writeAddr(c.Args[1], c.Args[2], peer)
	return 0, 0
}

// directions is what the ways of shutdown end.
var directions = [...]net.Direction{
	syscall.SHUT_RD:   net.Receiving,
	syscall.SHUT_WR:   net.Sending,
	syscall.SHUT_RDWR: net.Receiving | net.Sending,
}

func sysShutdown(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	e, how := c.pairOf(c.Args[0]), uint32(c.Args[1])
	if e == nil {
		o, _, errno := c.socketOf(c.Args[0])
		if errno != 0 {
			return 0, errno
		}
		if how >= uint32(len(directions)) {
			return 0, syscall.EINVAL
		}
		return 0, o.s.Shutdown(directions[how])
	}
	if how >= uint32(len(directions)) {
		return 0, syscall.EINVAL
	}
	e.shutdown(k, directions[how])
	return 0, 0
}
