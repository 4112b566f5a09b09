package kernel

import (
	"syscall"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
)

// ProcID numbers the processes of a world, from 1, in the order of their
// starts; a number is never used again. 0 is the test itself.
type ProcID uint32

// Host is a machine: what outlives its processes.
type Host struct {
	Name string
	Disk *disk.Disk
	Net  net.HostID
	pids int
}

// Process is one running program on a host.
type Process struct {
	ID   ProcID
	Host *Host
	PID  int
	Args []string
	Env  []string

	// Output gets every write to descriptors 1 and 2, which are answered at once.
	Output func(fd int, b []byte)

	cwd   string
	umask uint32
	fds   []*description // by number; nil where free
}

// description is an open file description: what dup'ed descriptors share.
type description struct {
	obj    object
	refs   int
	flags  int // O_NONBLOCK, O_APPEND, access mode
	offset int64
	pd     uintptr // the runtime's poll descriptor, 0 if none
}

// object is what a description stands for: a file, a directory, a socket, a
// standard stream. A call that would block answers EAGAIN.
type object interface {
	read(k *Kernel, d *description, b []byte) (int, syscall.Errno)
	write(k *Kernel, d *description, b []byte) (int, syscall.Errno)
	stat(k *Kernel, st *syscall.Stat_t) syscall.Errno
	// close is called when the last descriptor goes.
	close(k *Kernel)
}

// install gives d the lowest free descriptor that is at least least.
func (p *Process) install(d *description, least int) int {
	for len(p.fds) < least {
		p.fds = append(p.fds, nil)
	}
	for fd := least; fd < len(p.fds); fd++ {
		if p.fds[fd] == nil {
			p.fds[fd] = d
			d.refs++
			return fd
		}
	}
	p.fds = append(p.fds, d)
	d.refs++
	return len(p.fds) - 1
}

// fd returns the description of a descriptor, or nil.
func (p *Process) fd(n uintptr) *description {
	if n >= uintptr(len(p.fds)) {
		return nil
	}
	return p.fds[n]
}
