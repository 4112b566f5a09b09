package kernel

import (
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SENDTO:   sysSendto,
		unix.SYS_RECVFROM: sysRecvfrom,
		unix.SYS_SENDMSG:  sysSendmsg,
		unix.SYS_RECVMSG:  sysRecvmsg,
	})
}

// send sends to a, or where the socket is connected if it is the zero AddrPort.
func (o *socket) send(b []byte, a netip.AddrPort) (int, syscall.Errno) {
	if o.s.Proto() == net.UDP && a.IsValid() {
		return o.s.SendTo(b, a)
	}
	return o.s.Send(b)
}

// receive takes a datagram or bytes of a stream; size is more than n if a
// datagram was cut.
func (o *socket) receive(b []byte, flags int) (n, size int, from netip.AddrPort, errno syscall.Errno) {
	peek := flags&syscall.MSG_PEEK != 0
	switch {
	case o.s.Proto() == net.UDP && peek:
		return o.s.PeekFrom(b)
	case o.s.Proto() == net.UDP:
		return o.s.RecvFrom(b)
	case peek:
		n, errno = o.s.Peek(b)
	default:
		n, errno = o.s.Recv(b)
	}
	return n, n, netip.AddrPort{}, errno
}

// waiting makes a call wait by the descriptor's mode and its own flags.
func (k *Kernel) waiting(c *Call, o *socket, m PollMode, flags int, attempt func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	r, errno := attempt()
	if errno == syscall.EAGAIN && flags&syscall.MSG_DONTWAIT == 0 {
		return k.block(c, o.desc, m, attempt)
	}
	return r, errno
}

func sysSendto(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	var to netip.AddrPort
	if c.Args[4] != 0 {
		if to, errno = readAddr(c.Args[4], c.Args[5]); errno != 0 {
			return 0, errno
		}
	}
	p, n := c.Args[1], c.Args[2]
	return k.waiting(c, o, PollWrite, int(c.Args[3]), func() (uintptr, syscall.Errno) {
		n, errno := o.send(bytesAt(p, n), to)
		return uintptr(n), errno
	})
}

func sysRecvfrom(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	p, size, flags, addr, addrSize := c.Args[1], c.Args[2], int(c.Args[3]), c.Args[4], c.Args[5]
	return k.waiting(c, o, PollRead, flags, func() (uintptr, syscall.Errno) {
		n, whole, from, errno := o.receive(bytesAt(p, size), flags)
		if errno != 0 {
			return 0, errno
		}
		if from.IsValid() {
			writeAddr(addr, addrSize, from)
		}
		if flags&syscall.MSG_TRUNC != 0 && o.s.Proto() == net.UDP {
			n = whole
		}
		return uintptr(n), 0
	})
}

// gather copies the buffers of a message together.
func gather(m *syscall.Msghdr) []byte {
	var b []byte
	for _, v := range vectors(m) {
		b = append(b, bytesAt(uintptrOf(v.Base), uintptr(v.Len))...)
	}
	return b
}

// scatter copies b into the buffers of a message.
func scatter(m *syscall.Msghdr, b []byte) {
	for _, v := range vectors(m) {
		n := copy(bytesAt(uintptrOf(v.Base), uintptr(v.Len)), b)
		b = b[n:]
	}
}

// room is how many bytes the buffers of a message take.
func room(m *syscall.Msghdr) (n int) {
	for _, v := range vectors(m) {
		n += int(v.Len)
	}
	return n
}

func sysSendmsg(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	m := at[syscall.Msghdr](c.Args[1])
	var to netip.AddrPort
	if m.Name != nil {
		if to, errno = readAddr(uintptrOf(m.Name), uintptr(m.Namelen)); errno != 0 {
			return 0, errno
		}
	}
	if m.Controllen != 0 {
		return 0, syscall.EOPNOTSUPP // no control message has a meaning here
	}
	b := gather(m)
	return k.waiting(c, o, PollWrite, int(c.Args[2]), func() (uintptr, syscall.Errno) {
		n, errno := o.send(b, to)
		return uintptr(n), errno
	})
}

func sysRecvmsg(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o, errno := c.socketOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	m, flags := at[syscall.Msghdr](c.Args[1]), int(c.Args[2])
	return k.waiting(c, o, PollRead, flags, func() (uintptr, syscall.Errno) {
		b := make([]byte, room(m))
		n, size, from, errno := o.receive(b, flags)
		if errno != 0 {
			return 0, errno
		}
		scatter(m, b[:n])
		m.Controllen, m.Flags = 0, 0
		if size > n {
			m.Flags = syscall.MSG_TRUNC
		}
		if from.IsValid() && m.Name != nil {
			writeAddr(uintptrOf(m.Name), addressOf(&m.Namelen), from)
		} else {
			m.Namelen = 0
		}
		return uintptr(n), 0
	})
}
