package kernel

import (
	"encoding/binary"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_GETDENTS64: sysGetdents64,
		unix.SYS_CHDIR:      sysChdir,
		unix.SYS_FCHDIR:     sysFchdir,
		unix.SYS_GETCWD:     sysGetcwd,
	})
}

// dirents packs entries into a buffer, as struct linux_dirent64.
type dirents struct {
	b    []byte
	n    int
	full bool
}

// direntHeader is the bytes of an entry before its name.
const direntHeader = 19

var direntTypes = [...]byte{
	disk.File: unix.DT_REG, disk.Directory: unix.DT_DIR, disk.Symlink: unix.DT_LNK,
	disk.Fifo: unix.DT_FIFO, disk.Socket: unix.DT_SOCK,
}

// add packs an entry, whose successor is at next; it reports false if it does not
// fit.
func (o *dirents) add(ino uint64, next int64, kind byte, name string) bool {
	size := (direntHeader + len(name) + 1 + 7) &^ 7
	if o.full = len(o.b)-o.n < size; o.full {
		return false
	}
	e := o.b[o.n : o.n+size]
	binary.NativeEndian.PutUint64(e, ino)
	binary.NativeEndian.PutUint64(e[8:], uint64(next))
	binary.NativeEndian.PutUint16(e[16:], uint16(size))
	e[18] = kind
	clear(e[direntHeader+copy(e[direntHeader:], name):])
	o.n += size
	return true
}

// listed is an object that getdents reads.
type listed interface {
	// list packs the entries from offset on and returns the offset after them.
	list(k *Kernel, offset int64, o *dirents) (int64, syscall.Errno)
}

func sysGetdents64(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	l, ok := d.obj.(listed)
	if !ok {
		return 0, syscall.ENOTDIR
	}
	o := dirents{b: bytesAt(c.Args[1], uintptr(uint32(c.Args[2])))}
	next, errno := l.list(k, d.offset, &o)
	if errno != 0 {
		return 0, errno
	}
	if o.n == 0 && o.full {
		return 0, syscall.EINVAL
	}
	d.offset = next
	return uintptr(o.n), 0
}

// The offset of an entry is its cookie less one, after "." at 0 and ".." at 1.
func (f *file) list(k *Kernel, offset int64, o *dirents) (int64, syscall.Errno) {
	if f.kind != disk.Directory {
		return 0, syscall.ENOTDIR
	}
	f.host.list(k, f.ino)
	dk := f.host.Disk
	if dk.Stat(f.ino).Links == 0 {
		return 0, syscall.ENOENT
	}
	f.accessed(k)
	defer f.tell(k, unix.IN_ACCESS)
	if offset == 0 && o.add(uint64(f.ino), 1, unix.DT_DIR, ".") {
		offset = 1
	}
	if offset == 1 && o.add(uint64(dk.Parent(f.ino)), 2, unix.DT_DIR, "..") {
		offset = 2
	}
	if offset < 2 {
		return offset, 0
	}
	dk.ReadDir(f.ino, uint64(offset)+1, func(e disk.Entry) bool {
		if !o.add(uint64(e.Ino), int64(e.Cookie), direntTypes[e.Kind], e.Name) {
			return false
		}
		offset = int64(e.Cookie)
		return true
	})
	return offset, 0
}

func sysChdir(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := k.resolve(c.proc, uintptr(atCwd), stringAt(c.Args[0]), 0)
	if errno != 0 {
		return 0, errno
	}
	return 0, k.chdir(c.proc, t)
}

func sysFchdir(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := c.proc.target(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	return 0, k.chdir(c.proc, t)
}

func (k *Kernel) chdir(p *Process, t target) syscall.Errno {
	if !t.onDisk() || t.host.Disk.Stat(t.ino).Kind != disk.Directory {
		return syscall.ENOTDIR
	}
	t.host.Disk.Open(t.ino)
	p.Host.leave(k, p.cwd, entry{})
	p.cwd = t.ino
	return 0
}

// sysGetcwd answers the length of the path with its NUL, as Linux does.
func sysGetcwd(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	dir, ok := c.proc.Host.Disk.Path(c.proc.cwd)
	if !ok {
		return 0, syscall.ENOENT
	}
	n := uintptr(len(dir)) + 1
	if c.Args[1] < n {
		return 0, syscall.ERANGE
	}
	b := bytesAt(c.Args[0], n)
	b[copy(b, dir)] = 0
	return n, 0
}
