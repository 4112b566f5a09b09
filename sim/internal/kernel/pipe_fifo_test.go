package kernel

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFifosMeet: an open of a fifo waits for one of the other side, and is answered
// even if that has closed again.
func TestFifosMeet(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	other := m.start()
	m.must(unix.SYS_MKNODAT, atCwd, "/fifo", syscall.S_IFIFO|0o600, 0)
	open := func(p *Process, flags int) (answer, Caller, bool) {
		return m.begin(p, unix.SYS_OPENAT, atCwd, "/fifo", flags, 0)
	}
	for _, flags := range [][2]int{{unix.O_RDONLY, unix.O_WRONLY}, {unix.O_WRONLY, unix.O_RDONLY}, {unix.O_RDONLY, unix.O_RDWR}} {
		_, caller, done := open(m.p, flags[0])
		if done {
			t.Fatalf("an open with %d did not wait", flags[0])
		}
		a, _, done := open(other, flags[1])
		if !done || a.errno != 0 {
			t.Fatalf("an open with %d: %v, answered %v", flags[1], a, done)
		}
		m.by(other, unix.SYS_CLOSE, a.r1)
		met := m.rt.answers[caller]
		if met.errno != 0 || met.r1 == 0 {
			t.Fatalf("the open that waited was answered %v", met)
		}
		m.by(m.p, unix.SYS_CLOSE, met.r1)
	}
}

// A process that is killed in an open of a fifo leaves no end of it.
func TestKilledInAnOpenOfAFifo(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	other := m.start()
	m.must(unix.SYS_MKNODAT, atCwd, "/fifo", syscall.S_IFIFO|0o600, 0)
	if _, _, done := m.begin(other, unix.SYS_OPENAT, atCwd, "/fifo", unix.O_RDONLY, 0); done {
		t.Fatal("an open did not wait")
	}
	m.k.Kill(other)
	m.fails(syscall.ENXIO, unix.SYS_OPENAT, atCwd, "/fifo", unix.O_WRONLY|unix.O_NONBLOCK, 0)
	if n := len(m.h.fifos); n != 0 {
		t.Errorf("%d fifos are open, want none", n)
	}
}
