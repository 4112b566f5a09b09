package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_CLOSE:       sysClose,
		unix.SYS_CLOSE_RANGE: sysCloseRange,
		unix.SYS_DUP:         sysDup,
		unix.SYS_DUP3:        sysDup3,
		unix.SYS_FCNTL:       sysFcntl,
		unix.SYS_IOCTL:       sysIoctl,
		unix.SYS_LSEEK:       sysLseek,
	})
}

// maxFiles is the limit of descriptors of a process.
const maxFiles = 1 << 20

func sysClose(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[0] >= maxFiles {
		return 0, syscall.EBADF
	}
	return 0, c.proc.close(k, int(c.Args[0]))
}

func sysCloseRange(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	first, last := uint32(c.Args[0]), uint32(c.Args[1])
	const cloexec = 4
	if first > last || c.Args[2]&^cloexec != 0 {
		return 0, syscall.EINVAL
	}
	for fd := int(first); fd < len(c.proc.fds) && fd <= int(last); fd++ {
		if c.Args[2]&cloexec != 0 {
			c.proc.fds[fd].cloexec = true
		} else {
			c.proc.close(k, fd)
		}
	}
	return 0, 0
}

func sysDup(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil {
		return 0, syscall.EBADF
	}
	fd, errno := c.proc.install(d, 0)
	return uintptr(fd), errno
}

func sysDup3(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[0] == c.Args[1] || c.Args[2]&^uintptr(syscall.O_CLOEXEC) != 0 {
		return 0, syscall.EINVAL
	}
	return k.dup(c, int(c.Args[2]))
}

// dup makes the second argument a descriptor of what the first one is.
func (k *Kernel) dup(c *Call, flags int) (uintptr, syscall.Errno) {
	p, fd := c.proc, int(c.Args[1])
	d := p.fd(c.Args[0])
	if d == nil {
		return 0, syscall.EBADF
	}
	if c.Args[0] == c.Args[1] {
		return c.Args[1], 0
	}
	if c.Args[1] >= uintptr(p.files()) {
		return 0, syscall.EBADF
	}
	if p.fd(c.Args[1]) == d {
		p.setCloexec(fd, flags)
		return c.Args[1], 0
	}
	p.close(k, fd)
	p.put(d, fd)
	p.setCloexec(fd, flags)
	return c.Args[1], 0
}

// statusFlags is what F_SETFL changes.
const statusFlags = syscall.O_APPEND | syscall.O_NONBLOCK | syscall.O_ASYNC | unix.O_DIRECT | unix.O_NOATIME

func sysFcntl(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p, fd, arg := c.proc, int(c.Args[0]), c.Args[2]
	d := p.fd(c.Args[0])
	if d == nil {
		return 0, syscall.EBADF
	}
	cmd := int(c.Args[1])
	if d.flags&unix.O_PATH != 0 && cmd != unix.F_DUPFD && cmd != unix.F_DUPFD_CLOEXEC &&
		cmd != unix.F_GETFD && cmd != unix.F_SETFD && cmd != unix.F_GETFL {
		return 0, syscall.EBADF
	}
	switch cmd {
	case unix.F_DUPFD, unix.F_DUPFD_CLOEXEC:
		if arg >= uintptr(p.files()) {
			return 0, syscall.EINVAL
		}
		to, errno := p.install(d, int(arg))
		if errno == 0 {
			p.fds[to].cloexec = cmd == unix.F_DUPFD_CLOEXEC
		}
		return uintptr(to), errno
	case unix.F_GETFD:
		if p.fds[fd].cloexec {
			return unix.FD_CLOEXEC, 0
		}
		return 0, 0
	case unix.F_SETFD:
		p.fds[fd].cloexec = arg&unix.FD_CLOEXEC != 0
		return 0, 0
	case unix.F_GETFL:
		return uintptr(d.flags), 0
	case unix.F_SETFL:
		if f, ok := d.obj.(*file); arg&unix.O_DIRECT != 0 && (!ok || f.kind != disk.File) {
			return 0, syscall.EINVAL
		}
		d.flags = d.flags&^statusFlags | int(arg)&statusFlags
		return 0, 0
	case unix.F_SETLK, unix.F_SETLKW, unix.F_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW, unix.F_OFD_GETLK:
		return k.rangeLock(c, d, cmd, at[syscall.Flock_t](arg))
	case unix.F_GETPIPE_SZ:
		return 65536, 0
	}
	return 0, syscall.EINVAL
}

// Requests that every descriptor knows, from asm-generic/ioctls.h.
const (
	fionbio  = 0x5421
	fioclex  = 0x5451
	fionclex = 0x5450
)

// controlled is an object with ioctl requests of its own.
type controlled interface {
	ioctl(k *Kernel, d *description, request, arg uintptr) (uintptr, syscall.Errno)
}

func sysIoctl(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	switch c.Args[1] {
	case fionbio:
		if *at[int32](c.Args[2]) != 0 {
			d.flags |= syscall.O_NONBLOCK
		} else {
			d.flags &^= syscall.O_NONBLOCK
		}
		return 0, 0
	case fioclex, fionclex:
		c.proc.fds[c.Args[0]].cloexec = c.Args[1] == fioclex
		return 0, 0
	}
	if o, ok := d.obj.(controlled); ok {
		return o.ioctl(k, d, c.Args[1], c.Args[2])
	}
	return 0, syscall.ENOTTY
}

func sysLseek(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	if int32(c.Args[2]) < unix.SEEK_SET || int32(c.Args[2]) > unix.SEEK_HOLE {
		return 0, syscall.EINVAL
	}
	switch d.obj.(type) {
	case *inotify, *eventCounter, *epoll: // they take any offset, and have none
		return 0, 0
	}
	s, ok := d.obj.(sized)
	if !ok {
		return 0, syscall.ESPIPE
	}
	off, size := int64(c.Args[1]), s.size()
	switch whence := int(int32(c.Args[2])); whence {
	case unix.SEEK_SET:
	case unix.SEEK_CUR:
		off += d.offset
	case unix.SEEK_END:
		off += size
	case unix.SEEK_DATA, unix.SEEK_HOLE:
		var errno syscall.Errno
		if off, errno = seekSparse(d.obj, whence, off, size); errno != 0 {
			return 0, errno
		}
	}
	if off < 0 || off > disk.MaxSize && off > size {
		return 0, syscall.EINVAL
	}
	d.offset = off
	return uintptr(off), 0
}

// seekSparse returns where data or a hole is at or after off. What is no file of a
// disk is data to its end.
func seekSparse(o object, whence int, off, size int64) (int64, syscall.Errno) {
	if off < 0 || off >= size {
		return 0, syscall.ENXIO
	}
	f, ok := o.(*file)
	switch {
	case (!ok || f.kind != disk.File) && whence == unix.SEEK_HOLE:
		return size, 0
	case !ok || f.kind != disk.File:
		return off, 0
	case whence == unix.SEEK_HOLE:
		return f.host.Disk.NextHole(f.ino, off), 0
	}
	at, ok := f.host.Disk.NextData(f.ino, off)
	if !ok {
		return 0, syscall.ENXIO
	}
	return at, 0
}

// sized is an object in which a description has an offset.
type sized interface{ size() int64 }

// stdio is a standard stream: reading is at its end, writing goes to the
// process's output.
type stdio struct {
	p  *Process
	fd int
}

func (s *stdio) read(*Kernel, *description, []byte) (int, syscall.Errno) { return 0, 0 }

func (s *stdio) write(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if s.p.Output != nil && len(b) > 0 {
		s.p.Output(s.fd, b)
	}
	return len(b), 0
}

func (s *stdio) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	*st = syscall.Stat_t{Mode: syscall.S_IFIFO | 0o600, Nlink: 1, Ino: uint64(s.fd) + 1}
	return 0
}

func (s *stdio) close(*Kernel) {}
