package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/choice"
)

// newHosts returns two hosts, n1 and n2, of one kernel, with a process each.
func newHosts(t testing.TB, seed uint64) (a, b *machineUnderTest) {
	t.Helper()
	src := choice.New(seed)
	rt := &testRuntime{answers: map[Caller]answer{}, stopped: map[ProcID]bool{}}
	k := New(rt, src, net.New(net.Config{}, src))
	k.Advance(1_000_000_000_000_000_000)
	host := func(name string, last byte, first Caller) *machineUnderTest {
		m := &machineUnderTest{t: t, rt: rt, k: k, last: first}
		m.h = k.AddHost(HostConfig{Name: name, Addrs: []netip.Addr{netip.AddrFrom4([4]byte{10, 0, 0, last})}})
		m.p = m.start()
		return m
	}
	return host("n1", 1, 0), host("n2", 2, 1<<20)
}

// pass lets d of time pass.
func (m *machineUnderTest) pass(d time.Duration) { m.k.Advance(m.k.Now() + int64(d)) }

func sockaddr(s string) []byte {
	a := netip.MustParseAddrPort(s)
	ip := a.Addr().As4()
	b := make([]byte, sizeofInet4)
	binary.NativeEndian.PutUint16(b, syscall.AF_INET)
	binary.BigEndian.PutUint16(b[2:], a.Port())
	copy(b[4:], ip[:])
	return b
}

// addrText is a sockaddr_in as text.
func addrText(b []byte) string {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:])).String()
}

const (
	blocking    = syscall.SOCK_STREAM
	nonblocking = syscall.SOCK_STREAM | syscall.SOCK_NONBLOCK | syscall.SOCK_CLOEXEC
	datagram    = syscall.SOCK_DGRAM | syscall.SOCK_NONBLOCK
)

func (m *machineUnderTest) socket(kind int) uintptr {
	m.t.Helper()
	return m.must(unix.SYS_SOCKET, syscall.AF_INET, kind, 0)
}

func (m *machineUnderTest) setInt(fd uintptr, level, name, value int) {
	m.t.Helper()
	b := make([]byte, 4)
	binary.NativeEndian.PutUint32(b, uint32(value))
	m.must(unix.SYS_SETSOCKOPT, fd, level, name, b, 4)
}

func (m *machineUnderTest) getInt(fd uintptr, level, name int) int {
	m.t.Helper()
	b, size := make([]byte, 4), []byte{4, 0, 0, 0}
	m.must(unix.SYS_GETSOCKOPT, fd, level, name, b, size)
	return int(int32(binary.NativeEndian.Uint32(b)))
}

func (m *machineUnderTest) listen(kind int, at string) uintptr {
	m.t.Helper()
	fd := m.socket(kind)
	m.setInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
	m.must(unix.SYS_BIND, fd, sockaddr(at), 16)
	m.must(unix.SYS_LISTEN, fd, 128)
	return fd
}

func (m *machineUnderTest) fails(want syscall.Errno, nr uintptr, args ...any) {
	m.t.Helper()
	if _, errno := m.call(nr, args...); errno != want {
		m.t.Fatalf("system call %d: %v, want %v", nr, errno, want)
	}
}

func (m *machineUnderTest) send(fd uintptr, text string) {
	m.t.Helper()
	if n := m.must(unix.SYS_WRITE, fd, []byte(text), len(text)); n != uintptr(len(text)) {
		m.t.Fatalf("wrote %d bytes, want %d", n, len(text))
	}
}

func (m *machineUnderTest) recv(fd uintptr, want string) {
	m.t.Helper()
	b := make([]byte, 1000)
	n := m.must(unix.SYS_READ, fd, b, len(b))
	if got := string(b[:n]); got != want {
		m.t.Fatalf("read %q, want %q", got, want)
	}
}

// joined returns the two ends of a connection from a to b, not blocking.
func joined(t *testing.T, a, b *machineUnderTest) (client, server uintptr) {
	t.Helper()
	l := b.listen(nonblocking, "0.0.0.0:80")
	client = a.socket(nonblocking)
	a.fails(syscall.EINPROGRESS, unix.SYS_CONNECT, client, sockaddr("10.0.0.2:80"), 16)
	a.pass(time.Second)
	server = b.must(unix.SYS_ACCEPT4, l, 0, 0, syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC)
	b.must(unix.SYS_CLOSE, l)
	return client, server
}

func TestConnectionAsGoMakesIt(t *testing.T) {
	a, b := newHosts(t, 1)
	l := b.listen(nonblocking, "0.0.0.0:80")
	b.must(sysPollOpen, l, 1)
	c := a.socket(nonblocking)
	a.fails(syscall.EINPROGRESS, unix.SYS_CONNECT, c, sockaddr("10.0.0.2:80"), 16)
	a.must(sysPollOpen, c, 2)
	if len(a.rt.reports) != 0 {
		t.Fatalf("%v was reported before anything happened", a.rt.reports)
	}
	b.fails(syscall.EAGAIN, unix.SYS_ACCEPT4, l, 0, 0, 0)
	a.pass(time.Second)
	if !a.rt.woken(2, PollWrite) || !a.rt.woken(1, PollRead) {
		t.Fatal("a connection was made and not both ends were told")
	}
	if e := a.getInt(c, unix.SOL_SOCKET, unix.SO_ERROR); e != 0 {
		t.Fatalf("SO_ERROR is %v, want 0", syscall.Errno(e))
	}
	peer, size := make([]byte, 16), []byte{16, 0, 0, 0}
	a.must(unix.SYS_GETPEERNAME, c, peer, size)
	if got := addrText(peer); got != "10.0.0.2:80" {
		t.Errorf("getpeername of the client is %s, want 10.0.0.2:80", got)
	}
	s := b.must(unix.SYS_ACCEPT4, l, peer, size, syscall.SOCK_NONBLOCK)
	local := make([]byte, 16)
	a.must(unix.SYS_GETSOCKNAME, c, local, size)
	if !bytes.Equal(local, peer) || addrText(local) != "10.0.0.1:32768" {
		t.Errorf("accept answers %s, and getsockname %s, want 10.0.0.1:32768", addrText(peer), addrText(local))
	}
	b.must(sysPollOpen, s, 3)
	if !b.rt.woken(3, PollWrite) || b.rt.woken(3, PollRead) {
		t.Error("what a new connection is ready for was not reported at once, or too much")
	}
	b.fails(syscall.EAGAIN, unix.SYS_READ, s, make([]byte, 10), 10)
	a.send(c, "hello")
	a.pass(time.Second)
	if !b.rt.woken(3, PollRead) {
		t.Error("data came and was not reported")
	}
	b.recv(s, "hello")
	b.fails(syscall.EAGAIN, unix.SYS_READ, s, make([]byte, 10), 10)
	a.must(sysPollClose, c, 2)
	a.must(unix.SYS_CLOSE, c)
	b.pass(time.Second)
	if !b.rt.woken(3, PollRead) {
		t.Error("the end came and was not reported")
	}
	b.recv(s, "")
	if a.rt.woken(2, PollRead) || a.rt.woken(2, PollWrite) {
		t.Error("a closed poll descriptor was told of something")
	}
}

func TestBlockingCallsWait(t *testing.T) {
	a, b := newHosts(t, 1)
	l := b.listen(blocking, "10.0.0.2:80")
	_, accept, done := b.begin(b.p, unix.SYS_ACCEPT, l, 0, 0)
	if done {
		t.Fatal("accept was answered without a connection")
	}
	c := a.socket(blocking)
	a.must(unix.SYS_CONNECT, c, sockaddr("10.0.0.2:80"), 16)
	a.pass(time.Second)
	got, ok := b.rt.answers[accept]
	if !ok || got.errno != 0 {
		t.Fatalf("accept is answered by %v, %v", got, ok)
	}
	// Much more than all buffers hold: the write is answered when the last byte
	// has found room.
	sent := make([]byte, 3<<20)
	for i := range sent {
		sent[i] = byte(i * 7)
	}
	_, write, done := a.begin(a.p, unix.SYS_WRITE, c, sent, len(sent))
	if done {
		t.Fatal("a write of 3 MiB was answered at once")
	}
	var received []byte
	buf := make([]byte, 100_000)
	for len(received) < len(sent) {
		n := b.must(unix.SYS_READ, got.r1, buf, len(buf))
		received = append(received, buf[:n]...)
	}
	a.pass(time.Second)
	if w := a.rt.answers[write]; w.r1 != uintptr(len(sent)) || !bytes.Equal(sent, received) {
		t.Errorf("the write answers %v; what was received is what was sent: %v", w, bytes.Equal(sent, received))
	}
	_, read, _ := b.begin(b.p, unix.SYS_READ, got.r1, buf, len(buf))
	a.must(unix.SYS_CLOSE, c)
	a.pass(time.Second)
	if r, ok := b.rt.answers[read]; !ok || r != (answer{}) {
		t.Errorf("a read at the end is answered by %v, %v, want 0", r, ok)
	}
	runtime.KeepAlive(sent)
}

func TestBlockingWritevAndSendmsgGoOnWhereTheyStopped(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	a.must(unix.SYS_FCNTL, c, unix.F_SETFL, 0)
	b.must(unix.SYS_FCNTL, s, unix.F_SETFL, 0)
	parts := [][]byte{make([]byte, 700_001), make([]byte, 13), make([]byte, 900_000)}
	var whole []byte
	for i, p := range parts {
		for j := range p {
			p[j] = byte(i*31 + j*7)
		}
		whole = append(whole, p...)
	}
	list := iovecs(parts...)
	before := slices.Clone(list)
	header := &syscall.Msghdr{Iov: &list[0], Iovlen: uint64(len(list))}
	for _, call := range []struct {
		name string
		nr   uintptr
		args []any
	}{
		{"writev", unix.SYS_WRITEV, []any{c, unsafe.Pointer(&list[0]), len(list)}},
		{"sendmsg", unix.SYS_SENDMSG, []any{c, unsafe.Pointer(header), 0}},
	} {
		_, caller, _ := a.begin(a.p, call.nr, call.args...)
		got := make([]byte, len(whole))
		for n := 0; n < len(got); {
			n += int(b.must(unix.SYS_READ, s, got[n:], len(got)-n))
		}
		a.pass(time.Second)
		if w := a.rt.answers[caller]; w.r1 != uintptr(len(whole)) || !bytes.Equal(got, whole) {
			t.Errorf("%s answers %v, want %d; right bytes: %v", call.name, w, len(whole), bytes.Equal(got, whole))
		}
		if !slices.Equal(list, before) {
			t.Errorf("%s changed the caller's list", call.name)
		}
	}
}

func TestRefusedConnectionWakesBothSides(t *testing.T) {
	a, b := newHosts(t, 1)
	c := a.socket(nonblocking)
	a.fails(syscall.EINPROGRESS, unix.SYS_CONNECT, c, sockaddr("10.0.0.2:80"), 16)
	a.must(sysPollOpen, c, 7)
	a.pass(time.Second)
	if !slices.Contains(a.rt.reports, report{7, PollBoth}) {
		t.Errorf("reported %v, want both sides of 7", a.rt.reports)
	}
	if e := syscall.Errno(a.getInt(c, unix.SOL_SOCKET, unix.SO_ERROR)); e != syscall.ECONNREFUSED {
		t.Errorf("SO_ERROR is %v, want ECONNREFUSED", e)
	}
	a.fails(syscall.ENOTCONN, unix.SYS_GETPEERNAME, c, make([]byte, 16), []byte{16, 0, 0, 0})
	b.fails(syscall.ECONNREFUSED, unix.SYS_CONNECT, b.socket(blocking), sockaddr("10.0.0.1:1"), 16)
	b.fails(syscall.ENETUNREACH, unix.SYS_CONNECT, b.socket(blocking), sockaddr("10.9.9.9:1"), 16)
}

func TestKillEndsConnectionsAndGivesPollsBack(t *testing.T) {
	for _, unread := range []string{"", "never read"} {
		a, b := newHosts(t, 1)
		c, s := joined(t, a, b)
		a.must(sysPollOpen, c, 5)
		b.must(sysPollOpen, s, 6)
		b.must(sysPollOpen, b.must(unix.SYS_DUP, s), 8)
		if unread != "" {
			a.send(c, unread)
			a.pass(time.Second)
		}
		b.rt.reports, b.rt.dropped = nil, nil
		b.k.Kill(b.p)
		if !slices.Equal(b.rt.dropped, []uintptr{6, 8}) {
			t.Errorf("the poll descriptors %v were given back, want 6 and 8", b.rt.dropped)
		}
		b.pass(time.Second)
		if b.rt.woken(6, PollRead) || b.rt.woken(6, PollWrite) || b.rt.woken(8, PollRead) {
			t.Error("the poll descriptor of a dead process was told of something")
		}
		if !a.rt.woken(5, PollRead) {
			t.Error("the peer was not told")
		}
		if unread == "" {
			a.recv(c, "")
		} else {
			a.fails(syscall.ECONNRESET, unix.SYS_READ, c, make([]byte, 5), 5)
		}
	}
}

func TestCrashedHostIsSilent(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	b.must(sysPollOpen, s, 6)
	b.k.CrashHost(b.h)
	a.send(c, "anybody?")
	a.pass(time.Second)
	a.fails(syscall.EAGAIN, unix.SYS_READ, c, make([]byte, 5), 5)
	b.k.RestartHost(b.h)
	a.pass(10 * time.Second)
	a.fails(syscall.ECONNRESET, unix.SYS_READ, c, make([]byte, 5), 5)
	if !slices.Equal(b.rt.dropped, []uintptr{6}) {
		t.Errorf("the poll descriptors %v were given back, want 6", b.rt.dropped)
	}
}

func TestPollDescriptorsOfDuplicates(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	dup := b.must(unix.SYS_DUP, s)
	b.must(sysPollOpen, s, 1)
	b.must(sysPollOpen, dup, 2)
	b.fails(syscall.EEXIST, sysPollOpen, dup, 2)
	b.fails(syscall.EEXIST, sysPollOpen, dup, 3)
	b.rt.reports = nil
	a.send(c, "x")
	a.pass(time.Second)
	if !b.rt.woken(1, PollRead) || !b.rt.woken(2, PollRead) {
		t.Error("not both poll descriptors of a duplicated descriptor were told")
	}
	b.must(sysPollClose, s, 1)
	b.must(unix.SYS_CLOSE, s)
	a.send(c, "y")
	a.pass(time.Second)
	if b.rt.woken(1, PollRead) || !b.rt.woken(2, PollRead) {
		t.Error("after the first was closed, not the second alone was told")
	}
	b.recv(dup, "xy")
	b.fails(syscall.EPERM, sysPollOpen, b.open("/", unix.O_RDONLY), 3)
	b.fails(syscall.EPERM, sysPollOpen, 1, 3)
	b.fails(syscall.EBADF, sysPollOpen, 99, 3)
}

func TestAddressesAreCut(t *testing.T) {
	a, _ := newHosts(t, 1)
	l := a.listen(nonblocking, "127.0.0.1:80")
	b, size := bytes.Repeat([]byte{0xee}, 16), []byte{6, 0, 0, 0}
	a.must(unix.SYS_GETSOCKNAME, l, b, size)
	if !bytes.Equal(b[:6], sockaddr("127.0.0.1:80")[:6]) || b[6] != 0xee || size[0] != 16 {
		t.Errorf("6 bytes of an address are %x, length %d", b, size[0])
	}
	a.fails(syscall.EINVAL, unix.SYS_BIND, a.socket(blocking), sockaddr("127.0.0.1:81"), 15)
	a.fails(syscall.EADDRINUSE, unix.SYS_BIND, a.socket(blocking), sockaddr("127.0.0.1:80"), 16)
	a.fails(syscall.EADDRNOTAVAIL, unix.SYS_BIND, a.socket(blocking), sockaddr("10.0.0.2:81"), 16)
	v6 := sockaddr("127.0.0.1:81")
	v6[0] = syscall.AF_INET6
	a.fails(syscall.EAFNOSUPPORT, unix.SYS_BIND, a.socket(blocking), v6, 16)
}

func TestKindsOfSockets(t *testing.T) {
	a, _ := newHosts(t, 1)
	for _, s := range []struct {
		family, kind, proto int
		want                syscall.Errno
	}{
		{syscall.AF_INET, blocking, 0, 0},
		{syscall.AF_INET, blocking, syscall.IPPROTO_TCP, 0},
		{syscall.AF_INET, datagram, syscall.IPPROTO_UDP, 0},
		{syscall.AF_INET, blocking, 262, syscall.EPROTONOSUPPORT}, // MPTCP
		{syscall.AF_INET6, blocking, 0, 0},
		{syscall.AF_INET6, blocking, 262, syscall.EPROTONOSUPPORT},
		{syscall.AF_UNIX, blocking, 0, 0},
		{syscall.AF_NETLINK, syscall.SOCK_RAW, 0, 0},
		{syscall.AF_NETLINK, syscall.SOCK_STREAM, 0, syscall.ESOCKTNOSUPPORT},
		{unix.AF_VSOCK, blocking, 0, syscall.EAFNOSUPPORT},
		{-1, blocking, 0, syscall.EAFNOSUPPORT},
		{syscall.AF_INET, syscall.SOCK_SEQPACKET, 0, syscall.ESOCKTNOSUPPORT},
	} {
		if _, errno := a.call(unix.SYS_SOCKET, s.family, s.kind, s.proto); errno != s.want {
			t.Errorf("socket(%d, %d, %d): %v, want %v", s.family, s.kind, s.proto, errno, s.want)
		}
	}
	a.fails(syscall.ENOTSOCK, unix.SYS_LISTEN, 1, 5)
	a.fails(syscall.EBADF, unix.SYS_LISTEN, 99, 5)
	a.fails(syscall.EOPNOTSUPP, unix.SYS_ACCEPT, a.socket(datagram), 0, 0)
	a.fails(syscall.EINVAL, unix.SYS_ACCEPT, a.socket(blocking), 0, 0)
	fd := a.socket(nonblocking)
	if a.must(unix.SYS_FCNTL, fd, unix.F_GETFD, 0) != unix.FD_CLOEXEC || a.must(unix.SYS_FCNTL, fd, unix.F_GETFL, 0)&unix.O_NONBLOCK == 0 {
		t.Error("SOCK_CLOEXEC or SOCK_NONBLOCK had no effect")
	}
	b := make([]byte, 100)
	n := a.must(unix.SYS_READLINKAT, atCwd, fmt.Sprintf("/proc/self/fd/%d", fd), b, len(b))
	if got := string(b[:n]); !strings.HasPrefix(got, "socket:[") {
		t.Errorf("the link of a socket in /proc is %q", got)
	}
}

func TestSocketOptions(t *testing.T) {
	a, b := newHosts(t, 1)
	fd := a.socket(nonblocking)
	for _, o := range []struct{ level, name, set, want int }{
		{unix.SOL_SOCKET, unix.SO_REUSEADDR, 5, 1},
		{unix.SOL_SOCKET, unix.SO_REUSEPORT, 1, 1},
		{unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1, 1},
		{unix.SOL_SOCKET, unix.SO_BROADCAST, 1, 1},
		{unix.SOL_SOCKET, unix.SO_RCVBUF, 50_000, 100_000},
		{unix.SOL_SOCKET, unix.SO_SNDBUF, 50_000, 100_000},
		{unix.IPPROTO_TCP, unix.TCP_NODELAY, 1, 1},
		{unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 11, 11},
		{unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 12, 12},
		{unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 13, 13},
		{unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 1400, 1400},
	} {
		a.setInt(fd, o.level, o.name, o.set)
		if got := a.getInt(fd, o.level, o.name); got != o.want {
			t.Errorf("option %d of level %d: set to %d, reads %d, want %d", o.name, o.level, o.set, got, o.want)
		}
	}
	for _, o := range []struct{ name, want int }{
		{unix.SO_TYPE, syscall.SOCK_STREAM}, {unix.SO_DOMAIN, syscall.AF_INET}, {unix.SO_PROTOCOL, syscall.IPPROTO_TCP},
		{unix.SO_ACCEPTCONN, 0}, {unix.SO_ERROR, 0},
	} {
		if got := a.getInt(fd, unix.SOL_SOCKET, o.name); got != o.want {
			t.Errorf("option %d reads %d, want %d", o.name, got, o.want)
		}
	}
	a.fails(syscall.ENOPROTOOPT, unix.SYS_SETSOCKOPT, fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, make([]byte, 4), 4)
	a.fails(syscall.EINVAL, unix.SYS_SETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, make([]byte, 4), 4)
	a.fails(syscall.EINVAL, unix.SYS_SETSOCKOPT, fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE, make([]byte, 4), 3)
	a.fails(syscall.ENOPROTOOPT, unix.SYS_SETSOCKOPT, a.socket(datagram), unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, []byte{1, 0, 0, 0}, 4)

	// SO_LINGER with time 0 resets at close.
	c, s := joined(t, a, b)
	linger, size := make([]byte, 8), []byte{8, 0, 0, 0}
	linger[0] = 1
	a.must(unix.SYS_SETSOCKOPT, c, unix.SOL_SOCKET, unix.SO_LINGER, linger, 8)
	back := make([]byte, 8)
	a.must(unix.SYS_GETSOCKOPT, c, unix.SOL_SOCKET, unix.SO_LINGER, back, size)
	if !bytes.Equal(linger, back) || size[0] != 8 {
		t.Errorf("SO_LINGER reads %x, want %x", back, linger)
	}
	a.must(unix.SYS_CLOSE, c)
	b.pass(time.Second)
	b.fails(syscall.ECONNRESET, unix.SYS_READ, s, make([]byte, 5), 5)
}

func TestShutdown(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	a.send(c, "last words")
	a.must(unix.SYS_SHUTDOWN, c, syscall.SHUT_WR)
	a.fails(syscall.EPIPE, unix.SYS_WRITE, c, []byte("x"), 1)
	b.pass(time.Second)
	b.recv(s, "last words")
	b.recv(s, "")
	b.send(s, "answer")
	a.pass(time.Second)
	if n := make([]byte, 4); a.must(unix.SYS_IOCTL, c, unix.TIOCINQ, n) != 0 || n[0] != 6 {
		t.Errorf("FIONREAD answers %d, want 6", n[0])
	}
	peek := make([]byte, 3)
	a.must(unix.SYS_RECVFROM, c, peek, 3, syscall.MSG_PEEK, 0, 0)
	if string(peek) != "ans" {
		t.Errorf("a look at what came is %q, want ans", peek)
	}
	a.recv(c, "answer")
	a.fails(syscall.EINVAL, unix.SYS_SHUTDOWN, c, 3)
	a.fails(syscall.ENOTCONN, unix.SYS_SHUTDOWN, a.socket(blocking), syscall.SHUT_RD)
}

// A write of many buffers takes what the connection takes of them, and no copy of
// the rest.
func TestLargeVectors(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	want := make([]byte, 3<<20)
	for i := range want {
		want[i] = byte(i >> 9)
	}
	var got []byte
	buf := make([]byte, 1<<18)
	for sent := 0; len(got) < len(want); a.pass(time.Second) {
		rest := want[sent:]
		list := iovecs(rest[:len(rest)/3], rest[len(rest)/3:len(rest)/2], rest[len(rest)/2:])
		if n, errno := a.call(unix.SYS_WRITEV, c, unsafe.Pointer(&list[0]), len(list)); errno == 0 {
			sent += int(n)
		} else if errno != syscall.EAGAIN {
			t.Fatal(errno)
		}
		a.pass(time.Second)
		for {
			n, errno := b.call(unix.SYS_READ, s, buf, len(buf))
			if errno != 0 || n == 0 {
				break
			}
			got = append(got, buf[:n]...)
		}
	}
	if !bytes.Equal(got, want) {
		t.Error("other bytes come out than went in")
	}
	if n := cap(a.k.gathered); n > 2*gatherMost {
		t.Errorf("%d bytes were copied at a time, want about %d", n, gatherMost)
	}
}
