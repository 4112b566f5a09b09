package kernel

import (
	"encoding/binary"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// netlinkSocket is a socket of NETLINK_ROUTE, which tells of the interfaces and their
// addresses when it is asked.
type netlinkSocket struct {
	sockBase
	port    uint32   // its address, 0 if it has none
	answers [][]byte // datagrams to be received
	err     syscall.Errno
}

func (k *Kernel) makeNetlink(b sockBase) (endpoint, syscall.Errno) {
	switch {
	case b.kind != syscall.SOCK_RAW && b.kind != syscall.SOCK_DGRAM:
		return nil, syscall.ESOCKTNOSUPPORT
	case b.proto != unix.NETLINK_ROUTE || k.net == nil:
		return nil, syscall.EPROTONOSUPPORT
	}
	return &netlinkSocket{sockBase: b}, 0
}

// bind gives the socket the address that it asks for, or that of its process.
func (o *netlinkSocket) bind(p *Process, a address) syscall.Errno {
	switch {
	case a.size < sizeofNetlink || a.family != syscall.AF_NETLINK:
		return syscall.EINVAL
	case o.port != 0 && a.port != 0 && a.port != o.port:
		return syscall.EINVAL
	}
	if a.port != 0 {
		o.port = a.port
	}
	o.autobind(p)
	return 0
}

// autobind makes an address: the process's number, or else one that no process has.
func (o *netlinkSocket) autobind(p *Process) {
	if o.port != 0 {
		return
	}
	o.port = uint32(p.PID)
	for _, s := range p.fds {
		if s.desc == nil {
			continue
		}
		if other, ok := s.desc.obj.(*netlinkSocket); ok && other != o && other.port == o.port {
			o.port = ^uint32(o.ino)
		}
	}
}

func (o *netlinkSocket) localAddr() address { return address{family: syscall.AF_NETLINK, port: o.port} }

func (o *netlinkSocket) peerAddr() (address, syscall.Errno) {
	return address{family: syscall.AF_NETLINK}, 0 // the kernel
}

func (o *netlinkSocket) connect(p *Process, a address) syscall.Errno {
	switch {
	case a.size < sizeofNetlink || a.family != syscall.AF_NETLINK:
		return syscall.EINVAL
	case a.port != 0:
		return syscall.ECONNREFUSED // it talks to the kernel alone
	}
	o.autobind(p)
	return 0
}

func (*netlinkSocket) shutdown(net.Direction) syscall.Errno { return syscall.EOPNOTSUPP }

func (o *netlinkSocket) read(k *Kernel, d *description, b []byte) (int, syscall.Errno) {
	return o.receive(&message{d: d}, b)
}

func (o *netlinkSocket) write(_ *Kernel, d *description, b []byte) (int, syscall.Errno) {
	return o.send(&message{p: o.maker, d: d}, b)
}

func (o *netlinkSocket) close(*Kernel) {}

func (o *netlinkSocket) events(*Kernel) events {
	if len(o.answers) > 0 {
		return readable | writable
	}
	return writable
}

func (*netlinkSocket) optionsChanged() {}

func (o *netlinkSocket) setOption(_ *Process, which option, value []byte) syscall.Errno {
	if which.level != unix.SOL_SOCKET && which.level != unix.SOL_NETLINK || len(value) < 4 {
		return syscall.ENOPROTOOPT
	}
	switch which {
	case option{unix.SOL_SOCKET, unix.SO_PASSCRED}, option{unix.SOL_NETLINK, unix.NETLINK_EXT_ACK},
		option{unix.SOL_NETLINK, unix.NETLINK_GET_STRICT_CHK}, option{unix.SOL_NETLINK, unix.NETLINK_CAP_ACK}:
		return 0 // they add to answers that nothing here gives
	}
	return syscall.ENOPROTOOPT
}

func (*netlinkSocket) option(_ *Process, which option, b []byte) (int, syscall.Errno) {
	if which == (option{unix.SOL_SOCKET, unix.SO_ERROR}) {
		return putNumber(b, 0), 0
	}
	return 0, syscall.ENOPROTOOPT
}

func (o *netlinkSocket) receive(m *message, b []byte) (int, syscall.Errno) {
	if len(o.answers) == 0 {
		return 0, syscall.EAGAIN
	}
	first := o.answers[0]
	if m.flags&syscall.MSG_PEEK == 0 {
		o.answers = slices.Delete(o.answers, 0, 1)
	}
	m.from, m.named, m.length = address{family: syscall.AF_NETLINK}, true, len(first)
	return copy(b, first), 0
}

// send answers each request of a message. A dump's parts come in one datagram, and
// their end in another.
func (o *netlinkSocket) send(m *message, b []byte) (int, syscall.Errno) {
	if m.to.size != 0 && (m.to.size < sizeofNetlink || m.to.family != syscall.AF_NETLINK) {
		return 0, syscall.EINVAL
	}
	if m.to.port != 0 {
		return 0, syscall.ECONNREFUSED
	}
	o.autobind(m.p)
	for rest := b; len(rest) >= syscall.SizeofNlMsghdr; {
		h := *(*syscall.NlMsghdr)(unsafe.Pointer(&rest[0]))
		if h.Len < syscall.SizeofNlMsghdr || int(h.Len) > len(rest) {
			break
		}
		o.request(m.p.Host, h, rest[:h.Len])
		rest = rest[min((int(h.Len)+3)&^3, len(rest)):]
	}
	o.wake(o.k, readable)
	return len(b), 0
}

func (o *netlinkSocket) request(h *Host, r syscall.NlMsghdr, whole []byte) {
	dump := r.Flags&syscall.NLM_F_DUMP == syscall.NLM_F_DUMP
	w := &netlinkWriter{request: r, port: o.port}
	switch {
	case dump && r.Type == syscall.RTM_GETLINK:
		for i := range netDevices {
			w.link(h, &netDevices[i])
		}
	case dump && r.Type == syscall.RTM_GETADDR:
		for i := range netDevices {
			w.addrs(o.k, h, &netDevices[i], whole)
		}
	default:
		w.begin(syscall.NLMSG_ERROR, 0)
		errno := syscall.EOPNOTSUPP
		w.b = binary.NativeEndian.AppendUint32(w.b, uint32(-int32(errno)))
		w.b = append(w.b, whole[:syscall.SizeofNlMsghdr]...)
		w.end()
		o.answers = append(o.answers, w.b)
		return
	}
	done := &netlinkWriter{request: r, port: o.port}
	done.begin(syscall.NLMSG_DONE, syscall.NLM_F_MULTI)
	done.b = binary.NativeEndian.AppendUint32(done.b, 0)
	done.end()
	if len(w.b) > 0 {
		o.answers = append(o.answers, w.b)
	}
	o.answers = append(o.answers, done.b)
}
