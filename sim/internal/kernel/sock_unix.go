package kernel

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
)

// unixSocket is a socket between processes of one host. Bytes and datagrams arrive
// in the other one's queue at once.
type unixSocket struct {
	sockBase
	state unixState
	peer  *unixSocket // connected to; a datagram socket sends there
	host  *Host       // once it is bound
	name  string      // as address.name
	path  disk.Ino    // of the path that it is bound to: kept while it is

	own, others credentials // its maker's as SO_PEERCRED of the peer tells, and the peer's
	err         syscall.Errno
	recvShut    bool
	sendShut    bool
	closed      bool

	stream  unixStream // what was received: of a stream
	packets []packet   // and of others
	charged int        // what it has sent and nobody has received, as counted in its buffer

	backlog    []*unixSocket // a listener's: connections to be accepted
	backlogMax int
	listener   *unixSocket   // of a connection that is not accepted yet
	senders    []*unixSocket // who wait for room in packets or backlog
	carries    bool          // in the kernel's carriers
}

// unixSendTime is what a call that sends takes, as long as the loopback's packets do:
// those who send to each other for ever must let time pass.
const unixSendTime = 10 * time.Microsecond

type unixState uint8

const (
	unixUnconnected unixState = iota
	unixListening
	unixConnected
)

func (k *Kernel) makeUnix(b sockBase) (endpoint, syscall.Errno) {
	if b.proto != 0 && b.proto != syscall.AF_UNIX {
		return nil, syscall.EPROTONOSUPPORT
	}
	switch b.kind {
	case syscall.SOCK_RAW:
		b.kind = syscall.SOCK_DGRAM
	case syscall.SOCK_STREAM, syscall.SOCK_DGRAM, syscall.SOCK_SEQPACKET:
	default:
		return nil, syscall.ESOCKTNOSUPPORT
	}
	b.proto = 0
	return &unixSocket{sockBase: b, others: nobody, backlogMax: datagramsWaiting}, 0
}

// datagramsWaiting is net.unix.max_dgram_qlen: beyond, a socket takes datagrams only
// from the one that it is connected to.
const datagramsWaiting = 10

// pair connects two sockets that a process makes.
func (o *unixSocket) pair(other *unixSocket, by credentials) {
	o.join(other)
	o.own, o.others, other.own, other.others = by, by, by, by
}

func (o *unixSocket) join(other *unixSocket) {
	o.peer, other.peer = other, o
	o.state, other.state = unixConnected, unixConnected
}

// connected reports whether the socket is of a kind that has connections.
func (o *unixSocket) connects() bool { return o.kind != syscall.SOCK_DGRAM }

func (o *unixSocket) localAddr() address { return address{family: syscall.AF_UNIX, name: o.name} }

func (o *unixSocket) peerAddr() (address, syscall.Errno) {
	if o.peer == nil {
		return address{}, syscall.ENOTCONN
	}
	return o.peer.localAddr(), 0
}

func (o *unixSocket) listen(p *Process, backlog int) syscall.Errno {
	switch {
	case !o.connects():
		return syscall.EOPNOTSUPP
	case o.name == "", o.state == unixConnected:
		return syscall.EINVAL
	}
	o.state, o.backlogMax = unixListening, backlog
	o.own = credentialsOf(p)
	o.others = o.own
	o.tellSenders()
	return 0
}

func (o *unixSocket) connect(p *Process, a address) syscall.Errno {
	if !o.connects() {
		return o.connectDatagrams(p, a)
	}
	if errno := a.checkUnix(); errno != 0 {
		return errno
	}
	if o.passCreds {
		o.autobind(p)
	}
	l, errno := o.k.findUnix(p, a.name, o.kind)
	switch {
	case errno != 0:
		return errno
	case l.state != unixListening || l.recvShut:
		return syscall.ECONNREFUSED
	case l.full():
		l.waitForRoom(o)
		return syscall.EAGAIN
	case o.state == unixConnected:
		return syscall.EISCONN
	case o.state == unixListening:
		return syscall.EINVAL
	}
	b := sockBase{k: o.k, domain: o.domain, kind: o.kind}
	c := &unixSocket{sockBase: b, host: l.host, name: l.name, backlogMax: datagramsWaiting}
	c.join(o)
	c.listener, c.passCreds = l, l.passCreds
	o.own, c.others = credentialsOf(p), credentialsOf(p)
	c.own, o.others = l.own, l.own
	l.backlog = append(l.backlog, c)
	l.wake(l.k, readable)
	return 0
}

// full reports whether the socket takes nothing more but from its peer.
func (o *unixSocket) full() bool {
	n := len(o.packets)
	if o.state == unixListening {
		n = len(o.backlog)
	}
	return n > o.backlogMax
}

// waitForRoom has s told, as of room in its own buffer, when o is not full any more.
func (o *unixSocket) waitForRoom(s *unixSocket) {
	for _, w := range o.senders {
		if w == s {
			return
		}
	}
	o.senders = append(o.senders, s)
}

// tellSenders tells those who wait for room.
func (o *unixSocket) tellSenders() {
	list := o.senders
	o.senders = nil
	for _, s := range list {
		if !s.closed {
			s.wake(s.k, writable)
		}
	}
}

func (o *unixSocket) accept() (endpoint, syscall.Errno) {
	switch {
	case !o.connects():
		return nil, syscall.EOPNOTSUPP
	case o.state != unixListening:
		return nil, syscall.EINVAL
	case len(o.backlog) == 0:
		return nil, syscall.EAGAIN
	}
	c := o.backlog[0]
	o.backlog = o.backlog[1:]
	c.listener = nil
	o.tellSenders()
	return c, 0
}

func (o *unixSocket) shutdown(d net.Direction) syscall.Errno {
	o.shut(d)
	if o.peer != nil && o.connects() && !o.peer.closed {
		o.peer.shut(d>>1 | d<<1&net.Sending)
	}
	return 0
}

// shut ends directions at this end.
func (o *unixSocket) shut(d net.Direction) {
	o.recvShut = o.recvShut || d&net.Receiving != 0
	o.sendShut = o.sendShut || d&net.Sending != 0
	o.wake(o.k, o.events(o.k))
}

func (o *unixSocket) close(k *Kernel) {
	o.closed = true
	o.unbind()
	unread := o.stream.size() > 0 || len(o.packets) > 1 || len(o.packets) == 1 && len(o.packets[0].data) > 0
	o.tellSenders()
	if p := o.peer; p != nil && o.connects() && !p.closed {
		if unread {
			p.err = syscall.ECONNRESET
		}
		p.shut(net.Receiving | net.Sending)
	}
	o.discard()
	for _, c := range o.backlog {
		c.peer.err = syscall.ECONNRESET // whether or not it has sent
		c.close(k)
	}
	o.backlog = nil
}

// discard drops what was received and not read.
func (o *unixSocket) discard() {
	o.stream.drop(o)
	for i := range o.packets {
		o.packets[i].drop(o.k)
	}
	o.packets = nil
}

// takeError returns the error that waits, and clears it.
func (o *unixSocket) takeError() syscall.Errno {
	errno := o.err
	o.err = 0
	return errno
}

func (o *unixSocket) events(*Kernel) (v events) {
	if o.err != 0 {
		v |= failed
	}
	if o.recvShut {
		v |= readable | peerShut
	}
	if o.stream.size() > 0 || len(o.packets) > 0 || len(o.backlog) > 0 {
		v |= readable
	}
	if o.recvShut && o.sendShut || o.connects() && o.state == unixUnconnected {
		v |= hungUp
	}
	if o.state != unixListening && o.roomy() && !o.peerFull() {
		v |= writable
	}
	return v
}

// roomy reports whether those who wait to send should come.
func (o *unixSocket) roomy() bool { return o.charged*4 <= int(usual(o.sendBuffer)) }

// peerFull reports whether the socket that this one sends to takes nothing, and has
// this one told when it does.
func (o *unixSocket) peerFull() bool {
	p := o.peer
	if o.kind == syscall.SOCK_STREAM || p == nil || p.closed || p.peer == o || !p.full() {
		return false
	}
	p.waitForRoom(o)
	return true
}

// uncharge frees room in the buffer.
func (o *unixSocket) uncharge(n int) {
	was := o.roomy()
	o.charged -= n
	if !was && o.roomy() && !o.closed {
		o.wake(o.k, writable)
	}
}

func (o *unixSocket) ioctl(_ *Kernel, _ *description, request, arg uintptr) (uintptr, syscall.Errno) {
	n := o.charged
	switch {
	case request == unix.TIOCINQ && o.state == unixListening:
		return 0, syscall.EINVAL
	case request == unix.TIOCINQ:
		n = o.unread()
	case request != unix.TIOCOUTQ:
		return 0, syscall.ENOTTY
	}
	*at[int32](arg) = int32(n)
	return 0, 0
}

// unread is how many bytes there are to be read; of datagrams, in the next.
func (o *unixSocket) unread() (n int) {
	n = o.stream.size()
	for i := range o.packets {
		n += len(o.packets[i].data)
		if !o.connects() {
			break
		}
	}
	return n
}

func (*unixSocket) optionsChanged() {}

func (o *unixSocket) setOption(_ *Process, which option, value []byte) syscall.Errno {
	switch {
	case which.level != unix.SOL_SOCKET, which.name == unix.SO_REUSEPORT && numberOf(value) != 0:
		return syscall.EOPNOTSUPP
	case which.name == unix.SO_REUSEPORT:
		return 0
	case which.name == unix.SO_PASSCRED:
		o.passCreds = numberOf(value) != 0
		return 0
	}
	return syscall.ENOPROTOOPT
}

func (o *unixSocket) option(_ *Process, which option, b []byte) (int, syscall.Errno) {
	if which.level != unix.SOL_SOCKET {
		return 0, syscall.EOPNOTSUPP
	}
	switch which.name {
	case unix.SO_ERROR:
		return putNumber(b, int(o.takeError())), 0
	case unix.SO_ACCEPTCONN:
		return putNumber(b, number(o.state == unixListening)), 0
	case unix.SO_PASSCRED:
		return putNumber(b, number(o.passCreds)), 0
	case unix.SO_PEERCRED:
		c := o.others.encode()
		return copy(b, c[:]), 0
	}
	return 0, syscall.ENOPROTOOPT
}
