package kernel

import (
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// endpoint is a socket of any family.
type endpoint interface {
	pollable
	base() *sockBase
	addressed
	connector
	messenger
	optioned
}

// addressed is what has addresses.
type addressed interface {
	bind(p *Process, a address) syscall.Errno
	localAddr() address
	peerAddr() (address, syscall.Errno)
}

// connector is what connects. A call that would wait answers EAGAIN, but connect
// on its way EINPROGRESS, and EALREADY when it is asked again.
type connector interface {
	connect(p *Process, a address) syscall.Errno
	listen(p *Process, backlog int) syscall.Errno
	accept() (endpoint, syscall.Errno)
	shutdown(net.Direction) syscall.Errno
}

// sockBase is what the sockets of all families have.
type sockBase struct {
	waitQueue
	k                   *Kernel
	maker               *Process
	desc                *description // its own, once it has a descriptor
	ino                 uint64
	domain, kind, proto int
	sockOptions
}

func (o *sockBase) base() *sockBase { return o }

func (o *sockBase) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	*st = syscall.Stat_t{Mode: syscall.S_IFSOCK | 0o777, Blksize: 4096, Ino: o.ino}
	setLinks(st, 1)
	return 0
}

// link is what /proc shows of a socket.
func (o *sockBase) link() string { return "socket:[" + strconv.FormatUint(o.ino, 10) + "]" }

// patience is how long a call waits; 0 is for ever.
func (o *sockBase) patience(m PollMode) time.Duration {
	if m == PollRead {
		return o.recvLimit
	}
	return o.sendLimit
}

// accept answers for sockets that never listen.
func (*sockBase) accept() (endpoint, syscall.Errno)          { return nil, syscall.EOPNOTSUPP }
func (*sockBase) listen(*Process, int) syscall.Errno         { return syscall.EOPNOTSUPP }
func (o *sockBase) datagrams() bool                          { return o.kind != syscall.SOCK_STREAM }
func (*sockBase) sendControl(*message, []byte) syscall.Errno { return 0 }
func (*sockBase) writeControl(*message, *controlWriter)      {}

// newSocket makes a descriptor of a socket; flags are those of its type.
func (k *Kernel) newSocket(p *Process, o endpoint, flags int) (uintptr, syscall.Errno) {
	b := o.base()
	b.k, b.maker, b.ino = k, p, k.nextIno()
	fd, errno := k.newDescriptor(p, o, syscall.O_RDWR, flags)
	if errno == 0 {
		b.desc = p.fd(fd)
	}
	return fd, errno
}

// newDescriptor makes a descriptor of an object; flags are O_NONBLOCK and
// O_CLOEXEC, which calls of all kinds of objects have by the same bits. The object is
// closed if there can be none.
func (k *Kernel) newDescriptor(p *Process, o object, mode, flags int) (uintptr, syscall.Errno) {
	fd, errno := p.install(&description{obj: o, flags: mode | flags&syscall.O_NONBLOCK}, 0)
	if errno != 0 {
		o.close(k)
		return 0, errno
	}
	p.setCloexec(fd, flags)
	return uintptr(fd), 0
}

// nextIno numbers the objects that have no file.
func (k *Kernel) nextIno() uint64 {
	k.inos++
	return k.inos
}

// descriptor returns the description of a descriptor that bytes go through.
func (c *Call) descriptor(fd uintptr) (*description, syscall.Errno) {
	d := c.proc.fd(fd)
	if d == nil || d.flags&unix.O_PATH != 0 {
		return nil, syscall.EBADF
	}
	return d, 0
}

// socket returns the socket of the call's first argument.
func (c *Call) socket() (endpoint, *description, syscall.Errno) {
	d, errno := c.descriptor(c.Args[0])
	if errno != 0 {
		return nil, nil, errno
	}
	o, ok := d.obj.(endpoint)
	if !ok {
		return nil, nil, syscall.ENOTSOCK
	}
	return o, d, 0
}
