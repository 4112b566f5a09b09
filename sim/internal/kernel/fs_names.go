package kernel

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_MKDIRAT:    sysMkdirat,
		unix.SYS_MKNODAT:    sysMknodat,
		unix.SYS_SYMLINKAT:  sysSymlinkat,
		unix.SYS_LINKAT:     sysLinkat,
		unix.SYS_UNLINKAT:   sysUnlinkat,
		unix.SYS_RENAMEAT:   sysRenameat,
		unix.SYS_RENAMEAT2:  sysRenameat2,
		unix.SYS_READLINKAT: sysReadlinkat,
	})
}

// vacant resolves the path of an entry that is to be made. Only a directory may
// be given with a slash at its end.
func (k *Kernel) vacant(p *Process, dirfd uintptr, name string, kind disk.Kind) (disk.Place, syscall.Errno) {
	at, n, errno := k.place(p, dirfd, name, disk.NoFollow)
	switch {
	case errno != 0:
		return at, errno
	case n != nil || at.Ino != 0:
		return at, syscall.EEXIST
	case at.Slash && kind != disk.Directory:
		return at, syscall.ENOENT
	}
	return at, 0
}

func sysMkdirat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p := c.proc
	at, errno := k.vacant(p, c.Args[0], stringAt(c.Args[1]), disk.Directory)
	if errno == 0 {
		const bits = 0o1777 // mkdir(2) takes no set-id bits
		_, errno = p.Host.Disk.Mkdir(at.Dir, at.Name, uint32(c.Args[2])&bits&^p.umask, p.Host.Wall(k.now))
	}
	return 0, errno
}

func sysMknodat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p, mode := c.proc, uint32(c.Args[2])
	var kind disk.Kind
	switch mode & syscall.S_IFMT {
	case 0, syscall.S_IFREG:
		kind = disk.File
	case syscall.S_IFIFO:
		kind = disk.Fifo
	case syscall.S_IFSOCK:
		kind = disk.Socket
	default:
		return 0, syscall.EPERM
	}
	at, errno := k.vacant(p, c.Args[0], stringAt(c.Args[1]), kind)
	if errno == 0 {
		_, errno = p.Host.Disk.Create(at.Dir, at.Name, kind, mode&^p.umask, p.Host.Wall(k.now))
	}
	return 0, errno
}

func sysSymlinkat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p, to := c.proc, stringAt(c.Args[0])
	if to == "" {
		return 0, syscall.ENOENT
	}
	at, errno := k.vacant(p, c.Args[1], stringAt(c.Args[2]), disk.Symlink)
	if errno == 0 {
		_, errno = p.Host.Disk.Symlink(to, at.Dir, at.Name, p.Host.Wall(k.now))
	}
	return 0, errno
}

func sysLinkat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p, flags := c.proc, int(c.Args[4])
	if flags&^(unix.AT_SYMLINK_FOLLOW|unix.AT_EMPTY_PATH) != 0 {
		return 0, syscall.EINVAL
	}
	how := flags & unix.AT_EMPTY_PATH
	if flags&unix.AT_SYMLINK_FOLLOW == 0 {
		how |= unix.AT_SYMLINK_NOFOLLOW
	}
	from, errno := k.resolve(p, c.Args[0], stringAt(c.Args[1]), how)
	if errno != 0 {
		return 0, errno
	}
	at, errno := k.vacant(p, c.Args[2], stringAt(c.Args[3]), disk.File)
	if errno != 0 {
		return 0, errno
	}
	if !from.onDisk() {
		return 0, syscall.EXDEV
	}
	return 0, p.Host.Disk.Link(from.ino, at.Dir, at.Name, p.Host.Wall(k.now))
}

func sysUnlinkat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	p, flags := c.proc, int(c.Args[2])
	if flags&^unix.AT_REMOVEDIR != 0 {
		return 0, syscall.EINVAL
	}
	at, n, errno := k.place(p, c.Args[0], stringAt(c.Args[1]), disk.NoFollow)
	switch {
	case errno != 0:
		return 0, errno
	case n != nil:
		return 0, syscall.EPERM
	}
	if flags != 0 {
		return 0, k.rmdir(p, at)
	}
	if at.Special() {
		return 0, syscall.EISDIR
	}
	if at.Slash && at.Ino != 0 {
		if p.Host.Disk.Stat(at.Ino).Kind == disk.Directory {
			return 0, syscall.EISDIR
		}
		return 0, syscall.ENOTDIR
	}
	return 0, p.Host.Disk.Unlink(at.Dir, at.Name, p.Host.Wall(k.now))
}

func (k *Kernel) rmdir(p *Process, at disk.Place) syscall.Errno {
	switch at.Name {
	case ".":
		return syscall.EINVAL
	case "..":
		return syscall.ENOTEMPTY
	case "/":
		return syscall.EBUSY
	}
	if at.Ino != 0 {
		p.Host.list(k, at.Ino)
	}
	return p.Host.Disk.Rmdir(at.Dir, at.Name, p.Host.Wall(k.now))
}

func sysRenameat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.rename(c, 0)
}

func sysRenameat2(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.rename(c, int(c.Args[4]))
}

func (k *Kernel) rename(c *Call, flags int) (uintptr, syscall.Errno) {
	var mode disk.RenameMode
	switch flags {
	case 0:
	case unix.RENAME_NOREPLACE:
		mode = disk.RenameNoReplace
	case unix.RENAME_EXCHANGE:
		mode = disk.RenameExchange
	default:
		return 0, syscall.EINVAL
	}
	p := c.proc
	from, n, errno := k.place(p, c.Args[0], stringAt(c.Args[1]), disk.NoFollow)
	if errno != 0 {
		return 0, errno
	}
	to, m, errno := k.place(p, c.Args[2], stringAt(c.Args[3]), disk.NoFollow)
	if errno != 0 {
		return 0, errno
	}
	if n != nil || m != nil {
		return 0, syscall.EXDEV
	}
	if errno := p.Host.mayRename(from, to, mode); errno != 0 {
		return 0, errno
	}
	return 0, p.Host.Disk.Rename(from, to, mode, p.Host.Wall(k.now))
}

// mayRename checks what the paths of a rename say beyond the entries.
func (h *Host) mayRename(from, to disk.Place, mode disk.RenameMode) syscall.Errno {
	switch {
	case from.Special():
		return syscall.EBUSY
	case to.Special() && mode == disk.RenameNoReplace:
		return syscall.EEXIST
	case to.Special():
		return syscall.EBUSY
	case from.Ino == 0:
		return syscall.ENOENT
	case mode == disk.RenameNoReplace && to.Ino != 0:
		return syscall.EEXIST
	case mode == disk.RenameExchange && to.Ino == 0:
		return syscall.ENOENT
	}
	if mode == disk.RenameExchange && to.Slash && h.Disk.Stat(to.Ino).Kind != disk.Directory {
		return syscall.ENOTDIR
	}
	if h.Disk.Stat(from.Ino).Kind != disk.Directory && (from.Slash || mode != disk.RenameExchange && to.Slash) {
		return syscall.ENOTDIR
	}
	return 0
}

func sysReadlinkat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if int32(c.Args[3]) <= 0 {
		return 0, syscall.EINVAL
	}
	p, name := c.proc, stringAt(c.Args[1])
	var to string
	if at, n, errno := k.place(p, c.Args[0], name, disk.NoFollow); n != nil {
		if to = n.link; to == "" {
			return 0, syscall.EINVAL
		}
	} else {
		if errno != 0 && name != "" {
			return 0, errno
		}
		t := target{host: p.Host, ino: at.Ino}
		if name == "" || strings.HasSuffix(name, "/") {
			if t, errno = k.resolve(p, c.Args[0], name, unix.AT_EMPTY_PATH); errno != 0 {
				return 0, errno
			}
		}
		if !t.onDisk() {
			return 0, syscall.ENOENT
		}
		if to, errno = t.host.Disk.Readlink(t.ino); errno != 0 {
			return 0, errno
		}
	}
	return uintptr(copy(bytesAt(c.Args[2], uintptr(uint32(c.Args[3]))), to)), 0
}
