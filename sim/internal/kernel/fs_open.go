package kernel

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_OPENAT: sysOpenat,
		unix.SYS_UMASK:  sysUmask,
	})
}

// tmpFile is O_TMPFILE without the O_DIRECTORY that it includes.
const tmpFile = unix.O_TMPFILE &^ unix.O_DIRECTORY

func sysUmask(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	old := c.proc.umask
	c.proc.umask = uint32(c.Args[0]) & 0o777
	return uintptr(old), 0
}

func sysOpenat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	o := opening{p: c.proc, flags: int(c.Args[2]), mode: uint32(c.Args[3])}
	obj, errno := o.open(k, c.Args[0], stringAt(c.Args[1]))
	if errno != 0 {
		return 0, errno
	}
	const done = syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOCTTY | syscall.O_TRUNC | syscall.O_CLOEXEC
	flags := o.flags &^ done
	if !o.has(unix.O_PATH) {
		flags |= largeFile
	}
	fd := c.proc.install(&description{obj: obj, flags: flags}, 0)
	c.proc.setCloexec(fd, o.flags)
	return uintptr(fd), 0
}

// opening is one open call.
type opening struct {
	p     *Process
	flags int
	mode  uint32
}

func (o *opening) has(flag int) bool { return o.flags&flag != 0 }

func (o *opening) writes() bool { return o.flags&syscall.O_ACCMODE != syscall.O_RDONLY }

func (o *opening) open(k *Kernel, dirfd uintptr, name string) (object, syscall.Errno) {
	if o.has(unix.O_PATH) {
		o.flags &= unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	}
	if o.has(syscall.O_CREAT) && o.has(syscall.O_DIRECTORY) {
		return nil, syscall.EINVAL
	}
	if o.has(tmpFile) && (!o.has(syscall.O_DIRECTORY) || !o.writes()) {
		return nil, syscall.EINVAL
	}
	last := disk.Follow
	if o.has(syscall.O_NOFOLLOW) || o.has(syscall.O_CREAT) && o.has(syscall.O_EXCL) {
		last = disk.NoFollow
	}
	if strings.HasSuffix(name, "/") {
		if o.has(syscall.O_CREAT) {
			return nil, o.createSlash(k, dirfd, name)
		}
		last = disk.Follow
	}
	at, n, errno := k.place(o.p, dirfd, name, last)
	if errno != 0 {
		return nil, errno
	}
	if n != nil {
		return k.openNode(o, n)
	}
	if at.Ino == 0 {
		return o.create(k, at)
	}
	return o.existing(k, at)
}

// createSlash returns why a path that ends in a slash cannot be made a file.
func (o *opening) createSlash(k *Kernel, dirfd uintptr, name string) syscall.Errno {
	at, _, errno := k.place(o.p, dirfd, name, disk.NoFollow)
	switch {
	case errno != 0:
		return errno
	case at.Special() && o.has(syscall.O_EXCL):
		return syscall.EEXIST
	}
	return syscall.EISDIR
}

func (o *opening) create(k *Kernel, at disk.Place) (object, syscall.Errno) {
	h := o.p.Host
	if !o.has(syscall.O_CREAT) {
		return nil, syscall.ENOENT
	}
	if at.Slash {
		return nil, syscall.EISDIR
	}
	ino, errno := h.Disk.Create(at.Dir, at.Name, disk.File, o.mode&^o.p.umask, h.Wall(k.now))
	if errno != 0 {
		return nil, errno
	}
	return k.openFile(h, ino), 0
}

func (o *opening) existing(k *Kernel, at disk.Place) (object, syscall.Errno) {
	h := o.p.Host
	kind := h.Disk.Stat(at.Ino).Kind
	if o.has(syscall.O_CREAT) && o.has(syscall.O_EXCL) {
		return nil, syscall.EEXIST
	}
	if o.has(syscall.O_CREAT) && at.Slash { // of a symlink's target
		return nil, syscall.EISDIR
	}
	if (o.has(syscall.O_DIRECTORY) || at.Slash) && kind != disk.Directory {
		return nil, syscall.ENOTDIR
	}
	if o.has(unix.O_PATH) {
		return k.openFile(h, at.Ino), 0
	}
	switch kind {
	case disk.Directory:
		if o.has(tmpFile) {
			return o.unnamed(k), 0
		}
		if o.writes() || o.has(syscall.O_CREAT) || o.has(syscall.O_TRUNC) {
			return nil, syscall.EISDIR
		}
	case disk.Symlink:
		return nil, syscall.ELOOP
	case disk.Socket, disk.Fifo:
		return nil, syscall.ENXIO
	case disk.File:
		if o.has(syscall.O_TRUNC) {
			if errno := h.Disk.Truncate(at.Ino, 0, h.Wall(k.now)); errno != 0 {
				return nil, errno
			}
		}
	}
	return k.openFile(h, at.Ino), 0
}

func (o *opening) unnamed(k *Kernel) object {
	h := o.p.Host
	ino := h.Disk.Unnamed(o.mode&^o.p.umask, h.Wall(k.now))
	return &file{h, ino, disk.File}
}
