package net

import (
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

const start = int64(946684800e9)

func newNet(cfg Config, seed uint64, hosts ...string) *Network {
	n := New(cfg, choice.New(seed))
	for i, name := range hosts {
		n.AddHost(name, netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}))
	}
	n.Advance(start)
	return n
}

func addr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// settle runs all that happens within d.
func settle(n *Network, d time.Duration) {
	n.Advance(n.now + int64(d))
}

func ok(t testing.TB, errno syscall.Errno) {
	t.Helper()
	if errno != 0 {
		t.Fatalf("got errno %v, want none", errno)
	}
}

func want(t testing.TB, errno, wanted syscall.Errno) {
	t.Helper()
	if errno != wanted {
		t.Fatalf("got errno %d (%v), want %d (%v)", errno, errno, wanted, wanted)
	}
}

func listen(t testing.TB, n *Network, h HostID, at string) *Socket {
	t.Helper()
	l := n.Socket(h, TCP, IPv4)
	o := l.Options()
	o.ReuseAddr = true
	l.SetOptions(o)
	ok(t, l.Bind(addr(at)))
	ok(t, l.Listen(128))
	return l
}

// pair returns a connection from host 0 to host 1: its two ends and the listener.
func pair(t testing.TB, n *Network) (c, s, l *Socket) {
	t.Helper()
	l = listen(t, n, 1, "0.0.0.0:80")
	c = n.Socket(0, TCP, IPv4)
	want(t, c.Connect(addr("10.0.0.2:80")), syscall.EINPROGRESS)
	settle(n, time.Second)
	ok(t, c.Err())
	s, errno := l.Accept()
	ok(t, errno)
	return c, s, l
}

func send(t testing.TB, s *Socket, text string) {
	t.Helper()
	k, errno := s.Send([]byte(text))
	ok(t, errno)
	if k != len(text) {
		t.Fatalf("sent %d bytes, want %d", k, len(text))
	}
}

func recv(t testing.TB, s *Socket, text string) {
	t.Helper()
	b := make([]byte, 1<<16)
	k, errno := s.Recv(b)
	ok(t, errno)
	if string(b[:k]) != text {
		t.Fatalf("got %q, want %q", b[:k], text)
	}
}

func recvErr(t testing.TB, s *Socket, errno syscall.Errno) {
	t.Helper()
	k, e := s.Recv(make([]byte, 10))
	want(t, e, errno)
	if k != 0 {
		t.Fatalf("got %d bytes, want none", k)
	}
}

// watcher counts what it is told.
type watcher struct {
	calls int
	rose  Ready
	then  func(*Socket, Ready)
}

func (w *watcher) SocketReady(s *Socket, r Ready) {
	w.calls++
	w.rose |= r
	if w.then != nil {
		w.then(s, r)
	}
}
