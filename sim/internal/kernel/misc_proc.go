package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_GETPID:     sysGetpid,
		unix.SYS_GETTID:     sysGetpid,
		unix.SYS_GETPPID:    constant(1),
		unix.SYS_GETPGID:    sysGetpid,
		unix.SYS_GETSID:     sysGetpid,
		unix.SYS_SETPGID:    constant(0),
		unix.SYS_SETSID:     sysGetpid,
		unix.SYS_GETUID:     constant(0),
		unix.SYS_GETEUID:    constant(0),
		unix.SYS_GETGID:     constant(0),
		unix.SYS_GETEGID:    constant(0),
		unix.SYS_GETGROUPS:  constant(0),
		unix.SYS_GETRESUID:  sysGetresid,
		unix.SYS_GETRESGID:  sysGetresid,
		unix.SYS_SETUID:     staysRoot(1),
		unix.SYS_SETGID:     staysRoot(1),
		unix.SYS_SETREUID:   staysRoot(2),
		unix.SYS_SETREGID:   staysRoot(2),
		unix.SYS_SETRESUID:  staysRoot(3),
		unix.SYS_SETRESGID:  staysRoot(3),
		unix.SYS_SETFSUID:   constant(0),
		unix.SYS_SETFSGID:   constant(0),
		unix.SYS_SETGROUPS:  staysRoot(1), // of any number but none
		unix.SYS_CHROOT:     fail(syscall.EPERM),
		unix.SYS_MOUNT:      fail(syscall.EPERM),
		unix.SYS_UMOUNT2:    fail(syscall.EPERM),
		unix.SYS_PTRACE:     fail(syscall.EPERM),
		unix.SYS_KILL:       sysKill,
		unix.SYS_TKILL:      sysKill,
		unix.SYS_TGKILL:     sysTgkill,
		sysSignalCall:       sysSignal,
		unix.SYS_EXIT:       sysExit,
		unix.SYS_EXIT_GROUP: sysExit,
		unix.SYS_WAIT4:      fail(syscall.ECHILD),
		unix.SYS_WAITID:     fail(syscall.ECHILD),
		unix.SYS_EXECVE:     refuse(syscall.EPERM),
		unix.SYS_EXECVEAT:   refuse(syscall.EPERM),
		unix.SYS_CLONE:      refuse(syscall.EAGAIN),
		unix.SYS_CLONE3:     refuse(syscall.EAGAIN),
	})
}

// refuse answers an error to what the simulation does not do, and tells of it.
func refuse(errno syscall.Errno) handler {
	return func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
		k.refused(c)
		return 0, errno
	}
}

// staysRoot answers calls whose first n arguments set users or groups of a process:
// it is root, and stays so.
func staysRoot(n int) handler {
	return func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
		for _, id := range c.Args[:n] {
			if uint32(id) != 0 && int32(id) != -1 {
				k.refused(c)
				return 0, syscall.EPERM
			}
		}
		return 0, 0
	}
}

func sysGetresid(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	for _, p := range c.Args[:3] {
		*at[uint32](p) = 0
	}
	return 0, 0
}

func sysGetpid(_ *Kernel, c *Call) (uintptr, syscall.Errno) { return uintptr(c.proc.PID), 0 }

// byPID returns a process of a host, or nil.
func (k *Kernel) byPID(h *Host, pid int) *Process {
	for _, p := range k.procs {
		if p != nil && p.Host == h && p.PID == pid {
			return p
		}
	}
	return nil
}

// signalMost is the highest signal.
const signalMost = 64

// signal sends a signal within a host; 0 only asks whether the process is there.
func (k *Kernel) signal(from *Process, pid int, sig uintptr) (uintptr, syscall.Errno) {
	if sig > signalMost {
		return 0, syscall.EINVAL
	}
	if pid == 0 || pid == -from.PID {
		pid = from.PID // a group is one process
	}
	to := k.byPID(from.Host, pid)
	if to == nil {
		return 0, syscall.ESRCH
	}
	if sig != 0 {
		k.send(to, syscall.Signal(sig))
	}
	if from.dead {
		return 0, pending
	}
	return 0, 0
}

func sysKill(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.signal(c.proc, int(int32(c.Args[0])), c.Args[1])
}

func sysTgkill(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.signal(c.proc, int(int32(c.Args[0])), c.Args[2])
}

// sysExit ends the process of any goroutine that calls it: a thread is none.
func sysExit(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	k.end(c.proc, Ending{Code: int(int32(c.Args[0]))})
	return 0, pending
}

// end ends a process that ended itself or died of a signal, and tells of it.
func (k *Kernel) end(p *Process, e Ending) {
	k.Kill(p)
	if k.Exited != nil {
		k.Exited(p, e)
	}
}
