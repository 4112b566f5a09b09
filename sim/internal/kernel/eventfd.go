package kernel

import (
	"encoding/binary"
	"syscall"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{unix.SYS_EVENTFD2: sysEventfd2})
}

// eventCounter is the object of an eventfd.
type eventCounter struct {
	waitQueue
	n         uint64
	semaphore bool // a read takes 1 and not all
}

// eventMost is what the counter is at most.
const eventMost = ^uint64(0) - 1

func sysEventfd2(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags := int(int32(c.Args[1]))
	if flags&^(unix.EFD_SEMAPHORE|unix.EFD_NONBLOCK|unix.EFD_CLOEXEC) != 0 {
		return 0, syscall.EINVAL
	}
	e := &eventCounter{n: uint64(uint32(c.Args[0])), semaphore: flags&unix.EFD_SEMAPHORE != 0}
	return k.newDescriptor(c.proc, e, syscall.O_RDWR, flags)
}

func (e *eventCounter) read(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(b) < 8 {
		return 0, syscall.EINVAL
	}
	if e.n == 0 {
		return 0, syscall.EAGAIN
	}
	n := e.n
	if e.semaphore {
		n = 1
	}
	e.n -= n
	binary.NativeEndian.PutUint64(b, n)
	e.wake(k, writable)
	return 8, 0
}

func (e *eventCounter) write(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(b) != 8 {
		return 0, syscall.EINVAL
	}
	n := binary.NativeEndian.Uint64(b)
	if n > eventMost {
		return 0, syscall.EINVAL
	}
	if n > eventMost-e.n {
		return 0, syscall.EAGAIN
	}
	e.n += n
	if e.n > 0 {
		e.wake(k, readable)
	}
	return 8, 0
}

// events has not the bits of bands, as on Linux.
func (e *eventCounter) events(*Kernel) (v events) {
	if e.n > 0 {
		v |= unix.POLLIN
	}
	if e.n < eventMost {
		v |= unix.POLLOUT
	}
	return v
}

func (*eventCounter) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno { return k.statAnonymous(st) }
func (*eventCounter) link() string                                     { return "anon_inode:[eventfd]" }
func (*eventCounter) close(*Kernel)                                    {}

// statAnonymous is the stat of an object that is nothing but its descriptor.
func (k *Kernel) statAnonymous(st *syscall.Stat_t) syscall.Errno {
	at := syscall.NsecToTimespec(k.booted)
	*st = syscall.Stat_t{Mode: 0o600, Blksize: 4096, Ino: 1, Atim: at, Mtim: at, Ctim: at}
	setLinks(st, 1)
	return 0
}
