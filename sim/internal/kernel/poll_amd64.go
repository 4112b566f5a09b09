package kernel

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Calls that newer architectures have no numbers for.
func init() {
	register(map[uintptr]handler{
		unix.SYS_POLL: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.poll(c, milliseconds(c.Args[2]))
		},
		unix.SYS_SELECT: sysSelect,
		unix.SYS_PIPE: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysPipe2, c.Args[0], 0)
		},
		unix.SYS_EVENTFD: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			return k.with(c, sysEventfd2, c.Args[0], 0)
		},
		unix.SYS_EPOLL_CREATE: func(k *Kernel, c *Call) (uintptr, syscall.Errno) {
			if int32(c.Args[0]) <= 0 {
				return 0, syscall.EINVAL
			}
			return k.with(c, sysEpollCreate1, 0)
		},
		unix.SYS_EPOLL_WAIT: sysEpollPwait,
	})
}

func sysSelect(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	limit := time.Duration(-1)
	if c.Args[4] != 0 {
		t := *at[syscall.Timeval](c.Args[4])
		const us = int64(time.Second / time.Microsecond)
		sum := syscall.Timespec{Sec: t.Sec + t.Usec/us, Nsec: t.Usec % us * int64(time.Microsecond)}
		if t.Sec < 0 || !validTime(sum) {
			return 0, syscall.EINVAL
		}
		limit = time.Duration(nanoseconds(sum))
	}
	return k.selectCall(c, limit)
}
