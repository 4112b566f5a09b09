package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const machine = "x86_64"

// largeFile is the flag that Linux shows of every open file.
const largeFile = 0x8000

func setLinks(st *syscall.Stat_t, n int) { st.Nlink = uint64(n) }

// Calls that newer architectures have no numbers for: they are those with a
// directory, from the working directory.
func init() {
	here := uintptr(atCwd)
	register(map[uintptr]handler{
		unix.SYS_OPEN: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysOpenat, here, c.Args[0], c.Args[1], c.Args[2])
		},
		unix.SYS_CREAT: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysOpenat, here, c.Args[0], syscall.O_CREAT|syscall.O_WRONLY|syscall.O_TRUNC, c.Args[1])
		},
		unix.SYS_STAT: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysNewfstatat, here, c.Args[0], c.Args[1], 0)
		},
		unix.SYS_LSTAT: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysNewfstatat, here, c.Args[0], c.Args[1], unix.AT_SYMLINK_NOFOLLOW)
		},
		unix.SYS_ACCESS: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysFaccessat, here, c.Args[0], c.Args[1])
		},
		unix.SYS_RENAME: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysRenameat2, here, c.Args[0], here, c.Args[1], 0)
		},
		unix.SYS_MKDIR: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysMkdirat, here, c.Args[0], c.Args[1])
		},
		unix.SYS_MKNOD: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysMknodat, here, c.Args[0], c.Args[1], c.Args[2])
		},
		unix.SYS_RMDIR: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysUnlinkat, here, c.Args[0], unix.AT_REMOVEDIR)
		},
		unix.SYS_UNLINK: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysUnlinkat, here, c.Args[0], 0)
		},
		unix.SYS_LINK: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysLinkat, here, c.Args[0], here, c.Args[1], 0)
		},
		unix.SYS_SYMLINK: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysSymlinkat, c.Args[0], here, c.Args[1])
		},
		unix.SYS_READLINK: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysReadlinkat, here, c.Args[0], c.Args[1], c.Args[2])
		},
		unix.SYS_CHMOD: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysFchmodat, here, c.Args[0], c.Args[1])
		},
		unix.SYS_CHOWN: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysFchownat, here, c.Args[0], c.Args[1], c.Args[2], 0)
		},
		unix.SYS_LCHOWN: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysFchownat, here, c.Args[0], c.Args[1], c.Args[2], unix.AT_SYMLINK_NOFOLLOW)
		},
		unix.SYS_UTIMES:    sysUtimes,
		unix.SYS_FUTIMESAT: sysFutimesat,
		unix.SYS_DUP2: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.dup(c, 0)
		},
		unix.SYS_TIME:    sysTime,
		unix.SYS_GETPGRP: constant(firstPID),
		unix.SYS_PAUSE:   sysPause,
		unix.SYS_FORK:    refuse(syscall.EAGAIN),
		unix.SYS_VFORK:   refuse(syscall.EAGAIN),
	})
}

// with makes another call with other arguments.
func (k *Kernel) with(c *Call, h handler, args ...uintptr) (uintptr, syscall.Errno) {
	to := Call{Nr: c.Nr, Caller: c.Caller, proc: c.proc}
	copy(to.Args[:], args)
	return h(k, &to)
}

func sysUtimes(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.utimes(c, uintptr(atCwd), c.Args[0], c.Args[1])
}

func sysFutimesat(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.utimes(c, c.Args[0], c.Args[1], c.Args[2])
}

// utimes sets times in microseconds.
func (k *Kernel) utimes(c *Call, dir, path, times uintptr) (uintptr, syscall.Errno) {
	t, errno := k.resolve(c.proc, dir, stringAt(path), 0)
	if errno != 0 {
		return 0, errno
	}
	now := c.proc.Host.Wall(k.now)
	atime, mtime := now, now
	if times != 0 {
		tv := at[[2]syscall.Timeval](times)
		atime, mtime = tv[0].Nano(), tv[1].Nano()
	}
	t.chtimes(atime, mtime, now)
	k.changed(t, unix.IN_ATTRIB)
	return 0, 0
}
