package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_FSYNC:           sysFsync,
		unix.SYS_FDATASYNC:       sysFsync,
		unix.SYS_SYNC:            sysSync,
		unix.SYS_SYNCFS:          sysSyncfs,
		unix.SYS_SYNC_FILE_RANGE: sysSyncFileRange,
		unix.SYS_TRUNCATE:        sysTruncate,
		unix.SYS_FTRUNCATE:       sysFtruncate,
		unix.SYS_FADVISE64:       sysFadvise,
		unix.SYS_READAHEAD:       sysReadahead,
	})
}

func sysFsync(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	f, ok := d.obj.(*file)
	if !ok {
		return 0, syscall.EINVAL
	}
	return k.laterOn(c, d, f.host.Disk.Delay(disk.OpSync), func() (uintptr, syscall.Errno) {
		return 0, f.host.Disk.Fsync(f.ino)
	})
}

func sysSync(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	h := c.proc.Host
	return k.later(c, h.Disk.Delay(disk.OpSync), func() (uintptr, syscall.Errno) {
		h.Disk.SyncAll()
		return 0, 0
	})
}

func sysSyncfs(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.proc.fd(c.Args[0]) == nil {
		return 0, syscall.EBADF
	}
	h := c.proc.Host
	return k.later(c, h.Disk.Delay(disk.OpSync), func() (uintptr, syscall.Errno) {
		return 0, h.Disk.SyncAll()
	})
}

// sysSyncFileRange starts writing pages back, which promises nothing for a crash:
// neither the size nor the device's cache is written.
func sysSyncFileRange(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	if int64(c.Args[1]) < 0 || int64(c.Args[2]) < 0 || c.Args[3]&^7 != 0 {
		return 0, syscall.EINVAL
	}
	if _, ok := d.obj.(*file); !ok {
		return 0, syscall.ESPIPE
	}
	return 0, 0
}

func sysFadvise(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	if _, ok := d.obj.(*pipeEnd); ok {
		return 0, syscall.ESPIPE
	}
	if int64(c.Args[2]) < 0 || int(int32(c.Args[3])) < unix.FADV_NORMAL || int(int32(c.Args[3])) > unix.FADV_NOREUSE {
		return 0, syscall.EINVAL
	}
	return 0, 0
}

func sysReadahead(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	d, errno := c.open(moveIn, anyOffset)
	if errno != 0 {
		return 0, errno
	}
	if f, ok := d.obj.(*file); !ok || f.kind != disk.File {
		return 0, syscall.EINVAL
	}
	return 0, 0
}

func sysTruncate(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	size := int64(c.Args[1])
	if size < 0 {
		return 0, syscall.EINVAL
	}
	t, errno := k.resolve(c.proc, uintptr(atCwd), stringAt(c.Args[0]), 0)
	if errno != 0 {
		return 0, errno
	}
	if !t.onDisk() {
		return 0, syscall.EINVAL
	}
	switch t.host.Disk.Stat(t.ino).Kind {
	case disk.File:
		return 0, k.truncate(t, size)
	case disk.Directory:
		return 0, syscall.EISDIR
	}
	return 0, syscall.EINVAL
}

// writableFile returns the file of a descriptor that is open for writing.
func (c *Call) writableFile(otherwise syscall.Errno) (*file, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return nil, syscall.EBADF
	}
	f, ok := d.obj.(*file)
	if !ok || f.kind != disk.File || !writes(d.flags) {
		return nil, otherwise
	}
	return f, 0
}

func sysFtruncate(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if int64(c.Args[1]) < 0 {
		return 0, syscall.EINVAL
	}
	f, errno := c.writableFile(syscall.EINVAL)
	if errno != 0 {
		return 0, errno
	}
	return 0, k.truncate(targetOfObject(f), int64(c.Args[1]))
}

func (k *Kernel) truncate(t target, size int64) syscall.Errno {
	errno := t.host.Disk.Truncate(t.ino, size, t.host.Wall(k.now))
	if errno == 0 {
		k.changed(t, unix.IN_MODIFY)
	}
	return errno
}
