package kernel

import (
	"math"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_CLOCK_GETTIME:   sysClockGettime,
		unix.SYS_CLOCK_GETRES:    sysClockGetres,
		unix.SYS_CLOCK_NANOSLEEP: sysClockNanosleep,
		unix.SYS_NANOSLEEP:       sysNanosleep,
		unix.SYS_GETTIMEOFDAY:    sysGettimeofday,
		unix.SYS_SETTIMEOFDAY:    fail(syscall.EPERM),
		unix.SYS_CLOCK_SETTIME:   fail(syscall.EPERM),
		unix.SYS_ADJTIMEX:        fail(syscall.EPERM),
		unix.SYS_TIMES:           sysTimes,
		unix.SYS_GETRUSAGE:       sysGetrusage,
	})
}

// clock returns what a clock shows to a process. The clocks of processor time
// stand still: a simulated process takes none.
func (k *Kernel) clock(p *Process, id uintptr) (ns int64, errno syscall.Errno) {
	switch id {
	case unix.CLOCK_REALTIME, unix.CLOCK_REALTIME_COARSE, unix.CLOCK_TAI, unix.CLOCK_REALTIME_ALARM:
		return p.Host.Wall(k.now), 0
	case unix.CLOCK_MONOTONIC, unix.CLOCK_MONOTONIC_COARSE, unix.CLOCK_MONOTONIC_RAW, unix.CLOCK_BOOTTIME, unix.CLOCK_BOOTTIME_ALARM:
		return p.Host.Mono(k.now), 0
	case unix.CLOCK_PROCESS_CPUTIME_ID, unix.CLOCK_THREAD_CPUTIME_ID:
		return 0, 0
	}
	return 0, syscall.EINVAL
}

func sysClockGettime(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	ns, errno := k.clock(c.proc, c.Args[0])
	if errno == 0 {
		*at[syscall.Timespec](c.Args[1]) = syscall.NsecToTimespec(ns)
	}
	return 0, errno
}

func sysClockGetres(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	_, errno := k.clock(c.proc, c.Args[0])
	if errno == 0 && c.Args[1] != 0 {
		*at[syscall.Timespec](c.Args[1]) = syscall.Timespec{Nsec: 1}
	}
	return 0, errno
}

func sysGettimeofday(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[0] != 0 {
		const us = int64(time.Microsecond)
		*at[syscall.Timeval](c.Args[0]) = syscall.NsecToTimeval(c.proc.Host.Wall(k.now) / us * us) // it rounds up
	}
	if c.Args[1] != 0 {
		*at[[2]int32](c.Args[1]) = [2]int32{}
	}
	return 0, 0
}

// sysTime answers the seconds since 1970, for architectures that have the call.
func sysTime(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	s := c.proc.Host.Wall(k.now) / int64(time.Second)
	if c.Args[0] != 0 {
		*at[int64](c.Args[0]) = s
	}
	return uintptr(s), 0
}

func validTime(t syscall.Timespec) bool { return t.Sec >= 0 && t.Nsec >= 0 && t.Nsec < 1e9 }

// nanoseconds is a time, or as much as there is if it is too long.
func nanoseconds(t syscall.Timespec) int64 {
	if t.Sec >= math.MaxInt64/int64(time.Second) {
		return math.MaxInt64
	}
	return t.Nano()
}

func sysNanosleep(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t := *at[syscall.Timespec](c.Args[0])
	if !validTime(t) {
		return 0, syscall.EINVAL
	}
	return k.sleep(c, nanoseconds(t))
}

func sysClockNanosleep(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	now, errno := k.clock(c.proc, c.Args[0])
	t := *at[syscall.Timespec](c.Args[2])
	if errno != 0 || !validTime(t) {
		return 0, syscall.EINVAL
	}
	ns := nanoseconds(t)
	if c.Args[1]&unix.TIMER_ABSTIME != 0 {
		ns -= now
	}
	return k.sleep(c, ns)
}

func (k *Kernel) sleep(c *Call, ns int64) (uintptr, syscall.Errno) {
	return k.later(c, time.Duration(ns), func() (uintptr, syscall.Errno) { return 0, 0 })
}

// ticks is how many clock ticks Linux counts a second.
const ticks = 100

func sysTimes(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[0] != 0 {
		*at[syscall.Tms](c.Args[0]) = syscall.Tms{}
	}
	return uintptr(c.proc.Host.Mono(k.now) / (int64(time.Second) / ticks)), 0
}

func sysGetrusage(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	*at[syscall.Rusage](c.Args[1]) = syscall.Rusage{}
	return 0, 0
}
