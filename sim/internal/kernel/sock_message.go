package kernel

import (
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SENDTO:   sysSendto,
		unix.SYS_RECVFROM: sysRecvfrom,
		unix.SYS_SENDMSG:  sysSendmsg,
		unix.SYS_RECVMSG:  sysRecvmsg,
		unix.SYS_SENDMMSG: sysSendmmsg,
		unix.SYS_RECVMMSG: sysRecvmmsg,
	})
}

// messenger is an object that has messages sent through it.
type messenger interface {
	// send sends to a, or where it is connected if a is the zero AddrPort.
	send(k *Kernel, b []byte, a netip.AddrPort) (int, syscall.Errno)
	receive(k *Kernel, b []byte, flags int) (received, syscall.Errno)
	// datagrams reports whether messages keep their bounds.
	datagrams() bool
}

// received says what a call received.
type received struct {
	n    int            // bytes
	size int            // the datagram's, more than n if it was cut
	from netip.AddrPort // the datagram's sender
}

func (o *socket) send(_ *Kernel, b []byte, a netip.AddrPort) (int, syscall.Errno) {
	if o.datagrams() && a.IsValid() {
		return o.s.SendTo(b, a)
	}
	return o.s.Send(b)
}

func (o *socket) receive(_ *Kernel, b []byte, flags int) (r received, errno syscall.Errno) {
	peek := flags&syscall.MSG_PEEK != 0
	switch {
	case o.datagrams() && peek:
		r.n, r.size, r.from, errno = o.s.PeekFrom(b)
		return r, errno
	case o.datagrams():
		r.n, r.size, r.from, errno = o.s.RecvFrom(b)
		return r, errno
	case peek:
		r.n, errno = o.s.Peek(b)
	default:
		r.n, errno = o.s.Recv(b)
	}
	r.size = r.n
	return r, errno
}

// message is one message that is sent or received.
type message struct {
	o     messenger
	d     *description
	dir   direction
	flags int

	// The caller's memory: the only buffer, or a header that has buffers.
	one    []byte
	header *syscall.Msghdr
	addr   uintptr // where the sender's address goes, if there is no header
	size   uintptr

	to   netip.AddrPort
	sent int // bytes of a stream, by attempts so far
}

// message returns the call's message without its memory.
func (c *Call) message(dir direction, flags uintptr) (message, syscall.Errno) {
	d, errno := c.descriptor(c.Args[0])
	if errno != 0 {
		return message{}, errno
	}
	o, ok := d.obj.(messenger)
	switch {
	case !ok:
		return message{}, syscall.ENOTSOCK
	case flags&syscall.MSG_OOB != 0 && dir == moveOut:
		return message{}, syscall.EOPNOTSUPP
	case flags&syscall.MSG_OOB != 0:
		return message{}, syscall.EINVAL
	case flags&syscall.MSG_ERRQUEUE != 0 && dir == moveIn:
		return message{}, syscall.EAGAIN
	}
	return message{o: o, d: d, dir: dir, flags: int(flags)}, 0
}

// waits reports whether the message waits until it can be moved.
func (m *message) waits() bool {
	return m.flags&syscall.MSG_DONTWAIT == 0 && m.d.flags&syscall.O_NONBLOCK == 0
}

// exchange moves a message now or when the object is ready.
func (k *Kernel) exchange(c *Call, m message) (uintptr, syscall.Errno) {
	r1, errno := k.attempt(&m)
	if errno == syscall.EAGAIN && m.waits() {
		late := m
		return k.block(c, m.d, m.dir.mode(), func() (uintptr, syscall.Errno) { return k.attempt(&late) })
	}
	return r1, errno
}

func (k *Kernel) attempt(m *message) (uintptr, syscall.Errno) {
	if m.dir == moveOut {
		return k.sendMessage(m)
	}
	return k.receiveMessage(m)
}

// sendMessage sends all of a stream's bytes if the call waits: until then it
// answers EAGAIN, to be called again.
func (k *Kernel) sendMessage(m *message) (uintptr, syscall.Errno) {
	b := m.one
	if m.header != nil {
		b = k.gather(vectors(m.header))
	}
	for {
		n, errno := m.o.send(k, b[m.sent:], m.to)
		switch {
		case errno != 0 && (m.sent == 0 || errno == syscall.EAGAIN):
			return 0, errno
		case errno != 0:
			return uintptr(m.sent), 0
		}
		m.sent += n
		if m.sent == len(b) || !m.waits() {
			return uintptr(m.sent), 0
		}
	}
}

func (k *Kernel) receiveMessage(m *message) (uintptr, syscall.Errno) {
	var r received
	var errno syscall.Errno
	if m.header == nil {
		r, errno = m.o.receive(k, m.one, m.flags)
	} else {
		r, errno = k.receiveScattered(m)
	}
	if errno != 0 {
		return 0, errno
	}
	if m.header == nil {
		if r.from.IsValid() {
			writeAddr(m.addr, m.size, r.from)
		} else if m.size != 0 {
			*at[uint32](m.size) = 0
		}
	}
	if m.flags&syscall.MSG_TRUNC != 0 && m.o.datagrams() {
		return uintptr(r.size), 0
	}
	return uintptr(r.n), 0
}

// receiveScattered receives into the buffers of a header, and fills it in.
func (k *Kernel) receiveScattered(m *message) (r received, errno syscall.Errno) {
	h := m.header
	list := vectors(h)
	if len(list) == 1 {
		r, errno = m.o.receive(k, bytesOf(list[0]), m.flags)
	} else {
		b := make([]byte, min(room(list), receiveMost))
		if r, errno = m.o.receive(k, b, m.flags); errno == 0 {
			scatter(list, b[:r.n])
		}
	}
	if errno != 0 {
		return r, errno
	}
	h.Controllen, h.Flags = 0, 0
	if r.size > r.n {
		h.Flags = syscall.MSG_TRUNC
	}
	if r.from.IsValid() && h.Name != nil {
		writeAddr(uintptrOf(h.Name), addressOf(&h.Namelen), r.from)
	} else {
		h.Namelen = 0
	}
	return r, 0
}

// receiveMost is how much of several buffers one call fills: a stream's caller
// asks again, and no datagram is larger.
const receiveMost = 1 << 20

func bytesOf(v syscall.Iovec) []byte { return bytesAt(uintptrOf(v.Base), uintptr(min(v.Len, maxIO))) }

// gather returns what several buffers hold. It is valid until the next gather.
func (k *Kernel) gather(list []syscall.Iovec) []byte {
	if len(list) == 1 {
		return bytesOf(list[0])
	}
	k.gathered = k.gathered[:0]
	for _, v := range list {
		k.gathered = append(k.gathered, bytesOf(v)...)
	}
	return k.gathered
}

func scatter(list []syscall.Iovec, b []byte) {
	for _, v := range list {
		b = b[copy(bytesOf(v), b):]
	}
}

func room(list []syscall.Iovec) (n int) {
	for _, v := range list {
		n += int(min(v.Len, maxIO))
	}
	return n
}

func sysSendto(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	m, errno := c.message(moveOut, c.Args[3])
	if errno != 0 {
		return 0, errno
	}
	if c.Args[4] != 0 {
		if m.to, errno = readAddr(c.Args[4], c.Args[5]); errno != 0 {
			return 0, errno
		}
	}
	m.one = bytesAt(c.Args[1], min(c.Args[2], maxIO))
	return k.exchange(c, m)
}

func sysRecvfrom(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	m, errno := c.message(moveIn, c.Args[3])
	if errno != 0 {
		return 0, errno
	}
	m.one, m.addr = bytesAt(c.Args[1], min(c.Args[2], maxIO)), c.Args[4]
	if m.addr != 0 {
		m.size = c.Args[5]
	}
	return k.exchange(c, m)
}

func sysSendmsg(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.headerMessage(c, moveOut)
}

func sysRecvmsg(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.headerMessage(c, moveIn)
}

func (k *Kernel) headerMessage(c *Call, dir direction) (uintptr, syscall.Errno) {
	m, errno := c.message(dir, c.Args[2])
	if errno == 0 {
		errno = m.setHeader(at[syscall.Msghdr](c.Args[1]))
	}
	if errno != 0 {
		return 0, errno
	}
	return k.exchange(c, m)
}

// setHeader has the message be that of a header.
func (m *message) setHeader(h *syscall.Msghdr) (errno syscall.Errno) {
	m.header, m.sent = h, 0
	if h.Iovlen > maxVectors {
		return syscall.EMSGSIZE
	}
	if m.dir == moveIn {
		return 0
	}
	if h.Controllen != 0 {
		return syscall.EOPNOTSUPP // no control message has a meaning here
	}
	m.to = netip.AddrPort{}
	if h.Name != nil && h.Namelen > 0 {
		m.to, errno = readAddr(uintptrOf(h.Name), uintptr(h.Namelen))
	}
	return errno
}
