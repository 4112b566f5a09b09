package kernel

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_STATFS:  sysStatfs,
		unix.SYS_FSTATFS: sysFstatfs,
	})
}

func sysStatfs(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := k.resolve(c.proc, uintptr(atCwd), stringAt(c.Args[0]), 0)
	if errno != 0 {
		return 0, errno
	}
	t.statfs(c.proc, at[syscall.Statfs_t](c.Args[1]))
	return 0, 0
}

func sysFstatfs(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := c.proc.target(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	t.statfs(c.proc, at[syscall.Statfs_t](c.Args[1]))
	return 0, 0
}

// Numbers of file systems that x/sys/unix does not have, from linux/magic.h.
const pipefsMagic = 0x50495045

// unboundedPages is what a disk without a bound says that it has: 1 TiB.
const unboundedPages = 1 << 40 / disk.PageSize

func (t target) statfs(p *Process, st *syscall.Statfs_t) {
	const validRelatime = 0x20 | 0x1000 // ST_VALID, ST_RELATIME
	*st = syscall.Statfs_t{
		Type: t.filesystem(), Bsize: disk.PageSize, Frsize: disk.PageSize, Namelen: disk.MaxName, Flags: validRelatime,
	}
	if st.Type != unix.EXT4_SUPER_MAGIC {
		return
	}
	u := p.Host.Disk.Usage()
	pages := u.Pages
	if pages == 0 {
		pages = unboundedPages
	}
	free := uint64(max(pages-u.Used, 0))
	st.Blocks, st.Bfree, st.Bavail = uint64(pages), free, free
	st.Files, st.Ffree = 1<<32, 1<<32-uint64(u.Inodes)
}

// filesystem returns the number of the file system that the target is on.
func (t target) filesystem() int64 {
	n := t.node
	switch o := t.obj.(type) {
	case *nodeDir:
		n = o.node
	case *nodeFile:
		n = o.node
	case *charDevice:
		n = o.node
	case *pipeEnd, *stdio:
		return pipefsMagic
	case messenger:
		return unix.SOCKFS_MAGIC
	case nil:
	default:
		return unix.ANON_INODE_FS_MAGIC
	}
	switch {
	case n == nil:
		return unix.EXT4_SUPER_MAGIC
	case strings.HasPrefix(n.path, "/dev"):
		return unix.TMPFS_MAGIC
	case strings.HasPrefix(n.path, "/sys"):
		return unix.SYSFS_MAGIC
	}
	return unix.PROC_SUPER_MAGIC
}
