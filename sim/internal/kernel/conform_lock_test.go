package kernel

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// lockCalls are those on locks, none of which waits.
func (tw *twins) lockCalls() map[string]func(*rapid.T) {
	calls := map[string]func(*rapid.T){
		"flock": func(t *rapid.T) {
			how := pick(t, "how", syscall.LOCK_SH, syscall.LOCK_EX, syscall.LOCK_UN, 7)
			tw.try(t, "flock", unix.SYS_FLOCK, tw.lockFd(t), how|syscall.LOCK_NB)
		},
		"lock":  tw.lock,
		"lock2": tw.lock,
		"lock3": tw.lock,
	}
	return calls
}

// lockFd draws a descriptor that may have locks: all of inotify are one inode on Linux.
func (tw *twins) lockFd(t *rapid.T) fdOf {
	f := tw.fd(t)
	if _, ok := tw.object(int(f)).(*inotify); ok {
		return 0
	}
	return f
}

func (tw *twins) lock(t *rapid.T) {
	cmd := pick(t, "cmd", unix.F_SETLK, unix.F_SETLK, unix.F_GETLK, unix.F_OFD_SETLK, unix.F_OFD_GETLK)
	lk := syscall.Flock_t{
		Type:   pick[int16](t, "type", syscall.F_RDLCK, syscall.F_WRLCK, syscall.F_UNLCK, 3),
		Whence: pick[int16](t, "whence", 0, 0, 0, 1, 2, 3),
		Start:  rapid.Int64Range(-5, 20).Draw(t, "start"),
		Len:    rapid.Int64Range(-5, 20).Draw(t, "len"),
	}
	f := tw.lockFd(t)
	// Late Linux answers F_OFD_GETLK of F_UNLCK with a lock of the descriptor's own.
	if cmd == unix.F_OFD_GETLK && lk.Type == syscall.F_UNLCK {
		return
	}
	if o := tw.inode(f); o != nil && o.kind != 0 && lk.Whence == 2 {
		return // sizes of directories are the file system's
	}
	tw.see(t, showLock, "lock", unix.SYS_FCNTL, f, cmd, inOutOf(lk))
}

// showLock shows a lock; all of the processes here have one number on Linux.
func showLock(b [][]byte) string {
	l := as[syscall.Flock_t](b[0])
	l.Pid = min(l.Pid, 1)
	return fmt.Sprintf("%+v", *l)
}
