package kernel

import (
	"encoding/binary"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/choice"
)

// twoMachines are a kernel's two hosts with a process each, at 10.0.0.1 and .2.
func twoMachines(t *testing.T) (m *machineUnderTest, a, b *Process) {
	t.Helper()
	m = &machineUnderTest{t: t, rt: &testRuntime{answers: map[Caller]answer{}, stopped: map[ProcID]bool{}}}
	src := choice.New(1)
	m.k = New(m.rt, src, net.New(net.Config{}, src))
	m.k.Advance(1_000_000_000_000_000_000)
	var ps []*Process
	for i, name := range []string{"a", "b"} {
		m.h = m.k.AddHost(HostConfig{Name: name, Addrs: []netip.Addr{netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)})}})
		ps = append(ps, m.start())
	}
	return m, ps[0], ps[1]
}

// by makes a call of p that is answered at once.
func (m *machineUnderTest) by(p *Process, nr uintptr, args ...any) (uintptr, syscall.Errno) {
	m.t.Helper()
	a, _, done := m.begin(p, nr, args...)
	if !done {
		m.t.Fatalf("system call %d waits", nr)
	}
	return a.r1, a.errno
}

// ok is by, without an error.
func (m *machineUnderTest) ok(p *Process, nr uintptr, args ...any) uintptr {
	m.t.Helper()
	r, errno := m.by(p, nr, args...)
	if errno != 0 {
		m.t.Fatalf("system call %d: %v", nr, errno)
	}
	return r
}

func (m *machineUnderTest) settle() { m.k.Advance(m.k.Now() + int64(time.Second)) }

func inet(last byte, port uint16) []byte {
	b := make([]byte, sizeofInet4)
	binary.NativeEndian.PutUint16(b, syscall.AF_INET)
	binary.BigEndian.PutUint16(b[2:], port)
	copy(b[4:], []byte{10, 0, 0, last})
	return b
}

const stream = syscall.SOCK_STREAM | syscall.SOCK_NONBLOCK

// connected is a listener of b, and both ends of a connection from a to it.
func connected(m *machineUnderTest, a, b *Process) (l, c uintptr) {
	l = m.ok(b, unix.SYS_SOCKET, syscall.AF_INET, stream, 0)
	m.ok(b, unix.SYS_BIND, l, inet(2, 80), sizeofInet4)
	m.ok(b, unix.SYS_LISTEN, l, 5)
	c = m.ok(a, unix.SYS_SOCKET, syscall.AF_INET, stream, 0)
	if _, errno := m.by(a, unix.SYS_CONNECT, c, inet(2, 80), sizeofInet4); errno != syscall.EINPROGRESS {
		m.t.Fatalf("connect: %v", errno)
	}
	return l, c
}

func accept(m *machineUnderTest, b *Process, l uintptr) (s uintptr, from []byte) {
	m.t.Helper()
	from, size := make([]byte, sizeofInet4), []byte{sizeofInet4, 0, 0, 0}
	s = m.ok(b, unix.SYS_ACCEPT4, l, from, size, syscall.SOCK_NONBLOCK)
	return s, from
}

func TestSocketsTalk(t *testing.T) {
	m, a, b := twoMachines(t)
	l, c := connected(m, a, b)
	if _, errno := m.by(b, unix.SYS_ACCEPT4, l, 0, 0, 0); errno != syscall.EAGAIN {
		t.Fatalf("accept of none: %v", errno)
	}
	m.ok(a, sysPollOpen, c, 77)
	m.settle()
	if len(m.rt.polled) != 1 || m.rt.polled[0] != 77 {
		t.Fatalf("polled %v when connected", m.rt.polled)
	}
	s, from := accept(m, b, l)
	if got := from[4:8]; from[0] != syscall.AF_INET || string(got) != "\x0a\x00\x00\x01" {
		t.Fatalf("accepted from % x", from)
	}
	m.ok(a, unix.SYS_WRITE, c, []byte("hello"), 5)
	buf := make([]byte, 10)
	if _, errno := m.by(b, unix.SYS_READ, s, buf, 10); errno != syscall.EAGAIN {
		t.Fatalf("read before it came: %v", errno)
	}
	m.settle()
	waiting := make([]byte, 4)
	m.ok(b, unix.SYS_IOCTL, s, unix.TIOCINQ, waiting)
	if n := m.ok(b, unix.SYS_READ, s, buf, 10); string(buf[:n]) != "hello" || binary.NativeEndian.Uint32(waiting) != 5 {
		t.Fatalf("read %q, %d waited", buf[:n], waiting)
	}
	m.ok(a, unix.SYS_CLOSE, c)
	m.settle()
	if n := m.ok(b, unix.SYS_READ, s, buf, 10); n != 0 {
		t.Fatalf("read %d after the end", n)
	}
}

// A connection that was reset while it waited is accepted with its address all the
// same: Go's listeners end at one without.
func TestAcceptOfAReset(t *testing.T) {
	m, a, b := twoMachines(t)
	l, c := connected(m, a, b)
	m.settle()
	m.ok(a, unix.SYS_SETSOCKOPT, c, unix.SOL_SOCKET, unix.SO_LINGER, []byte{1, 0, 0, 0, 0, 0, 0, 0}, 8)
	m.ok(a, unix.SYS_CLOSE, c)
	m.settle()
	s, from := accept(m, b, l)
	if from[0] != syscall.AF_INET || from[7] != 1 {
		t.Fatalf("accepted from % x", from)
	}
	if _, errno := m.by(b, unix.SYS_READ, s, make([]byte, 1), 1); errno != syscall.ECONNRESET {
		t.Fatalf("read of a reset connection: %v", errno)
	}
}

func TestRefused(t *testing.T) {
	m, a, _ := twoMachines(t)
	c := m.ok(a, unix.SYS_SOCKET, syscall.AF_INET, stream, 0)
	m.by(a, unix.SYS_CONNECT, c, inet(2, 81), sizeofInet4)
	m.settle()
	value, size := make([]byte, 4), []byte{4, 0, 0, 0}
	m.ok(a, unix.SYS_GETSOCKOPT, c, unix.SOL_SOCKET, unix.SO_ERROR, value, size)
	if got := syscall.Errno(binary.NativeEndian.Uint32(value)); got != syscall.ECONNREFUSED {
		t.Fatalf("SO_ERROR is %v", got)
	}
}

// A killed process gives its poll descriptors back, and its peer sees the end.
func TestKilledProcessOfASocket(t *testing.T) {
	m, a, b := twoMachines(t)
	l, c := connected(m, a, b)
	m.settle()
	s, _ := accept(m, b, l)
	m.ok(a, sysPollOpen, c, 77)
	m.k.Kill(a)
	m.settle()
	if len(m.rt.dropped) != 1 || m.rt.dropped[0] != 77 {
		t.Errorf("dropped %v, want 77 once", m.rt.dropped)
	}
	if n := m.ok(b, unix.SYS_READ, s, make([]byte, 1), 1); n != 0 {
		t.Errorf("the peer read %d bytes, want the end", n)
	}
}
