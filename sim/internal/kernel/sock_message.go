package kernel

import (
	"net/netip"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SENDTO:   sysSendto,
		unix.SYS_RECVFROM: sysRecvfrom,
		unix.SYS_SENDMSG:  func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.headerMessage(c, moveOut) },
		unix.SYS_RECVMSG:  func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.headerMessage(c, moveIn) },
		unix.SYS_SENDMMSG: sysSendmmsg,
		unix.SYS_RECVMMSG: sysRecvmmsg,
	})
}

// messenger is an object that has messages sent through it. What a message has
// besides its bytes is in m.
type messenger interface {
	send(m *message, b []byte) (int, syscall.Errno)
	receive(m *message, b []byte) (int, syscall.Errno)
	// datagrams reports whether messages keep their bounds.
	datagrams() bool
	// sendControl takes a control message that is sent, when send asks for it by
	// message.readControl.
	sendControl(m *message, cm []byte) syscall.Errno
	// writeControl writes the control messages of one that was received.
	writeControl(m *message, w *controlWriter)
}

// message is one message that is sent or received.
type message struct {
	p     *Process
	o     endpoint
	d     *description
	dir   direction
	flags int

	// The caller's memory: the only buffer, or a header that has buffers.
	one    []byte
	header *syscall.Msghdr
	addr   uintptr // where the sender's address goes, if there is no header
	size   uintptr

	done int // bytes of a stream, by attempts so far

	// What is sent besides: where to, and by control messages.
	to     address
	given  bool       // to was, however short
	toIPv4 bool       // as a socket of IPv6 may send too
	source netip.Addr // of a datagram
	scm    passed

	// What was received besides.
	from     address
	named    bool // from has the sender's address
	length   int  // the datagram's, more than what was received if it was cut
	datagram net.Datagram
}

// message returns the call's message without its memory. It is valid until the
// next one: one that waits is copied.
func (c *Call) message(k *Kernel, dir direction, flags uintptr) (*message, syscall.Errno) {
	o, d, errno := c.socket()
	if errno != 0 {
		return nil, errno
	}
	k.msg = message{p: c.proc, o: o, d: d, dir: dir, flags: int(int32(flags))}
	return &k.msg, 0
}

// checkFlags says what is wrong with the flags of a message.
func (m *message) checkFlags() syscall.Errno {
	if m.flags&syscall.MSG_OOB != 0 && m.dir == moveOut {
		return syscall.EOPNOTSUPP
	}
	if m.flags&syscall.MSG_ERRQUEUE != 0 && m.dir == moveIn && m.o.base().domain != syscall.AF_UNIX {
		return syscall.EAGAIN
	}
	return 0
}

// waits reports whether the message waits until it can be moved.
func (m *message) waits() bool {
	return m.flags&syscall.MSG_DONTWAIT == 0 && m.d.flags&syscall.O_NONBLOCK == 0
}

// exchange moves a message now or when the object is ready.
func (k *Kernel) exchange(c *Call, m *message) (uintptr, syscall.Errno) {
	if errno := m.checkFlags(); errno != 0 {
		return 0, errno
	}
	r1, errno := k.attempt(m)
	if errno == 0 && m.dir == moveOut && m.o.base().domain == syscall.AF_UNIX {
		return k.later(c, unixSendTime, func() (uintptr, syscall.Errno) { return r1, 0 })
	}
	if errno != syscall.EAGAIN || !m.waits() {
		return r1, errno
	}
	late := *m
	return k.blockUntil(c, m.d, m.dir.mode(),
		func() (uintptr, syscall.Errno) { return k.attempt(&late) },
		func() (uintptr, syscall.Errno) { return late.partly(syscall.EAGAIN) })
}

// partly is the answer of a message that cannot go on: what was moved, or errno.
func (m *message) partly(errno syscall.Errno) (uintptr, syscall.Errno) {
	if m.done > 0 {
		return uintptr(m.done), 0
	}
	return 0, errno
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
	total := m.total()
	for {
		b := k.unsent(m)
		k.touch(b[:min(len(b), gatherMost)])
		n, errno := m.o.send(m, b)
		switch {
		case errno == syscall.EAGAIN && m.waits():
			return 0, errno
		case errno != 0:
			return m.partly(errno)
		}
		m.done += n
		m.scm = passed{}
		if m.done == total || m.o.datagrams() || n < len(b) && !m.waits() {
			return uintptr(m.done), 0
		}
	}
}

func (k *Kernel) receiveMessage(m *message) (uintptr, syscall.Errno) {
	var n int
	var errno syscall.Errno
	if m.header == nil {
		n, errno = m.receive(m.one)
	} else {
		n, errno = k.receiveScattered(m)
	}
	if errno != 0 {
		return 0, errno
	}
	switch {
	case m.header != nil:
		m.fillHeader(n)
	case m.named && m.addr != 0:
		m.from.write(m.addr, m.size)
	case m.size != 0:
		*at[uint32](m.size) = 0
	}
	m.scm.drop(k)
	if m.flags&syscall.MSG_TRUNC != 0 && m.o.datagrams() {
		return uintptr(m.length), 0
	}
	return uintptr(n), 0
}

// receive receives into b; with MSG_WAITALL until it is full, a stream's caller who
// waits.
func (m *message) receive(b []byte) (int, syscall.Errno) {
	all := m.flags&syscall.MSG_WAITALL != 0 && !m.o.datagrams() && m.waits()
	if !all {
		return m.o.receive(m, b)
	}
	if m.flags&syscall.MSG_PEEK != 0 {
		n, errno := m.o.receive(m, b)
		if errno == 0 && n < len(b) && m.o.events(m.o.base().k)&(peerShut|hungUp|failed) == 0 {
			errno = syscall.EAGAIN
		}
		return n, errno
	}
	for {
		n, errno := m.o.receive(m, b[m.done:])
		m.done += n
		switch {
		case errno == syscall.EAGAIN, errno != 0 && m.done == 0:
			return 0, errno
		case errno != 0, n == 0, m.done == len(b), m.scm.rights != nil:
			return m.done, 0
		}
	}
}

// receiveScattered receives into the buffers of a header.
func (k *Kernel) receiveScattered(m *message) (int, syscall.Errno) {
	list := vectors(m.header)
	if len(list) == 1 {
		return m.receive(bytesOf(list[0]))
	}
	b := make([]byte, min(room(list), receiveMost))
	n, errno := m.receive(b)
	if errno == 0 {
		scatter(list, b[:n])
	}
	return n, errno
}

// fillHeader fills in what a header says besides the n bytes that were received.
func (m *message) fillHeader(n int) {
	h := m.header
	h.Flags = int32(m.flags) & unix.MSG_CMSG_CLOEXEC
	if m.length > n && m.o.datagrams() {
		h.Flags |= syscall.MSG_TRUNC
	}
	if m.named && h.Name != nil {
		m.from.write(addressOf(h.Name), addressOf(&h.Namelen))
	} else if h.Name != nil {
		h.Namelen = 0
	}
	w := controlWriter{b: bytesAt(addressOf(h.Control), uintptr(h.Controllen)), none: h.Control == nil}
	m.o.writeControl(m, &w)
	h.Controllen = uint64(w.n)
	if w.cut {
		h.Flags |= syscall.MSG_CTRUNC
	}
}

// receiveMost is how much of several buffers one call fills: a stream's caller
// asks again, and no datagram is larger.
const receiveMost = 1 << 20

func bytesOf(v syscall.Iovec) []byte { return bytesAt(addressOf(v.Base), uintptr(min(v.Len, maxIO))) }

// gatherMost is how much of several buffers is sent at a time: more than any
// datagram, and than most streams take.
const gatherMost = 1 << 20

// total is the length of a message.
func (m *message) total() int {
	if m.header == nil {
		return len(m.one)
	}
	return room(vectors(m.header))
}

// unsent returns what is to be sent after the first m.done bytes, or a first part
// of it. It is valid until the next call.
func (k *Kernel) unsent(m *message) []byte {
	if m.header == nil {
		return m.one[m.done:]
	}
	list, skip := vectors(m.header), m.done
	if len(list) == 1 {
		return bytesOf(list[0])[skip:]
	}
	k.gathered = k.gathered[:0]
	for _, v := range list {
		b := bytesOf(v)
		n := min(skip, len(b))
		skip -= n
		b = b[n:]
		k.gathered = append(k.gathered, b[:min(len(b), gatherMost-len(k.gathered))]...)
		if len(k.gathered) == gatherMost {
			break
		}
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
	m, errno := c.message(k, moveOut, c.Args[3])
	if errno != 0 {
		return 0, errno
	}
	if c.Args[4] != 0 {
		m.given = true
		if m.to, errno = readAddr(c.Args[4], c.Args[5]); errno != 0 {
			return 0, errno
		}
	}
	m.one = bytesAt(c.Args[1], min(c.Args[2], maxIO))
	return k.exchange(c, m)
}

func sysRecvfrom(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	m, errno := c.message(k, moveIn, c.Args[3])
	if errno != 0 {
		return 0, errno
	}
	m.one, m.addr = bytesAt(c.Args[1], min(c.Args[2], maxIO)), c.Args[4]
	if m.addr != 0 {
		m.size = c.Args[5]
	}
	return k.exchange(c, m)
}

func (k *Kernel) headerMessage(c *Call, dir direction) (uintptr, syscall.Errno) {
	m, errno := c.message(k, dir, c.Args[2])
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
	m.header, m.done = h, 0
	m.to, m.given, m.source, m.scm, m.named = address{}, false, netip.Addr{}, passed{}, false
	if h.Iovlen > maxVectors {
		return syscall.EMSGSIZE
	}
	if h.Name != nil && int32(h.Namelen) < 0 {
		return syscall.EINVAL
	}
	if m.dir == moveOut && h.Name != nil && h.Namelen > 0 {
		m.given = true
		m.to, errno = readAddr(addressOf(h.Name), uintptr(min(h.Namelen, sizeofAddrMost)))
	}
	return errno
}

// plainMessage moves the bytes of read, write and their kin through a socket.
func (k *Kernel) plainMessage(c *Call, t *transfer, o endpoint) (uintptr, syscall.Errno) {
	if t.dir == moveIn && t.size() == 0 {
		return 0, 0
	}
	k.msg = message{p: c.proc, o: o, d: t.d, dir: t.dir, one: t.one}
	if t.list != nil {
		k.msg.header = &syscall.Msghdr{Iov: &t.list[0], Iovlen: uint64(len(t.list))}
	}
	return k.exchange(c, &k.msg)
}

// patient is an object whose calls wait for a limited time; 0 is no limit.
type patient interface {
	patience(PollMode) time.Duration
}
