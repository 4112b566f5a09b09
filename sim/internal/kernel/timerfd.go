package kernel

import (
	"encoding/binary"
	"math"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_TIMERFD_CREATE:  sysTimerfdCreate,
		unix.SYS_TIMERFD_SETTIME: sysTimerfdSettime,
		unix.SYS_TIMERFD_GETTIME: sysTimerfdGettime,
	})
}

// timerCounter is the object of a timerfd: it counts how often its timer expired. A
// timer with an interval is started again when somebody looks.
type timerCounter struct {
	waitQueue
	host     *Host
	clock    uintptr
	expires  int64 // by the clock; 0 if it was never set
	interval int64
	ticks    uint64 // that were not read
	expired  bool   // and is not started again
	event    timer
}

func sysTimerfdCreate(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	clock, flags := uintptr(uint32(c.Args[0])), int(int32(c.Args[1]))
	if flags&^(unix.TFD_NONBLOCK|unix.TFD_CLOEXEC) != 0 {
		return 0, syscall.EINVAL
	}
	switch clock {
	case unix.CLOCK_REALTIME, unix.CLOCK_REALTIME_ALARM, unix.CLOCK_MONOTONIC, unix.CLOCK_BOOTTIME, unix.CLOCK_BOOTTIME_ALARM:
		t := &timerCounter{host: c.proc.Host, clock: clock, event: timer{index: -1}}
		return k.newDescriptor(c.proc, t, syscall.O_RDWR, flags)
	}
	return 0, syscall.EINVAL
}

// timerOf returns the timer of a call's first argument.
func (c *Call) timerOf() (*timerCounter, syscall.Errno) {
	d, errno := c.descriptor(c.Args[0])
	if errno != 0 {
		return nil, errno
	}
	t, ok := d.obj.(*timerCounter)
	if !ok {
		return nil, syscall.EINVAL
	}
	return t, 0
}

func sysTimerfdSettime(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags, set := int(int32(c.Args[1])), *at[unix.ItimerSpec](c.Args[2])
	value, interval := syscall.Timespec(set.Value), syscall.Timespec(set.Interval)
	if flags&^(unix.TFD_TIMER_ABSTIME|unix.TFD_TIMER_CANCEL_ON_SET) != 0 || !validTime(value) || !validTime(interval) {
		return 0, syscall.EINVAL
	}
	t, errno := c.timerOf()
	if errno != 0 {
		return 0, errno
	}
	if c.Args[3] != 0 {
		t.forward(k)
		*at[unix.ItimerSpec](c.Args[3]) = t.left(k)
	}
	k.stop(&t.event)
	t.ticks, t.expired, t.interval = 0, false, nanoseconds(interval)
	t.set(k, nanoseconds(value), flags)
	return 0, 0
}

// set starts the timer, or stops it for good if ns is 0. One of an alarm clock goes on
// to tell what was left of it, as on Linux.
func (t *timerCounter) set(k *Kernel, ns int64, flags int) {
	switch {
	case ns > 0 && flags&unix.TFD_TIMER_ABSTIME != 0:
		t.expires = ns
	case ns > 0:
		t.expires = ns + min(t.now(k), math.MaxInt64-ns)
	case t.clock != unix.CLOCK_REALTIME_ALARM && t.clock != unix.CLOCK_BOOTTIME_ALARM:
		t.expires = 0
	}
	if ns > 0 {
		t.start(k)
	}
}

func sysTimerfdGettime(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	t, errno := c.timerOf()
	if errno != 0 {
		return 0, errno
	}
	if n := t.forward(k); n > 0 {
		t.ticks += n - 1
		t.expired = false
		t.start(k)
	}
	*at[unix.ItimerSpec](c.Args[1]) = t.left(k)
	return 0, 0
}

func (t *timerCounter) now(k *Kernel) int64 {
	if t.clock == unix.CLOCK_REALTIME || t.clock == unix.CLOCK_REALTIME_ALARM {
		return t.host.Wall(k.now)
	}
	return t.host.Mono(k.now)
}

// start has the timer expire when its time comes: at once if it has. Clocks drift, and
// a wall clock may be set back: so it is looked at again.
func (t *timerCounter) start(k *Kernel) {
	left := t.expires - t.now(k)
	switch {
	case left <= 0:
		t.expired = true
		t.ticks++
		t.wake(k, unix.POLLIN)
	default:
		k.after(time.Duration(left), func() { t.start(k) }, &t.event)
	}
}

// forward moves the time of a timer that expired on to its next, and returns by how
// many intervals; 0 if it has none, or has not expired.
func (t *timerCounter) forward(k *Kernel) uint64 {
	if !t.expired || t.interval == 0 {
		return 0
	}
	n := max(t.now(k)-t.expires, 0)/t.interval + 1
	t.expires += n * t.interval
	return uint64(n)
}

// left is what timerfd_gettime answers.
func (t *timerCounter) left(k *Kernel) unix.ItimerSpec {
	return unix.ItimerSpec{
		Interval: unix.NsecToTimespec(t.interval),
		Value:    unix.NsecToTimespec(max(t.expires-t.now(k), 0)),
	}
}

func (t *timerCounter) read(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(b) < 8 {
		return 0, syscall.EINVAL
	}
	if t.ticks == 0 {
		return 0, syscall.EAGAIN
	}
	n, again := t.ticks, t.forward(k)
	t.ticks, t.expired = 0, false
	if again > 0 {
		n += again - 1
		t.start(k)
	}
	binary.NativeEndian.PutUint64(b, n)
	return 8, 0
}

func (*timerCounter) write(*Kernel, *description, []byte) (int, syscall.Errno) {
	return 0, syscall.EINVAL
}

// events has not the bits of bands, as on Linux.
func (t *timerCounter) events(*Kernel) events {
	if t.ticks > 0 {
		return unix.POLLIN
	}
	return 0
}

func (*timerCounter) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno { return k.statAnonymous(st) }
func (*timerCounter) link() string                                     { return "anon_inode:[timerfd]" }
func (t *timerCounter) close(k *Kernel)                                { k.stop(&t.event) }
