package kernel

import (
	"math"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A wait that ends after the last time that there is does not end.
func TestLongWaits(t *testing.T) {
	long := []int64{1 << 33, 9_000_000_000, math.MaxInt64/int64(time.Second) - 1, math.MaxInt64 / int64(time.Second), math.MaxInt64}
	for _, sec := range long {
		m := newMachine(t, 1, HostConfig{})
		r, _ := m.pipe(0)
		limit := unsafe.Pointer(&unix.Timespec{Sec: sec, Nsec: 999_999_999})
		fds := unsafe.Pointer(&[]unix.PollFd{{Fd: int32(r), Events: unix.POLLIN}}[0])
		for name, args := range map[string][]any{
			"nanosleep":       {unix.SYS_NANOSLEEP, limit, 0},
			"clock_nanosleep": {unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, 0, limit, 0},
			"ppoll":           {unix.SYS_PPOLL, fds, 1, limit, 0},
			"pselect6":        {unix.SYS_PSELECT6, 0, 0, 0, 0, limit, 0},
		} {
			a, caller, done := m.begin(m.p, uintptr(args[0].(int)), args[1:]...)
			if done {
				t.Errorf("%s of %d s is answered %v at once", name, sec, a)
			}
			m.pass(time.Hour)
			if a, ok := m.rt.answers[caller]; ok {
				t.Errorf("%s of %d s is answered %v within an hour", name, sec, a)
			}
		}
		if next := m.k.Next(); next != 0 {
			t.Errorf("waits of %d s: an event is due at %d, want none", sec, next)
		}
	}
}

func TestTimesOfWaits(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	for _, c := range []struct{ sec, nsec int64 }{{-1, 0}, {0, -1}, {0, 1e9}, {math.MaxInt64, 1e9}, {math.MinInt64, 0}} {
		limit := unsafe.Pointer(&unix.Timespec{Sec: c.sec, Nsec: c.nsec})
		for _, args := range [][]any{
			{unix.SYS_NANOSLEEP, limit, 0},
			{unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, 0, limit, 0},
			{unix.SYS_PPOLL, 0, 0, limit, 0},
			{unix.SYS_PSELECT6, 0, 0, 0, 0, limit, 0},
		} {
			if _, errno := m.call(uintptr(args[0].(int)), args[1:]...); errno != syscall.EINVAL {
				t.Errorf("system call %d of %v: %v, want EINVAL", args[0], c, errno)
			}
		}
	}
}

// A timer that never comes can be stopped, and stops no other.
func TestStopOfWhatNeverComes(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	ran := ""
	m.k.After(time.Second, func() { ran += "first" })
	var never timer
	m.k.after(math.MaxInt64, func() { ran += "never" }, &never)
	m.k.stop(&never)
	m.pass(time.Hour)
	if ran != "first" {
		t.Errorf("ran %q, want the first alone", ran)
	}
}
