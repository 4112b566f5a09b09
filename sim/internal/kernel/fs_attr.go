package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_FSTAT:      sysFstat,
		unix.SYS_NEWFSTATAT: sysNewfstatat,
		unix.SYS_STATX:      sysStatx,
		unix.SYS_FACCESSAT:  sysFaccessat,
		unix.SYS_FACCESSAT2: sysFaccessat,
		unix.SYS_FCHMOD:     sysFchmod,
		unix.SYS_FCHMODAT:   sysFchmodat,
		unix.SYS_FCHMODAT2:  sysFchmodat2,
		unix.SYS_FCHOWN:     sysFchown,
		unix.SYS_FCHOWNAT:   sysFchownat,
		unix.SYS_UTIMENSAT:  sysUtimensat,
	})
}

func sysFstat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil {
		return 0, syscall.EBADF
	}
	return 0, d.obj.stat(k, at[syscall.Stat_t](c.Args[1]))
}

func sysNewfstatat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	const known = unix.AT_SYMLINK_NOFOLLOW | unix.AT_EMPTY_PATH | unix.AT_NO_AUTOMOUNT
	if int(c.Args[3])&^known != 0 {
		return 0, syscall.EINVAL
	}
	t, errno := k.resolve(c.proc, c.Args[0], stringAt(c.Args[1]), int(c.Args[3]))
	if errno == 0 {
		_, errno = t.stat(k, at[syscall.Stat_t](c.Args[2]))
	}
	return 0, errno
}

func sysStatx(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	const known = unix.AT_SYMLINK_NOFOLLOW | unix.AT_EMPTY_PATH | unix.AT_NO_AUTOMOUNT | unix.AT_STATX_FORCE_SYNC | unix.AT_STATX_DONT_SYNC
	const (
		sync     = unix.AT_STATX_FORCE_SYNC | unix.AT_STATX_DONT_SYNC
		reserved = 1 << 31
	)
	if int(c.Args[2])&^known != 0 || c.Args[2]&sync == sync || c.Args[3]&reserved != 0 {
		return 0, syscall.EINVAL
	}
	t, errno := k.resolve(c.proc, c.Args[0], stringAt(c.Args[1]), int(c.Args[2]))
	if errno != 0 {
		return 0, errno
	}
	var st syscall.Stat_t
	birth, errno := t.stat(k, &st)
	if errno != 0 {
		return 0, errno
	}
	x := at[unix.Statx_t](c.Args[4])
	statx(&st, birth, x)
	if c.Args[3]&unix.STATX_DIOALIGN != 0 && t.onDisk() && st.Mode&syscall.S_IFMT == syscall.S_IFREG {
		x.Mask |= unix.STATX_DIOALIGN
		x.Dio_mem_align, x.Dio_offset_align = directAlign, directAlign
	}
	return 0, 0
}

// sysFaccessat answers as to root, who may do everything but run what nobody may.
func sysFaccessat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	const (
		known   = unix.AT_SYMLINK_NOFOLLOW | unix.AT_EMPTY_PATH | unix.AT_EACCESS
		execute = 1
	)
	flags := 0
	if c.Nr == unix.SYS_FACCESSAT2 {
		flags = int(c.Args[3])
	}
	if c.Args[2]&^7 != 0 || flags&^known != 0 {
		return 0, syscall.EINVAL
	}
	t, errno := k.resolve(c.proc, c.Args[0], stringAt(c.Args[1]), flags)
	if errno != 0 {
		return 0, errno
	}
	var st syscall.Stat_t
	if _, errno := t.stat(k, &st); errno != 0 {
		return 0, errno
	}
	if c.Args[2]&execute != 0 && st.Mode&syscall.S_IFMT != syscall.S_IFDIR && st.Mode&0o111 == 0 {
		return 0, syscall.EACCES
	}
	return 0, 0
}

// opened returns what a descriptor of a call's first argument leads to, if it is
// more than a path.
func (c *Call) opened() (target, syscall.Errno) {
	if d := c.proc.fd(c.Args[0]); d == nil || d.flags&unix.O_PATH != 0 {
		return target{}, syscall.EBADF
	}
	return c.proc.target(c.Args[0])
}

func (t target) chmod(k *Kernel, mode uintptr) syscall.Errno {
	if t.onDisk() {
		t.host.Disk.Chmod(t.ino, uint32(mode), t.host.Wall(k.now))
		k.changed(t, unix.IN_ATTRIB)
	}
	return 0
}

func sysFchmod(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := c.opened()
	if errno != 0 {
		return 0, errno
	}
	return 0, t.chmod(k, c.Args[1])
}

func sysFchmodat(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.chmod(c, 0) }

func sysFchmodat2(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.chmod(c, int(c.Args[3])) }

func (k *Kernel) chmod(c *Call, flags int) (uintptr, syscall.Errno) {
	if flags&^(unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH) != 0 {
		return 0, syscall.EINVAL
	}
	t, errno := k.resolve(c.proc, c.Args[0], stringAt(c.Args[1]), flags)
	if errno != 0 {
		return 0, errno
	}
	if t.onDisk() && t.host.Disk.Stat(t.ino).Kind == disk.Symlink {
		return 0, syscall.EOPNOTSUPP
	}
	return 0, t.chmod(k, c.Args[2])
}

// chown sets owner and group; all ones leave one as it is. As chown(2) does, it
// clears set-id bits of what can be run.
func (t target) chown(k *Kernel, uid, gid uintptr) syscall.Errno {
	if !t.onDisk() {
		return 0
	}
	s, now := t.host.Disk.Stat(t.ino), t.host.Wall(k.now)
	if uint32(uid) != ^uint32(0) {
		s.UID = uint32(uid)
	}
	if uint32(gid) != ^uint32(0) {
		s.GID = uint32(gid)
	}
	t.host.Disk.Chown(t.ino, s.UID, s.GID, now)
	mode := s.Mode
	if s.Kind != disk.Directory {
		mode &^= syscall.S_ISUID
		if s.Mode&0o010 != 0 {
			mode &^= syscall.S_ISGID
		}
	}
	if mode != s.Mode {
		t.host.Disk.Chmod(t.ino, mode, now)
	}
	if mode != s.Mode || uint32(uid)&uint32(gid) != ^uint32(0) {
		k.changed(t, unix.IN_ATTRIB)
	}
	return 0
}

func sysFchown(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := c.opened()
	if errno != 0 {
		return 0, errno
	}
	return 0, t.chown(k, c.Args[1], c.Args[2])
}

func sysFchownat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags := int(c.Args[4])
	if flags&^(unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH) != 0 {
		return 0, syscall.EINVAL
	}
	t, errno := k.resolve(c.proc, c.Args[0], stringAt(c.Args[1]), flags)
	if errno != 0 {
		return 0, errno
	}
	return 0, t.chown(k, c.Args[2], c.Args[3])
}

func sysUtimensat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	times := [2]syscall.Timespec{{Nsec: unix.UTIME_NOW}, {Nsec: unix.UTIME_NOW}}
	if c.Args[2] != 0 {
		times = *at[[2]syscall.Timespec](c.Args[2])
	}
	if times[0].Nsec == unix.UTIME_OMIT && times[1].Nsec == unix.UTIME_OMIT {
		return 0, 0
	}
	flags := int(c.Args[3])
	if flags&^(unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH) != 0 {
		return 0, syscall.EINVAL
	}
	var (
		t     target
		errno syscall.Errno
	)
	if c.Args[1] == 0 { // futimens
		t, errno = c.opened()
	} else {
		t, errno = k.resolve(c.proc, c.Args[0], stringAt(c.Args[1]), flags)
	}
	if errno != 0 {
		return 0, errno
	}
	for _, t := range times {
		if t.Nsec != unix.UTIME_NOW && t.Nsec != unix.UTIME_OMIT && (t.Nsec < 0 || t.Nsec >= 1e9) {
			return 0, syscall.EINVAL
		}
	}
	if !t.onDisk() {
		return 0, 0
	}
	s, now := t.host.Disk.Stat(t.ino), t.host.Wall(k.now)
	t.chtimes(timeOr(times[0], now, s.Access), timeOr(times[1], now, s.Modify), now)
	event := uint32(unix.IN_ATTRIB)
	if times[0].Nsec == unix.UTIME_OMIT {
		event = unix.IN_MODIFY
	} else if times[1].Nsec == unix.UTIME_OMIT {
		event = unix.IN_ACCESS
	}
	k.changed(t, event)
	return 0, 0
}

func timeOr(t syscall.Timespec, now, old int64) int64 {
	switch t.Nsec {
	case unix.UTIME_NOW:
		return now
	case unix.UTIME_OMIT:
		return old
	}
	return t.Nano()
}
