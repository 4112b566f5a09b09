package kernel

import (
	"fmt"
	"syscall"

	"github.com/orrery-sim/orrery/disk"
)

// unixNames are the names that Unix sockets of a host are bound to.
type unixNames struct {
	paths    map[disk.Ino]*unixSocket
	abstract map[abstractName]*unixSocket
	next     uint32 // for those who ask for any
}

// abstractName is a name without a file. Sockets of several kinds may have the same.
type abstractName struct {
	name string
	kind int
}

func newUnixNames() unixNames {
	return unixNames{paths: map[disk.Ino]*unixSocket{}, abstract: map[abstractName]*unixSocket{}}
}

const sizeofUnix = syscall.SizeofSockaddrUnix

// checkUnix says what is wrong with an address that has to have a name.
func (a *address) checkUnix() syscall.Errno {
	if a.family != syscall.AF_UNIX || a.size <= sizeofFamily || a.size > sizeofUnix {
		return syscall.EINVAL
	}
	return 0
}

// isPath reports whether a name is that of a file.
func isPath(name string) bool { return name[0] != 0 }

// findUnix returns the socket of a kind that has a name.
func (k *Kernel) findUnix(p *Process, name string, kind int) (*unixSocket, syscall.Errno) {
	if !isPath(name) {
		if s := p.Host.sockets.abstract[abstractName{name, kind}]; s != nil {
			return s, 0
		}
		return nil, syscall.ECONNREFUSED
	}
	t, errno := k.resolve(p, uintptr(atCwd), name, 0)
	if errno != 0 {
		return nil, errno
	}
	s := p.Host.sockets.paths[t.ino]
	switch {
	case s == nil:
		return nil, syscall.ECONNREFUSED
	case s.kind != kind:
		return nil, syscall.EPROTOTYPE
	}
	return s, 0
}

func (o *unixSocket) bind(p *Process, a address) syscall.Errno {
	if a.family == syscall.AF_UNIX && a.size == sizeofFamily {
		return o.autobind(p)
	}
	if errno := a.checkUnix(); errno != 0 {
		return errno
	}
	if isPath(a.name) {
		return o.bindPath(p, a.name)
	}
	if o.name != "" {
		return syscall.EINVAL
	}
	return o.bindAbstract(p.Host, a.name)
}

func (o *unixSocket) bindAbstract(h *Host, name string) syscall.Errno {
	key := abstractName{name, o.kind}
	if h.sockets.abstract[key] != nil {
		return syscall.EADDRINUSE
	}
	o.host, o.name = h, name
	h.sockets.abstract[key] = o
	return 0
}

// autobind gives a socket without a name an abstract one of five digits. They go up in
// order: unlike Linux's, they are not drawn.
func (o *unixSocket) autobind(p *Process) syscall.Errno {
	const names = 1 << 20
	for range names {
		if o.name != "" {
			return 0
		}
		n := &p.Host.sockets.next
		name := fmt.Sprintf("\x00%05x", *n)
		*n = (*n + 1) % names
		o.bindAbstract(p.Host, name)
	}
	return syscall.ENOSPC
}

// bindPath makes a file of the socket.
func (o *unixSocket) bindPath(p *Process, name string) syscall.Errno {
	k, h := o.k, p.Host
	at, errno := k.vacant(p, uintptr(atCwd), name, disk.Socket)
	switch {
	case errno == syscall.EEXIST:
		return syscall.EADDRINUSE
	case errno != 0:
		return errno
	case o.name != "":
		return syscall.EINVAL
	}
	ino, errno := h.Disk.Create(at.Dir, at.Name, disk.Socket, 0o777&^p.umask, h.Wall(k.now))
	if errno != 0 {
		return errno
	}
	h.Disk.Open(ino)
	o.host, o.name, o.path = h, name, ino
	h.sockets.paths[ino] = o
	return 0
}

// unbind gives up the name; a file stays. What was accepted has its listener's name
// and does not own it.
func (o *unixSocket) unbind() {
	switch {
	case o.name == "":
	case o.path != 0:
		delete(o.host.sockets.paths, o.path)
		o.host.Disk.Release(o.path)
		o.path = 0
	case o.host.sockets.abstract[abstractName{o.name, o.kind}] == o:
		delete(o.host.sockets.abstract, abstractName{o.name, o.kind})
	}
}
