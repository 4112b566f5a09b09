package net

import (
	"bytes"
	"syscall"
	"testing"
	"time"
)

func TestConnectionTalksAndEnds(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	if c.Conn() == 0 || c.Conn() != s.Conn() {
		t.Fatalf("connection numbers %d and %d, want one", c.Conn(), s.Conn())
	}
	if p, _ := s.PeerAddr(); p != addr("10.0.0.1:32768") || s.LocalAddr() != addr("10.0.0.2:80") {
		t.Fatalf("accepted %v from %v", s.LocalAddr(), p)
	}
	w := &watcher{}
	s.Watch(w)
	recvErr(t, s, syscall.EAGAIN)
	send(t, c, "hello")
	settle(n, time.Second)
	if w.rose != Readable {
		t.Fatalf("watcher was told %v, want readable", w.rose)
	}
	recv(t, s, "hello")
	ok(t, c.Shutdown(Sending))
	settle(n, time.Second)
	recvErr(t, s, 0)
	send(t, s, "half-open still talks")
	settle(n, time.Second)
	recv(t, c, "half-open still talks")
	s.Close()
	settle(n, time.Second)
	recvErr(t, c, 0)
	if _, errno := c.Send([]byte("x")); errno != syscall.EPIPE {
		t.Fatalf("send after shutdown: %v, want EPIPE", errno)
	}
	c.Close()
	if got := n.Conns(0); len(got) != 1 || got[0].State != TimeWait {
		t.Fatalf("initiator has %v, want one in time-wait", got)
	}
	settle(n, 2*time.Minute)
	if got := n.Conns(0); len(got) != 0 {
		t.Fatalf("initiator has %v, want none", got)
	}
	if n.Next() != 0 {
		t.Fatalf("something is due at %d after all has ended", n.Next())
	}
}

func TestSegmentIsTwoEvents(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	sent := 0
	n.Observe = func(e Event) {
		if e.Kind == Sent {
			sent++
		}
	}
	send(t, c, "one")
	settle(n, time.Second)
	recv(t, s, "one")
	settle(n, time.Second)
	if sent != 2 {
		t.Fatalf("%d packets for a segment, want it and its acknowledgement", sent)
	}
}

func TestRefusedResetAndUnreachable(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c := n.Socket(0, TCP, IPv4)
	w := &watcher{}
	c.Watch(w)
	want(t, c.Connect(addr("10.0.0.2:81")), syscall.EINPROGRESS)
	want(t, c.Connect(addr("10.0.0.2:81")), syscall.EALREADY)
	settle(n, time.Second)
	if w.rose&(Writable|Failed) != Writable|Failed {
		t.Fatalf("watcher was told %v, want writable and failed", w.rose)
	}
	want(t, c.Err(), syscall.ECONNREFUSED)
	want(t, c.Err(), 0)
	want(t, n.Socket(0, TCP, IPv4).Connect(addr("8.8.8.8:53")), syscall.ENETUNREACH)

	// What is sent to a socket that was closed is answered with RST.
	c, s, l := pair(t, n)
	ok(t, c.Connect(addr("10.0.0.2:80"))) // its outcome, told once
	want(t, c.Connect(addr("10.0.0.2:80")), syscall.EISCONN)
	s.Close()
	settle(n, time.Second)
	send(t, c, "too late")
	settle(n, time.Second)
	recvErr(t, c, 0)
	want(t, c.Err(), syscall.EPIPE)
	if _, errno := c.Send([]byte("x")); errno != syscall.EPIPE {
		t.Fatalf("send after reset: %v, want EPIPE", errno)
	}
	c.Close()

	// Unread data turns Close into RST.
	c2 := n.Socket(0, TCP, IPv4)
	c2.Connect(addr("10.0.0.2:80"))
	settle(n, time.Second)
	s2, errno := l.Accept()
	ok(t, errno)
	send(t, c2, "unread")
	settle(n, time.Second)
	s2.Close()
	settle(n, time.Second)
	if _, errno := c2.Send([]byte("x")); errno != syscall.ECONNRESET {
		t.Fatalf("send after unread close: %v, want ECONNRESET", errno)
	}
}

func TestTimeouts(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, l := pair(t, n)
	n.Cut(0, 1)
	n.Cut(1, 0)

	// A SYN is sent seven times within 127 s.
	d := n.Socket(0, TCP, IPv4)
	d.Connect(addr("10.0.0.2:80"))
	settle(n, 126*time.Second)
	want(t, d.Err(), 0)
	settle(n, 2*time.Second)
	want(t, d.Err(), syscall.ETIMEDOUT)
	if got := n.Stats(0, 1).DroppedCut; got != 7 {
		t.Fatalf("%d SYNs were cut, want 7", got)
	}

	// Data gives up after about 15 minutes.
	send(t, c, "x")
	settle(n, 14*time.Minute)
	want(t, c.Err(), 0)
	settle(n, 4*time.Minute)
	recvErr(t, c, syscall.ETIMEDOUT)
	c.Close()

	// The other end does not know until it sends.
	recvErr(t, s, syscall.EAGAIN)
	n.Heal(0, 1)
	n.Heal(1, 0)
	send(t, s, "y")
	settle(n, time.Second)
	recvErr(t, s, syscall.ECONNRESET)

	// TCP_USER_TIMEOUT and keepalive are faster.
	for _, keep := range []bool{false, true} {
		c := n.Socket(0, TCP, IPv4)
		o := c.Options()
		if keep {
			o.KeepAlive, o.KeepIdle, o.KeepInterval, o.KeepCount = true, 5*time.Second, time.Second, 3
		} else {
			o.UserTimeout = 8 * time.Second
		}
		c.SetOptions(o)
		c.Connect(addr("10.0.0.2:80"))
		settle(n, time.Second)
		s, errno := l.Accept()
		ok(t, errno)
		settle(n, time.Minute)
		recvErr(t, c, syscall.EAGAIN)
		n.Cut(0, 1)
		if !keep {
			send(t, c, "x")
		}
		settle(n, 2*time.Second)
		recvErr(t, c, syscall.EAGAIN)
		settle(n, 8*time.Second)
		recvErr(t, c, syscall.ETIMEDOUT)
		n.Heal(0, 1)
		s.Abort()
	}
}

func TestUserTimeoutStartsOverWithProgress(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	o := c.Options()
	o.UserTimeout = 10 * time.Second
	c.SetOptions(o)
	n.Cut(0, 1)
	for range 8 {
		send(t, c, "12345678")
	}
	settle(n, 6*time.Second)
	n.Heal(0, 1)
	settle(n, 30*time.Second)
	want(t, c.Err(), 0)
	if s.Buffered() != 64 {
		t.Fatalf("%d bytes arrived, want 64", s.Buffered())
	}
}

func TestFlowControl(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	chunk := bytes.Repeat([]byte("0123456789abcdef"), 1<<10)
	total := 0
	push := func() {
		for {
			k, errno := c.Send(chunk)
			total += k
			if errno == syscall.EAGAIN {
				return
			}
			ok(t, errno)
		}
	}
	for range 10 {
		push()
		settle(n, time.Minute)
	}
	if s.Buffered() > bufferDefault {
		t.Fatalf("receiver holds %d bytes, more than its buffer", s.Buffered())
	}
	if total < 2*bufferDefault*9/10 || total > 2*bufferDefault {
		t.Fatalf("%d bytes were taken, want about both buffers", total)
	}
	w := &watcher{}
	c.Watch(w)
	got := 0
	b := make([]byte, 1000)
	for got < total {
		k, errno := s.Recv(b)
		got += k
		if errno == syscall.EAGAIN {
			settle(n, time.Minute)
			continue
		}
		ok(t, errno)
	}
	if w.rose&Writable == 0 {
		t.Fatal("the sender was not told that it is writable again")
	}
}

func TestLostWindowUpdateIsProbedFor(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	b := make([]byte, 300<<10)
	total := 0
	for i := 0; i < 20; i++ {
		k, _ := c.Send(b)
		total += k
		settle(n, time.Second)
	}
	n.Cut(1, 0)
	got, _ := s.Recv(b) // its window update is lost
	n.Heal(1, 0)
	settle(n, 10*time.Minute)
	if s.Buffered() != total-got {
		t.Fatalf("%d bytes came after the window was open again, want %d", s.Buffered(), total-got)
	}
}

func TestBacklog(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	l := n.Socket(1, TCP, IPv4)
	ok(t, l.Bind(addr("0.0.0.0:80")))
	ok(t, l.Listen(1))
	var cs []*Socket
	for range 4 {
		c := n.Socket(0, TCP, IPv4)
		c.Connect(addr("10.0.0.2:80"))
		cs = append(cs, c)
		settle(n, 20*time.Millisecond)
	}
	settle(n, 2*time.Second)
	if cs[1].State() != Established || cs[3].State() != SynSent {
		t.Fatalf("second is %v, fourth %v; want established and syn-sent", cs[1].State(), cs[3].State())
	}
	if n.Stats(0, 1).DroppedBuffer == 0 {
		t.Fatal("no SYN was dropped")
	}
	for i := range 4 {
		if _, errno := l.Accept(); errno != 0 {
			t.Fatalf("accept %d: %v", i, errno)
		}
		settle(n, 10*time.Second)
	}
	if cs[3].State() != Established {
		t.Fatalf("fourth is %v after there was room, want established", cs[3].State())
	}
	// Closing a listener resets what it has not handed out.
	c := n.Socket(0, TCP, IPv4)
	c.Connect(addr("10.0.0.2:80"))
	settle(n, time.Second)
	l.Close()
	settle(n, time.Second)
	recvErr(t, c, syscall.ECONNRESET)
}

func TestPorts(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	l := listen(t, n, 0, "0.0.0.0:80")
	other := n.Socket(0, TCP, IPv4)
	other.opt.ReuseAddr = true
	want(t, other.Bind(addr("127.0.0.1:80")), syscall.EADDRINUSE)
	want(t, other.Bind(addr("10.0.0.9:80")), syscall.EADDRNOTAVAIL)
	l.Close()
	ok(t, other.Bind(addr("127.0.0.1:80")))
	want(t, other.Bind(addr("127.0.0.1:81")), syscall.EINVAL)
	ok(t, other.Listen(1))
	c := n.Socket(0, TCP, IPv4)
	want(t, c.Connect(addr("0.0.0.0:80")), syscall.EINPROGRESS)
	settle(n, time.Millisecond)
	want(t, c.Err(), 0)
	if c.State() != Established || c.LocalAddr().Addr() != loopbacks[IPv4] {
		t.Fatalf("over the loopback: %v from %v", c.State(), c.LocalAddr())
	}
	// A connection that waits keeps its port from those without SO_REUSEADDR.
	s, _ := other.Accept()
	s.Close()
	settle(n, time.Millisecond)
	c.Close()
	settle(n, time.Millisecond)
	other.Close()
	again := n.Socket(0, TCP, IPv4)
	want(t, again.Bind(addr("0.0.0.0:80")), syscall.EADDRINUSE)
	again.opt.ReuseAddr = true
	ok(t, again.Bind(addr("0.0.0.0:80")))
	// Ephemeral ports go up.
	a, b := n.Socket(1, TCP, IPv4), n.Socket(1, TCP, IPv4)
	ok(t, a.Bind(addr("0.0.0.0:0")))
	ok(t, b.Bind(addr("0.0.0.0:0")))
	if a.LocalAddr().Port() != 32768 || b.LocalAddr().Port() != 32769 {
		t.Fatalf("ephemeral ports %v and %v", a.LocalAddr(), b.LocalAddr())
	}
	// A socket can be connected to itself.
	want(t, a.Connect(addr("10.0.0.2:32768")), syscall.EINPROGRESS)
	settle(n, time.Second)
	ok(t, a.Connect(addr("10.0.0.2:32768")))
	send(t, a, "echo")
	settle(n, time.Second)
	recv(t, a, "echo")
	a.Close()
	settle(n, time.Second)
	if left := n.Conns(1); len(left) != 2 || left[0].State != TimeWait {
		t.Fatalf("left over: %+v, want the connection in time-wait and the other socket", left)
	}
}

func TestCrashedHostIsSilentThenResets(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, _, _ := pair(t, n)
	n.CrashHost(1)
	send(t, c, "x")
	settle(n, 5*time.Second)
	recvErr(t, c, syscall.EAGAIN)
	if n.Stats(0, 1).DroppedDown < 3 {
		t.Fatalf("%d packets met the host down, want its retransmissions", n.Stats(0, 1).DroppedDown)
	}
	if got := n.Conns(1); len(got) != 0 {
		t.Fatalf("a crashed host has %v", got)
	}
	n.StartHost(1)
	settle(n, 10*time.Second)
	recvErr(t, c, syscall.ECONNRESET)
}

// A host that comes back and uses the same port again meets its old connection at
// the peer, which is then reset.
func TestHalfOpenConnectionIsFound(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, l := pair(t, n)
	n.CrashHost(0)
	n.StartHost(0)
	d := n.Socket(0, TCP, IPv4)
	ok(t, d.Bind(c.LocalAddr()))
	want(t, d.Connect(addr("10.0.0.2:80")), syscall.EINPROGRESS)
	settle(n, 500*time.Millisecond)
	recvErr(t, s, syscall.ECONNRESET)
	settle(n, 2*time.Second)
	if d.State() != Established {
		t.Fatalf("the new connection is %v, want established", d.State())
	}
	_, errno := l.Accept()
	ok(t, errno)
}

func TestSimultaneousClose(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	c.Close()
	s.Close()
	settle(n, time.Second)
	for h := range HostID(2) {
		for _, i := range n.Conns(h) {
			if i.State != TimeWait && i.State != Listen {
				t.Fatalf("host %d has a connection in %v, want time-wait", h, i.State)
			}
		}
	}
}

func TestOrphanGivesUp(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, _, _ := pair(t, n)
	n.Cut(0, 1)
	send(t, c, "x")
	c.Close()
	settle(n, 10*time.Minute)
	if got := n.Conns(0); len(got) != 0 {
		t.Fatalf("an orphan is left: %v", got)
	}
}

func TestAllThatWasLostIsSentAgainAtOnce(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	n.Cut(0, 1)
	for range 10 {
		send(t, c, "12345678")
	}
	settle(n, 100*time.Millisecond)
	n.Heal(0, 1)
	settle(n, 200*time.Millisecond)
	if s.Buffered() != 80 {
		t.Fatalf("%d bytes arrived after one timeout, want 80", s.Buffered())
	}
}

func TestClosedWindowIsNoSilence(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	for range 20 {
		c.Send(make([]byte, 100<<10))
		settle(n, time.Second)
	}
	settle(n, 10*time.Hour)
	want(t, c.Err(), 0)
	n.Cut(1, 0)
	settle(n, 10*time.Hour)
	want(t, c.Err(), syscall.ETIMEDOUT)
	if s.Buffered() == 0 {
		t.Fatal("the window was never closed: this test sees nothing")
	}
}

func TestUserTimeoutCountsFromProgress(t *testing.T) {
	n := newNet(Config{SegmentMax: 8}, 1, "a", "b")
	c, s, _ := pair(t, n)
	o := c.Options()
	o.UserTimeout = 10 * time.Second
	c.SetOptions(o)
	n.Cut(0, 1)
	send(t, c, "1234567812345678")
	settle(n, 6*time.Second)
	n.Heal(0, 1)
	for s.Buffered() == 0 {
		settle(n, 100*time.Microsecond)
	}
	n.Cut(0, 1) // the first segment arrived, the second did not
	settle(n, 7*time.Second)
	want(t, c.Err(), 0)
	settle(n, 4*time.Second)
	want(t, c.Err(), syscall.ETIMEDOUT)
}

func TestLostAcknowledgementOfTheEnd(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	n.Cut(1, 0)
	c.Close()
	settle(n, time.Second)
	recvErr(t, s, 0)
	n.Heal(1, 0)
	settle(n, time.Second)
	if got := n.Conns(0); len(got) != 1 || got[0].State != FinWait2 {
		t.Fatalf("initiator has %v, want one in fin-wait-2", got)
	}
	settle(n, 2*time.Minute)
	if got := n.Conns(0); len(got) != 0 {
		t.Fatalf("an orphan waits for the other end for ever: %v", got)
	}
}

// Connections that find the backlog full when they are complete wait, and get in
// when there is room.
func TestBacklogFillsWhileConnectionsAreHalfOpen(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	l := n.Socket(1, TCP, IPv4)
	ok(t, l.Bind(addr("0.0.0.0:80")))
	ok(t, l.Listen(1))
	cs := make([]*Socket, 6)
	for i := range cs {
		cs[i] = n.Socket(0, TCP, IPv4)
		cs[i].Connect(addr("10.0.0.2:80"))
	}
	settle(n, 500*time.Millisecond)
	if len(l.backlog) != 2 || len(l.halfOpen) != 4 {
		t.Fatalf("%d wait to be accepted and %d are half-open, want 2 and 4", len(l.backlog), len(l.halfOpen))
	}
	for _, c := range cs {
		send(t, c, "early")
	}
	for range cs {
		s, errno := l.Accept()
		for tries := 0; errno == syscall.EAGAIN && tries < 10; tries++ {
			settle(n, 5*time.Second)
			s, errno = l.Accept()
		}
		ok(t, errno)
		settle(n, 5*time.Second)
		recv(t, s, "early")
	}
}

func TestLingerZeroResets(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	o := s.Options()
	o.LingerZero = true
	s.SetOptions(o)
	s.Close()
	settle(n, time.Second)
	recvErr(t, c, syscall.ECONNRESET)
	if len(n.Conns(0))+len(n.Conns(1)) != 1 {
		t.Fatalf("left over: %v, %v", n.Conns(0), n.Conns(1))
	}
}

// A second SYN that comes when its connection is over makes no new one.
func TestOldDuplicateOfSynMakesNoConnection(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	var old *packet
	n.Observe = func(e Event) {
		if e.Kind == Delivered && e.Flags == SYN {
			old = &packet{proto: TCP, flags: SYN, from: 0, to: 1, conn: e.Conn, window: bufferDefault}
		}
	}
	c, s, l := pair(t, n)
	old.src, old.dst = c.LocalAddr(), s.LocalAddr()
	c.Close()
	settle(n, time.Second)
	s.Close()
	settle(n, time.Second)
	if got := n.Conns(0); len(got) != 1 || got[0].State != TimeWait {
		t.Fatalf("initiator has %v, want one in time-wait", got)
	}
	n.Observe = nil
	n.schedule(n.now, old)
	settle(n, time.Minute)
	if _, errno := l.Accept(); errno != syscall.EAGAIN {
		t.Fatalf("accept: %v, want EAGAIN", errno)
	}
	if got := n.Conns(1); len(got) != 1 || got[0].State != Listen {
		t.Fatalf("listener's host has %v, want the listener", got)
	}
}
