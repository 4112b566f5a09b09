package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SOCKET:      sysSocket,
		unix.SYS_SOCKETPAIR:  sysSocketpair,
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

// Numbers that socket knows on Linux: of families and of types.
const (
	familyMost = 46
	typeMost   = 10
	typeBits   = 0xf
)

func sysSocket(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	family, kind, proto := int(int32(c.Args[0])), int(int32(c.Args[1])), int(int32(c.Args[2]))
	if kind&^(sockFlags|typeBits) != 0 {
		return 0, syscall.EINVAL
	}
	o, errno := k.makeSocket(c.proc, sockBase{domain: family, kind: kind & typeBits, proto: proto})
	if errno != 0 {
		return 0, errno
	}
	return k.newSocket(c.proc, o, kind)
}

func (k *Kernel) makeSocket(p *Process, b sockBase) (endpoint, syscall.Errno) {
	switch {
	case b.domain < 0 || b.domain >= familyMost:
		return nil, syscall.EAFNOSUPPORT
	case b.kind > typeMost:
		return nil, syscall.EINVAL
	}
	switch b.domain {
	case syscall.AF_UNIX:
		return k.makeUnix(b)
	case syscall.AF_INET, syscall.AF_INET6:
		return k.makeInet(p, b)
	case syscall.AF_NETLINK:
		return k.makeNetlink(b)
	}
	return nil, syscall.EAFNOSUPPORT
}

func sysSocketpair(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	kind := int(int32(c.Args[1]))
	if kind&^(sockFlags|typeBits) != 0 {
		return 0, syscall.EINVAL
	}
	if !c.proc.room(2) {
		return 0, syscall.EMFILE
	}
	base := sockBase{domain: int(int32(c.Args[0])), kind: kind & typeBits, proto: int(int32(c.Args[2]))}
	o, errno := k.makeSocket(c.proc, base)
	if errno != 0 {
		return 0, errno
	}
	a, ok := o.(*unixSocket)
	if !ok {
		o.close(k)
		return 0, syscall.EOPNOTSUPP
	}
	other, _ := k.makeSocket(c.proc, base)
	b := other.(*unixSocket)
	a.pair(b, credentialsOf(c.proc))
	first, _ := k.newSocket(c.proc, a, kind)
	second, _ := k.newSocket(c.proc, b, kind)
	*at[[2]int32](c.Args[3]) = [2]int32{int32(first), int32(second)}
	return 0, 0
}

func sysBind(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	a, errno := readAddr(c.Args[1], c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	return 0, o.bind(c.proc, a)
}

// backlogMost is net.core.somaxconn.
const backlogMost = 4096

func sysListen(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	return 0, o.listen(c.proc, int(min(uint32(c.Args[1]), backlogMost)))
}

func sysAccept(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.accept(c, 0) }

func sysAccept4(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.accept(c, int(int32(c.Args[3])))
}

func (k *Kernel) accept(c *Call, flags int) (uintptr, syscall.Errno) {
	if flags&^sockFlags != 0 {
		return 0, syscall.EINVAL
	}
	o, d, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	p, addr, size := c.proc, c.Args[1], c.Args[2]
	if d.flags&syscall.O_NONBLOCK != 0 {
		return k.acceptOne(p, o, flags, addr, size)
	}
	attempt := func() (uintptr, syscall.Errno) {
		fd, errno := k.acceptOne(p, o, flags, addr, size)
		if errno == syscall.EAGAIN && o.events(k)&peerShut != 0 {
			errno = syscall.EINVAL // nothing comes any more
		}
		return fd, errno
	}
	fd, errno := attempt()
	if errno == syscall.EAGAIN {
		return k.block(c, d, PollRead, attempt)
	}
	return fd, errno
}

// acceptOne makes a descriptor of a connection.
func (k *Kernel) acceptOne(p *Process, o endpoint, flags int, addr, size uintptr) (uintptr, syscall.Errno) {
	if !p.room(1) {
		return 0, syscall.EMFILE
	}
	s, errno := o.accept()
	if errno != 0 {
		return 0, errno
	}
	fd, _ := k.newSocket(p, s, flags)
	if a, errno := s.peerAddr(); errno == 0 {
		a.write(addr, size)
	} else if s, ok := s.(*socket); ok { // it was reset while it waited
		a := s.address(s.s.Remote())
		a.write(addr, size) // Go's listeners end at one without
	}
	return fd, 0
}

func sysConnect(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, d, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	a, errno := readAddr(c.Args[1], c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	p := c.proc
	first := o.connect(p, a)
	if !unfinished(first) || d.flags&syscall.O_NONBLOCK != 0 {
		return 0, first
	}
	return k.blockUntil(c, d, PollWrite, func() (uintptr, syscall.Errno) {
		errno := o.connect(p, a)
		if unfinished(errno) {
			errno = syscall.EAGAIN
		}
		return 0, errno
	}, func() (uintptr, syscall.Errno) { return 0, first })
}

// unfinished reports whether connect may have another answer later.
func unfinished(errno syscall.Errno) bool {
	return errno == syscall.EINPROGRESS || errno == syscall.EALREADY || errno == syscall.EAGAIN
}

func sysGetsockname(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	return c.answerAddr(o.localAddr())
}

func sysGetpeername(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	a, errno := o.peerAddr()
	if errno != 0 {
		return 0, errno
	}
	return c.answerAddr(a)
}

func (c *Call) answerAddr(a address) (uintptr, syscall.Errno) {
	if *at[int32](c.Args[2]) < 0 {
		return 0, syscall.EINVAL
	}
	a.write(c.Args[1], c.Args[2])
	return 0, 0
}

// directions is what the ways of shutdown end.
var directions = [...]net.Direction{
	syscall.SHUT_RD:   net.Receiving,
	syscall.SHUT_WR:   net.Sending,
	syscall.SHUT_RDWR: net.Receiving | net.Sending,
}

func sysShutdown(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, _, errno := c.socket()
	if errno != 0 {
		return 0, errno
	}
	if how := uint32(c.Args[1]); how < uint32(len(directions)) {
		return 0, o.shutdown(directions[how])
	}
	return 0, syscall.EINVAL
}
