package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{unix.SYS_FALLOCATE: sysFallocate})
}

var allocateModes = map[int]disk.AllocateMode{
	0:                        disk.AllocateGrow,
	unix.FALLOC_FL_KEEP_SIZE: disk.AllocateKeep,
	unix.FALLOC_FL_PUNCH_HOLE | unix.FALLOC_FL_KEEP_SIZE: disk.AllocatePunch,
	unix.FALLOC_FL_ZERO_RANGE:                            disk.AllocateZero,
	unix.FALLOC_FL_ZERO_RANGE | unix.FALLOC_FL_KEEP_SIZE: disk.AllocateZeroIn,
}

// allocateKnown reports whether some file system of Linux knows a mode.
func allocateKnown(mode int) bool {
	switch mode {
	case unix.FALLOC_FL_COLLAPSE_RANGE, unix.FALLOC_FL_INSERT_RANGE,
		unix.FALLOC_FL_UNSHARE_RANGE, unix.FALLOC_FL_UNSHARE_RANGE | unix.FALLOC_FL_KEEP_SIZE:
		return true
	}
	_, ok := allocateModes[mode]
	return ok
}

func sysFallocate(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d, errno := c.descriptor(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	mode, off, n := int(int32(c.Args[1])), int64(c.Args[2]), int64(c.Args[3])
	if off < 0 || n <= 0 {
		return 0, syscall.EINVAL
	}
	if !allocateKnown(mode) {
		return 0, syscall.EOPNOTSUPP
	}
	f, ok := d.obj.(*file)
	_, isPipe := d.obj.(*pipeEnd)
	switch {
	case !writes(d.flags):
		return 0, syscall.EBADF
	case isPipe:
		return 0, syscall.ESPIPE
	case !ok:
		return 0, syscall.ENODEV
	}
	if errno = f.allocate(mode, off, n, f.host.Wall(k.now)); errno == 0 {
		f.tell(k, unix.IN_MODIFY)
	}
	return 0, errno
}

func (f *file) allocate(mode int, off, n, now int64) syscall.Errno {
	switch mode {
	case unix.FALLOC_FL_COLLAPSE_RANGE:
		return f.host.Disk.Collapse(f.ino, off, n, now)
	case unix.FALLOC_FL_INSERT_RANGE:
		return f.host.Disk.Insert(f.ino, off, n, now)
	}
	m, ok := allocateModes[mode]
	if !ok {
		return syscall.EOPNOTSUPP
	}
	return f.host.Disk.Allocate(f.ino, m, off, n, now)
}
