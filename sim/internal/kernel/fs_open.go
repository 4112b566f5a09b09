package kernel

import (
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_OPENAT:  sysOpenat,
		unix.SYS_OPENAT2: sysOpenat2,
		unix.SYS_UMASK:   sysUmask,
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
	o := opening{p: c.proc, flags: int(int32(c.Args[2])) & openFlags, mode: uint32(c.Args[3])}
	if o.has(unix.O_PATH) {
		o.flags &= pathFlags
	}
	return k.install(c, &o, c.Args[0], stringAt(c.Args[1]))
}

const (
	// openFlags is what open knows; openat ignores the others, openat2 does not.
	openFlags = syscall.O_ACCMODE | syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOCTTY | syscall.O_TRUNC | syscall.O_APPEND |
		syscall.O_NONBLOCK | syscall.O_SYNC | syscall.O_ASYNC | unix.O_DIRECT | largeFile | unix.O_DIRECTORY | unix.O_NOFOLLOW |
		unix.O_NOATIME | unix.O_CLOEXEC | unix.O_PATH | unix.O_TMPFILE
	// pathFlags is what O_PATH can be with.
	pathFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
)

// install opens what a path leads to, as a descriptor.
func (k *Kernel) install(c *Call, o *opening, dirfd uintptr, name string) (uintptr, syscall.Errno) {
	if !o.has(unix.O_PATH) {
		o.flags |= largeFile
	}
	obj, errno := o.open(k, dirfd, name)
	if errno != 0 {
		return 0, errno
	}
	const done = syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOCTTY | syscall.O_TRUNC | syscall.O_CLOEXEC
	d := &description{obj: obj, flags: o.flags &^ done}
	if e, ok := obj.(*pipeEnd); ok && e.lonely() {
		return k.meet(c, o, d, e)
	}
	return o.installed(d), 0
}

// installed makes a descriptor of what was opened, for which there was room then.
func (o *opening) installed(d *description) uintptr {
	fd := o.p.free(0)
	o.p.put(d, fd)
	o.p.setCloexec(fd, o.flags)
	return uintptr(fd)
}

// opening is one open call.
type opening struct {
	p       *Process
	flags   int
	mode    uint32
	resolve uint64 // of openat2
}

func (o *opening) has(flag int) bool { return o.flags&flag != 0 }

func (o *opening) writes() bool { return writes(o.flags) }

// reads and writes report what the flags of an open file allow: 3, as an access
// mode, is neither.
func reads(flags int) bool {
	mode := flags & syscall.O_ACCMODE
	return mode == syscall.O_RDONLY || mode == syscall.O_RDWR
}

func writes(flags int) bool {
	mode := flags & syscall.O_ACCMODE
	return mode == syscall.O_WRONLY || mode == syscall.O_RDWR
}

func (o *opening) open(k *Kernel, dirfd uintptr, name string) (object, syscall.Errno) {
	if o.has(syscall.O_CREAT) && o.has(syscall.O_DIRECTORY) {
		return nil, syscall.EINVAL
	}
	if o.has(tmpFile) && (!o.has(syscall.O_DIRECTORY) || o.flags&syscall.O_ACCMODE == syscall.O_RDONLY) {
		return nil, syscall.EINVAL
	}
	if name != "" && !o.p.room(1) {
		return nil, syscall.EMFILE
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
	at, n, errno := k.placeIn(o, dirfd, name, last)
	if errno != 0 {
		return nil, errno
	}
	if n != nil {
		return k.openNode(o, n)
	}
	if at.Ino == 0 {
		return o.create(k, at)
	}
	return o.existing(k, at, entryOf(at))
}

// createSlash returns why a path that ends in a slash cannot be made a file.
func (o *opening) createSlash(k *Kernel, dirfd uintptr, name string) syscall.Errno {
	at, _, errno := k.placeIn(o, dirfd, name, disk.NoFollow)
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
	ino, errno := h.Disk.Create(at.Dir, at.Name, disk.File, o.mode&0o7777&^o.p.umask, h.Wall(k.now))
	if errno != 0 {
		return nil, errno
	}
	f := h.openFile(ino, entryOf(at), o.flags)
	k.named(h, f.at, disk.File, unix.IN_CREATE)
	f.tell(k, unix.IN_OPEN)
	return f, 0
}

// existing opens the inode at a place, by an entry of it.
func (o *opening) existing(k *Kernel, at disk.Place, by entry) (object, syscall.Errno) {
	h, ino := o.p.Host, at.Ino
	kind := h.Disk.Stat(ino).Kind
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
		return h.openFile(ino, by, o.flags), 0
	}
	switch kind {
	case disk.Directory:
		if o.has(tmpFile) {
			return o.unnamed(k, ino), 0
		}
		if o.flags&syscall.O_ACCMODE != syscall.O_RDONLY || o.has(syscall.O_CREAT) || o.has(syscall.O_TRUNC) {
			return nil, syscall.EISDIR
		}
		if o.has(unix.O_DIRECT) {
			return nil, syscall.EINVAL
		}
	case disk.Symlink:
		return nil, syscall.ELOOP
	case disk.Fifo:
		return o.openFifo(k, ino, by)
	case disk.Socket:
		return nil, syscall.ENXIO
	}
	f := h.openFile(ino, by, o.flags)
	f.tell(k, unix.IN_OPEN)
	if kind == disk.File && o.has(syscall.O_TRUNC) {
		if errno := h.Disk.Truncate(ino, 0, h.Wall(k.now)); errno != 0 {
			f.close(k)
			return nil, errno
		}
		k.changed(targetOfObject(f), unix.IN_MODIFY)
	}
	return f, 0
}

// unnamed makes a file without a name, as if in a directory.
func (o *opening) unnamed(k *Kernel, dir disk.Ino) object {
	h, linkable := o.p.Host, disk.MayLink
	if o.has(syscall.O_EXCL) {
		linkable = disk.NeverLink
	}
	ino := h.Disk.Unnamed(dir, o.mode&0o7777&^o.p.umask, linkable, h.Wall(k.now))
	at := entry{dir: dir, name: "#" + strconv.FormatUint(uint64(ino), 10), gone: true}
	f := h.listFile(&file{host: h, ino: ino, kind: disk.File, at: at, flags: o.flags})
	f.tell(k, unix.IN_OPEN)
	return f
}
