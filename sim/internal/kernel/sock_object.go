package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// socket is a socket of the network as a descriptor's object.
type socket struct {
	k     *Kernel
	s     *net.Socket
	desc  *description
	waits []wait
}

// wait is a call, or a poller, that waits for a socket to be ready.
type wait struct {
	mode PollMode
	try  func() (done bool)
}

// newSocket makes a descriptor of a socket.
func (k *Kernel) newSocket(p *Process, s *net.Socket, flags int) uintptr {
	o := &socket{k: k, s: s}
	o.desc = &description{obj: o, flags: syscall.O_RDWR | flags&syscall.O_NONBLOCK}
	s.Watch(o)
	fd := p.install(o.desc, 0)
	p.setCloexec(fd, flags)
	return uintptr(fd)
}

func (o *socket) read(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) { return o.s.Recv(b) }

func (o *socket) write(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) { return o.s.Send(b) }

func (o *socket) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	st.Mode = syscall.S_IFSOCK | 0o777
	st.Nlink, st.Blksize = 1, 4096
	return 0
}

func (o *socket) close(*Kernel) { o.s.Close() }

func (o *socket) ioctl(_ *Kernel, _ *description, request, arg uintptr) (uintptr, syscall.Errno) {
	switch request {
	case unix.TIOCINQ:
		*at[int32](arg) = int32(o.s.Buffered())
	case unix.TIOCOUTQ:
		*at[int32](arg) = int32(o.s.Unsent())
	default:
		return 0, syscall.ENOTTY
	}
	return 0, 0
}

// wait has try called when the socket becomes ready.
func (o *socket) wait(_ *Kernel, m PollMode, try func() bool) {
	o.waits = append(o.waits, wait{m, try})
}

var _ controlled = (*socket)(nil)

// modes is what a change of readiness means to those who wait: an error or an
// end wakes both.
func modes(r net.Ready) (read, write bool) {
	both := r&(net.HangUp|net.Failed) != 0
	return both || r&(net.Readable|net.PeerClosed) != 0, both || r&net.Writable != 0
}

// SocketReady tells the runtime's poller and the calls that wait.
func (o *socket) SocketReady(_ *net.Socket, rose net.Ready) {
	read, write := modes(rose)
	o.report(read, write)
	for i := 0; i < len(o.waits); {
		w := o.waits[i]
		if (read && w.mode != PollWrite || write && w.mode != PollRead) && w.try() {
			o.waits = append(o.waits[:i], o.waits[i+1:]...)
			continue
		}
		i++
	}
}

// report tells the runtime's poller, if it watches the descriptor.
func (o *socket) report(read, write bool) {
	if o.desc.pd == 0 {
		return
	}
	switch {
	case read && write:
		o.k.rt.PollReady(o.desc.pd, PollBoth)
	case read:
		o.k.rt.PollReady(o.desc.pd, PollRead)
	case write:
		o.k.rt.PollReady(o.desc.pd, PollWrite)
	}
}

// pollOpened tells a poller that begins to watch what is ready already.
func (o *socket) pollOpened() { o.report(modes(o.s.Ready())) }

// socketOf returns the socket of a descriptor.
func (c *Call) socketOf(fd uintptr) (*socket, syscall.Errno) {
	d := c.proc.fd(fd)
	if d == nil {
		return nil, syscall.EBADF
	}
	o, ok := d.obj.(*socket)
	if !ok {
		return nil, syscall.ENOTSOCK
	}
	return o, 0
}
