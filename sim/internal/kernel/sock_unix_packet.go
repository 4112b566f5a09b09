package kernel

import (
	"slices"
	"syscall"
)

// packet is a datagram in a Unix socket's queue, or a record of a SOCK_SEQPACKET one.
type packet struct {
	data   []byte
	from   *unixSocket
	scm    passed
	charge int // in the sender's buffer
}

func (p *packet) drop(k *Kernel) {
	p.scm.drop(k)
	p.from.uncharge(p.charge)
	k.recycle(p.data)
}

// spareMost is how many buffers are kept to be used again, and of what size at most.
const (
	spareMost     = 16
	spareSizeMost = 16 << 10
)

func (k *Kernel) recycle(b []byte) {
	if len(k.spare) < spareMost && cap(b) <= spareSizeMost {
		k.spare = append(k.spare, b[:0])
	}
}

// copied returns a copy of b in a buffer of the kernel's.
func (k *Kernel) copied(b []byte) []byte {
	var buf []byte
	if n := len(k.spare); n > 0 {
		buf, k.spare = k.spare[n-1], k.spare[:n-1]
	}
	return append(buf, b...)
}

// Sizes of Linux's buffers, in which it counts what a socket has sent: a head, which
// has the first bytes of what is sent and is of a size that the allocator has, and
// pages for the others.
const (
	headOverhead   = 320
	headStruct     = 256
	headLeast      = 704
	linearStream   = 4096 - headOverhead
	linearDatagram = 16384 - headOverhead
)

// charged is what n bytes count, of which a head has linear at most.
func charged(n, linear int) int {
	head := max(min(n, linear)+headOverhead, headLeast)
	if head > headLeast {
		size := 1024
		for size < head {
			size *= 2
		}
		head = size
	}
	pages := (max(n-linear, 0) + 4095) &^ 4095
	return head + headStruct + pages
}

// connectDatagrams sets where a socket sends to. AF_UNSPEC ends it.
func (o *unixSocket) connectDatagrams(p *Process, a address) syscall.Errno {
	if a.size < sizeofFamily {
		return syscall.EINVAL
	}
	var other *unixSocket
	if a.family != syscall.AF_UNSPEC {
		errno := a.checkUnix()
		if errno == 0 && o.passCreds {
			errno = o.autobind(p)
		}
		if errno == 0 {
			other, errno = o.k.findUnix(p, a.name, o.kind)
		}
		if errno == 0 && !other.takesFrom(o) {
			errno = syscall.EPERM
		}
		if errno != 0 {
			return errno
		}
		o.state = unixConnected
	} else {
		o.state = unixUnconnected
	}
	old := o.peer
	o.peer = other
	if old != nil && old != other {
		o.lostPeer(old)
	}
	return 0
}

// takesFrom reports whether the socket may be sent to by s.
func (o *unixSocket) takesFrom(s *unixSocket) bool { return o.peer == nil || o.peer == s }

// lostPeer drops what came before the socket's peer was another: the old one, if it
// was connected to this one, learns that it is lost.
func (o *unixSocket) lostPeer(old *unixSocket) {
	o.wake(o.k, writable)
	if len(o.packets) == 0 {
		return
	}
	o.discard()
	o.tellSenders()
	if !old.closed && old.peer == o {
		old.err = syscall.ECONNRESET
		old.wake(old.k, failed)
	}
}

func (o *unixSocket) sendPacket(m *message, b []byte) (int, syscall.Errno) {
	named := m.to.size != 0 && o.kind == syscall.SOCK_DGRAM
	if named {
		if errno := m.to.checkUnix(); errno != 0 {
			return 0, errno
		}
	}
	if o.passCreds {
		o.autobind(m.p)
	}
	if len(b) > int(usual(o.sendBuffer))-32 {
		return 0, syscall.EMSGSIZE
	}
	if errno := o.mayCharge(); errno != 0 {
		return 0, errno
	}
	to := o.peer
	if named {
		var errno syscall.Errno
		if to, errno = o.k.findUnix(m.p, m.to.name, o.kind); errno != 0 {
			return 0, errno
		}
	}
	if errno := o.mayReach(to); errno != 0 {
		return 0, errno
	}
	o.queueTo(to, m, b)
	return len(b), 0
}

// mayReach says why a packet cannot go to another socket now.
func (o *unixSocket) mayReach(to *unixSocket) syscall.Errno {
	switch {
	case to == nil:
		return syscall.ENOTCONN
	case !to.takesFrom(o) && !to.closed:
		return syscall.EPERM
	case to.closed && o.kind == syscall.SOCK_SEQPACKET:
		return syscall.EPIPE
	case to.closed:
		o.peer, o.state = nil, unixUnconnected
		o.lostPeer(to)
		return syscall.ECONNREFUSED
	case to.recvShut:
		return syscall.EPIPE
	case to != o && to.peer != o && to.full():
		to.waitForRoom(o)
		return syscall.EAGAIN
	}
	return 0
}

func (o *unixSocket) queueTo(to *unixSocket, m *message, b []byte) {
	o.vouch(m, to)
	p := packet{data: o.k.copied(b), from: o, scm: m.scm, charge: charged(len(b), linearDatagram)}
	for _, d := range p.scm.rights {
		d.refs++
	}
	if p.scm.rights != nil {
		to.carry()
	}
	o.charged += p.charge
	to.packets = append(to.packets, p)
	to.wake(o.k, readable)
}

func (o *unixSocket) receivePacket(m *message, b []byte) (int, syscall.Errno) {
	switch {
	case o.kind == syscall.SOCK_SEQPACKET && o.state != unixConnected:
		return 0, syscall.ENOTCONN
	case m.flags&syscall.MSG_OOB != 0:
		return 0, syscall.EOPNOTSUPP
	case o.err != 0:
		return 0, o.takeError()
	case len(o.packets) == 0:
		if o.recvShut && (o.kind == syscall.SOCK_SEQPACKET || m.waits()) {
			return 0, 0
		}
		return 0, syscall.EAGAIN
	}
	p := &o.packets[0]
	n := copy(b, p.data)
	m.length = len(p.data)
	m.from, m.named = p.from.localAddr(), p.from.name != ""
	m.scm.creds = p.scm.creds
	if m.flags&syscall.MSG_PEEK != 0 {
		m.scm.rights = p.scm.again()
		return n, 0
	}
	m.scm.rights, p.scm.rights = p.scm.rights, nil
	taken := *p
	o.packets = slices.Delete(o.packets, 0, 1)
	taken.drop(o.k)
	o.tellSenders()
	return n, 0
}
