package kernel

import (
	"net/netip"
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
	return k.newSocket(c.proc, k.net.Socket(c.proc.Host.Net, p), kind), 0
}

func sysBind(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
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
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	if o.s.Proto() != net.TCP {
		return 0, syscall.EOPNOTSUPP
	}
	return 0, o.s.Listen(int(int32(c.Args[1])))
}

func sysAccept(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.accept(c, 0) }

func sysAccept4(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[3]&^uintptr(sockFlags) != 0 {
		return 0, syscall.EINVAL
	}
	return k.accept(c, int(c.Args[3]))
}

func (k *Kernel) accept(c *Call, flags int) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	if o.s.Proto() != net.TCP {
		return 0, syscall.EOPNOTSUPP
	}
	p, addr, size := c.proc, c.Args[1], c.Args[2]
	attempt := func() (uintptr, syscall.Errno) {
		s, errno := o.s.Accept()
		if errno != 0 {
			return 0, errno
		}
		writeAddr(addr, size, s.Remote()) // also of one that was reset while it waited
		return k.newSocket(p, s, flags), 0
	}
	fd, errno := attempt()
	if errno == syscall.EAGAIN {
		return k.block(c, o.desc, PollRead, attempt)
	}
	return fd, errno
}

func sysConnect(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	if c.Args[2] >= 2 && *at[uint16](c.Args[1]) == syscall.AF_UNSPEC && o.s.Proto() == net.UDP {
		o.s.Disconnect()
		return 0, 0
	}
	a, errno := readAddr(c.Args[1], c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	errno = o.s.Connect(a)
	if errno != syscall.EINPROGRESS || o.desc.flags&syscall.O_NONBLOCK != 0 {
		return 0, errno
	}
	return k.block(c, o.desc, PollWrite, func() (uintptr, syscall.Errno) {
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
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	local := o.s.LocalAddr()
	if !local.Addr().Is4() {
		local = netip.AddrPortFrom(local.Addr().Unmap(), local.Port())
	}
	writeAddr(c.Args[1], c.Args[2], local)
	return 0, 0
}

func sysGetpeername(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
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

func sysShutdown(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	switch c.Args[1] {
	case syscall.SHUT_RD:
		return 0, o.s.Shutdown(net.Receiving)
	case syscall.SHUT_WR:
		return 0, o.s.Shutdown(net.Sending)
	case syscall.SHUT_RDWR:
		return 0, o.s.Shutdown(net.Receiving | net.Sending)
	}
	return 0, syscall.EINVAL
}
