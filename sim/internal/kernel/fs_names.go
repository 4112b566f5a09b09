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
	const bits = 0o1777 // mkdir(2) takes no set-id bits
	mode := uint32(c.Args[2]) & bits
	return 0, k.create(c.proc, making{dirfd: c.Args[0], name: stringAt(c.Args[1]), kind: disk.Directory, mode: mode})
}

// making is a call that makes an inode with a name.
type making struct {
	dirfd uintptr
	name  string
	kind  disk.Kind
	mode  uint32 // before the umask
	link  string // of a symlink
}

func (k *Kernel) create(p *Process, m making) syscall.Errno {
	at, errno := k.vacant(p, m.dirfd, m.name, m.kind)
	if errno != 0 {
		return errno
	}
	dk, now, mode := p.Host.Disk, p.Host.Wall(k.now), m.mode&^p.umask
	switch m.kind {
	case disk.Directory:
		_, errno = dk.Mkdir(at.Dir, at.Name, mode, now)
	case disk.Symlink:
		_, errno = dk.Symlink(m.link, at.Dir, at.Name, now)
	default:
		_, errno = dk.Create(at.Dir, at.Name, m.kind, mode, now)
	}
	if errno == 0 {
		k.named(p.Host, entryOf(at), m.kind, unix.IN_CREATE)
	}
	return errno
}

func sysMknodat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	m := making{dirfd: c.Args[0], name: stringAt(c.Args[1]), mode: uint32(c.Args[2])}
	switch m.mode & syscall.S_IFMT {
	case 0, syscall.S_IFREG:
		m.kind = disk.File
	case syscall.S_IFIFO:
		m.kind = disk.Fifo
	case syscall.S_IFSOCK:
		m.kind = disk.Socket
	case syscall.S_IFCHR, syscall.S_IFBLK:
		k.refused(c) // devices are those of /dev
		return 0, syscall.EPERM
	case syscall.S_IFDIR:
		return 0, syscall.EPERM
	default:
		return 0, syscall.EINVAL
	}
	return 0, k.create(c.proc, m)
}

func sysSymlinkat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	to := stringAt(c.Args[0])
	if to == "" {
		return 0, syscall.ENOENT
	}
	return 0, k.create(c.proc, making{dirfd: c.Args[1], name: stringAt(c.Args[2]), kind: disk.Symlink, link: to})
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
	errno = p.Host.Disk.Link(from.ino, at.Dir, at.Name, p.Host.Wall(k.now))
	if errno == 0 {
		p.Host.notify(k, from.ino, fileEvent{mask: unix.IN_ATTRIB}) // of its number of links
		k.named(p.Host, entryOf(at), disk.File, unix.IN_CREATE)
	}
	return 0, errno
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
	return 0, k.unlink(p.Host, at)
}

func (k *Kernel) unlink(h *Host, at disk.Place) syscall.Errno {
	kept := h.kept(at.Ino)
	errno := h.Disk.Unlink(at.Dir, at.Name, h.Wall(k.now))
	if errno == 0 {
		if kept {
			h.notify(k, at.Ino, fileEvent{mask: unix.IN_ATTRIB}) // of its number of links
			h.unnamed(k, at.Ino, entryOf(at))
		}
		k.named(h, entryOf(at), disk.File, unix.IN_DELETE)
	}
	return errno
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
	kept := p.Host.kept(at.Ino)
	errno := p.Host.Disk.Rmdir(at.Dir, at.Name, p.Host.Wall(k.now))
	if errno == 0 {
		if kept {
			p.Host.unnamed(k, at.Ino, entryOf(at))
		}
		k.named(p.Host, entryOf(at), disk.Directory, unix.IN_DELETE)
	}
	return errno
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
	from, errno := k.placeToRename(p, c.Args[0], stringAt(c.Args[1]))
	if errno != 0 {
		return 0, errno
	}
	to, errno := k.placeToRename(p, c.Args[2], stringAt(c.Args[3]))
	if errno != 0 {
		return 0, errno
	}
	if from.Dir == 0 || to.Dir == 0 {
		return 0, syscall.EXDEV
	}
	if errno := p.Host.mayRename(from, to, mode); errno != 0 {
		return 0, errno
	}
	kept := p.Host.watching > 0 || p.Host.kept(from.Ino) || p.Host.kept(to.Ino)
	errno = p.Host.Disk.Rename(from, to, mode, p.Host.Wall(k.now))
	if errno == 0 && kept && from.Ino != to.Ino { // two names of one file stay as they are
		p.Host.renamed(k, from, to, mode)
	}
	return 0, errno
}

// placeToRename is place of an entry, whose name may be too long: that is found
// later. Of a node the directory is 0.
func (k *Kernel) placeToRename(p *Process, dirfd uintptr, name string) (disk.Place, syscall.Errno) {
	at, n, errno := k.place(p, dirfd, name, disk.NoFollow)
	if n != nil {
		return disk.Place{}, 0
	}
	if errno == syscall.ENAMETOOLONG && at.Dir != 0 {
		errno = 0
	}
	return at, errno
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
	case len(from.Name) > disk.MaxName:
		return syscall.ENAMETOOLONG
	case from.Ino == 0:
		return syscall.ENOENT
	case len(to.Name) > disk.MaxName:
		return syscall.ENAMETOOLONG
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
