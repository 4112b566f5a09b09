package kernel

import (
	"bytes"
	"encoding/binary"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// iovecs are buffers as a list of them.
func iovecs(parts ...[]byte) []syscall.Iovec {
	list := make([]syscall.Iovec, len(parts))
	for i, p := range parts {
		list[i] = syscall.Iovec{Base: unsafe.SliceData(p), Len: uint64(len(p))}
	}
	return list
}

func header(name []byte, parts ...[]byte) *syscall.Msghdr {
	list := iovecs(parts...)
	return &syscall.Msghdr{
		Name: unsafe.SliceData(name), Namelen: uint32(len(name)), Iov: unsafe.SliceData(list), Iovlen: uint64(len(list)),
	}
}

// bound returns a datagram socket at an address.
func (m *machineUnderTest) bound(kind int, at string) uintptr {
	m.t.Helper()
	fd := m.socket(kind)
	m.must(unix.SYS_BIND, fd, sockaddr(at), 16)
	return fd
}

func TestDatagrams(t *testing.T) {
	a, b := newHosts(t, 1)
	from, to := a.bound(datagram, "0.0.0.0:53"), b.bound(datagram, "0.0.0.0:54")
	b.must(sysPollOpen, to, 4)
	b.rt.reports = nil
	send := func(text string) {
		t.Helper()
		n := a.must(unix.SYS_SENDTO, from, []byte(text), len(text), 0, sockaddr("10.0.0.2:54"), 16)
		if n != uintptr(len(text)) {
			t.Fatalf("sent %d bytes, want %d", n, len(text))
		}
		a.pass(time.Second)
	}
	send("first")
	if !b.rt.woken(4, PollRead) {
		t.Error("a datagram came and was not reported")
	}
	buf, addr, size := make([]byte, 3), make([]byte, 16), []byte{16, 0, 0, 0}
	n := b.must(unix.SYS_RECVFROM, to, buf, 3, syscall.MSG_PEEK|syscall.MSG_TRUNC, addr, size)
	if n != 5 || string(buf) != "fir" || addrText(addr) != "10.0.0.1:53" || size[0] != 16 {
		t.Errorf("a look at a datagram: %d bytes, %q from %s", n, buf, addrText(addr))
	}
	if n := b.must(unix.SYS_RECVFROM, to, buf, 3, 0, 0, 0); n != 3 {
		t.Errorf("a datagram that is cut: %d bytes, want 3", n)
	}
	b.fails(syscall.EAGAIN, unix.SYS_RECVFROM, to, buf, 3, 0, 0, 0)

	// In several buffers.
	one, two, name := make([]byte, 2), make([]byte, 5), make([]byte, 16)
	send("gathered")
	h := header(name, one, two)
	if n := b.must(unix.SYS_RECVMSG, to, unsafe.Pointer(h), 0); n != 7 || string(one)+string(two) != "gathere" ||
		h.Flags != syscall.MSG_TRUNC || addrText(name) != "10.0.0.1:53" {
		t.Errorf("recvmsg: %d bytes, %q %q, flags %#x, from %s", n, one, two, h.Flags, addrText(name))
	}
	out := header(sockaddr("10.0.0.2:54"), []byte("scat"), []byte("tered"))
	a.must(unix.SYS_SENDMSG, from, unsafe.Pointer(out), 0)
	a.pass(time.Second)
	b.recv(to, "scattered")

	// Connected, in one piece.
	a.must(unix.SYS_CONNECT, from, sockaddr("10.0.0.2:54"), 16)
	list := iovecs([]byte("one "), []byte("datagram"))
	a.must(unix.SYS_WRITEV, from, unsafe.Pointer(&list[0]), 2)
	a.pass(time.Second)
	b.recv(to, "one datagram")
	in := iovecs(one, two)
	a.send(from, "scattered")
	a.pass(time.Second)
	if n := b.must(unix.SYS_READV, to, unsafe.Pointer(&in[0]), 2); n != 7 || string(one)+string(two) != "scatter" {
		t.Errorf("readv: %d bytes, %q %q", n, one, two)
	}
	a.must(unix.SYS_CONNECT, from, make([]byte, 16), 16) // AF_UNSPEC
	a.fails(syscall.EDESTADDRREQ, unix.SYS_WRITE, from, []byte("x"), 1)
	a.fails(syscall.EMSGSIZE, unix.SYS_SENDTO, from, make([]byte, 70_000), 70_000, 0, sockaddr("10.0.0.2:54"), 16)
}

func TestBatchesOfDatagrams(t *testing.T) {
	a, b := newHosts(t, 1)
	from, to := a.bound(datagram, "0.0.0.0:53"), b.bound(datagram, "0.0.0.0:54")
	target := sockaddr("10.0.0.2:54")
	out := []batched{{header: *header(target, []byte("a"))}, {header: *header(target, []byte("bb"), []byte("b"))}}
	if n := a.must(unix.SYS_SENDMMSG, from, unsafe.Pointer(&out[0]), 2, 0); n != 2 || out[1].n != 3 {
		t.Errorf("sendmmsg: %d messages, the second of %d bytes, want 2 and 3", n, out[1].n)
	}
	a.pass(time.Second)
	bufs := [3][]byte{make([]byte, 10), make([]byte, 10), make([]byte, 10)}
	var in []batched
	for _, b := range bufs {
		in = append(in, batched{header: *header(make([]byte, 16), b)})
	}
	n := b.must(unix.SYS_RECVMMSG, to, unsafe.Pointer(&in[0]), 3, 0, 0)
	got := []string{string(bufs[0][:in[0].n]), string(bufs[1][:in[1].n])}
	slices.Sort(got) // datagrams overtake each other
	if n != 2 || !slices.Equal(got, []string{"a", "bbb"}) {
		t.Errorf("recvmmsg: %d messages, %q", n, got)
	}
	b.fails(syscall.EAGAIN, unix.SYS_RECVMMSG, to, unsafe.Pointer(&in[0]), 3, 0, 0)

	// A blocking call waits for all, with MSG_WAITFORONE for one.
	b.must(unix.SYS_FCNTL, to, unix.F_SETFL, 0)
	for _, c := range []struct{ flags, sent int }{{0, 3}, {unix.MSG_WAITFORONE, 1}} {
		_, caller, done := b.begin(b.p, unix.SYS_RECVMMSG, to, unsafe.Pointer(&in[0]), 3, c.flags, 0)
		if done {
			t.Fatal("recvmmsg was answered with nothing to receive")
		}
		for range c.sent {
			if _, ok := b.rt.answers[caller]; ok {
				t.Fatal("recvmmsg was answered too early")
			}
			a.must(unix.SYS_SENDTO, from, []byte("x"), 1, 0, target, 16)
			a.pass(time.Second)
		}
		if got := b.rt.answers[caller]; got.r1 != uintptr(c.sent) {
			t.Errorf("recvmmsg with flags %#x is answered by %v, want %d", c.flags, got, c.sent)
		}
	}
}

func TestPairs(t *testing.T) {
	m, _ := newHosts(t, 1)
	fds := new([2]int32)
	pair := func(kind int) (a, b uintptr) {
		t.Helper()
		m.must(unix.SYS_SOCKETPAIR, syscall.AF_UNIX, kind, 0, unsafe.Pointer(fds))
		return uintptr(fds[0]), uintptr(fds[1])
	}
	a, b := pair(nonblocking)
	m.must(sysPollOpen, b, 1)
	m.rt.reports = nil
	m.send(a, "hello")
	if !m.rt.woken(1, PollRead) {
		t.Error("bytes came and were not reported")
	}
	m.recv(b, "hello")
	big := make([]byte, 300_000)
	n := m.must(unix.SYS_WRITE, a, big, len(big))
	m.fails(syscall.EAGAIN, unix.SYS_WRITE, a, big, len(big))
	m.must(sysPollOpen, a, 2)
	if m.rt.woken(2, PollWrite) {
		t.Error("a full end is reported as writable")
	}
	m.must(unix.SYS_READ, b, big, len(big))
	if !m.rt.woken(2, PollWrite) {
		t.Errorf("%d bytes were read, and the writer was not told", n)
	}
	m.send(a, "unread")
	m.must(unix.SYS_CLOSE, b)
	m.fails(syscall.EPIPE, unix.SYS_WRITE, a, []byte("x"), 1)
	m.fails(syscall.ECONNRESET, unix.SYS_READ, a, big, 5)
	m.recv(a, "")
	addr, size := bytes.Repeat([]byte{9}, 16), []byte{16, 0, 0, 0}
	m.must(unix.SYS_GETSOCKNAME, a, addr, size)
	if binary.NativeEndian.Uint16(addr) != syscall.AF_UNIX || size[0] != 2 {
		t.Errorf("the name of an end of a pair is %x, length %d", addr, size[0])
	}
	m.fails(syscall.EPROTONOSUPPORT, unix.SYS_SOCKETPAIR, syscall.AF_UNIX, blocking, 77, unsafe.Pointer(fds))
	m.fails(syscall.EOPNOTSUPP, unix.SYS_SOCKETPAIR, syscall.AF_INET, blocking, 0, unsafe.Pointer(fds))

	// Blocking both ways.
	a, b = pair(blocking)
	_, write, _ := m.begin(m.p, unix.SYS_WRITE, a, big, len(big))
	for left := len(big); left > 0; {
		if _, ok := m.rt.answers[write]; ok && left > bufferUsual {
			t.Fatal("a write was answered before its bytes had room")
		}
		left -= int(m.must(unix.SYS_READ, b, big, 70_000))
	}
	if got := m.rt.answers[write]; got.r1 != uintptr(len(big)) {
		t.Errorf("a write of %d bytes is answered by %v", len(big), got)
	}
	_, read, _ := m.begin(m.p, unix.SYS_READ, b, big, 10)
	m.must(unix.SYS_SHUTDOWN, a, syscall.SHUT_WR)
	if got, ok := m.rt.answers[read]; !ok || got != (answer{}) {
		t.Errorf("a read at the end is answered by %v, %v", got, ok)
	}
}

// repeated counts the allocations of a message of 5 bytes on its way.
func repeated(t *testing.T, a, b *machineUnderTest, send, recv *Call) {
	t.Helper()
	if n := testing.AllocsPerRun(100, func() {
		a.k.Syscall(a.p, send)
		a.pass(10 * time.Millisecond)
		if n, _, _ := b.k.Syscall(b.p, recv); n != 5 {
			t.Fatal("a message was lost")
		}
		a.rt.polled, a.rt.reports = a.rt.polled[:0], a.rt.reports[:0]
	}); n != 0 {
		t.Errorf("a message's way allocates %v times, want 0", n)
	}
}

func TestDatagramsAllocateNothing(t *testing.T) {
	a, b := newHosts(t, 1)
	from, to := a.bound(datagram, "0.0.0.0:53"), b.bound(datagram, "0.0.0.0:54")
	text, target := []byte("hello"), sockaddr("10.0.0.2:54")
	buf, addr, size := make([]byte, 100), make([]byte, 16), []byte{16, 0, 0, 0}
	repeated(t, a, b,
		&Call{Nr: unix.SYS_SENDTO, Args: [6]uintptr{from, word(text), 5, 0, word(target), 16}},
		&Call{Nr: unix.SYS_RECVFROM, Args: [6]uintptr{to, word(buf), 100, 0, word(addr), word(size)}})
}

func TestStreamsAllocateNothing(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	a.must(sysPollOpen, c, 1)
	b.must(sysPollOpen, s, 2)
	text, buf := []byte("hello"), make([]byte, 100)
	repeated(t, a, b,
		&Call{Nr: unix.SYS_WRITE, Args: [6]uintptr{c, word(text), 5}},
		&Call{Nr: unix.SYS_READ, Args: [6]uintptr{s, word(buf), 100}})
}
