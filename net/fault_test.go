package net

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// chatter sends datagrams and a stream both ways between hosts 0 and 1, for
// 10 s, and returns what the network did.
func chatter(t *testing.T, n *Network) (events []Event) {
	n.Observe = func(e Event) { events = append(events, e) }
	c, s, _ := pair(t, n)
	u := n.Socket(0, UDP, IPv4)
	ok(t, u.Bind(addr("0.0.0.0:9")))
	v := n.Socket(1, UDP, IPv4)
	ok(t, v.Bind(addr("0.0.0.0:9")))
	b := make([]byte, 100)
	for range 100 {
		c.Send(b)
		s.Send(b)
		u.SendTo(b, Route{To: addr("10.0.0.2:9")})
		v.SendTo(b, Route{To: addr("10.0.0.1:9")})
		settle(n, 100*time.Millisecond)
		c.Recv(b)
		s.Recv(b)
		u.Recv(b)
		v.Recv(b)
	}
	return events
}

// Each fault leaves its mark in the statistics and in the events, and there is
// none of it without the fault.
func TestFaultsLand(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(*Network)
		count func(LinkStats) uint64
		kind  Kind // 0 if there is none
	}{
		{"cut", func(n *Network) { n.Cut(0, 1) }, func(s LinkStats) uint64 { return s.DroppedCut }, DroppedCut},
		{"hold", func(n *Network) { n.Hold(0, 1) }, func(s LinkStats) uint64 { return s.Held }, Held},
		{"loss", func(n *Network) { n.SetLoss(0, 1, 0.3) }, func(s LinkStats) uint64 { return s.DroppedLoss }, DroppedLoss},
		{"corrupt", func(n *Network) { n.SetCorrupt(0, 1, 0.3) }, func(s LinkStats) uint64 { return s.DroppedCorrupted }, DroppedCorrupted},
		{"duplicate", func(n *Network) { n.SetDuplicate(0, 1, 0.3) }, func(s LinkStats) uint64 { return s.Duplicated }, Duplicated},
		{"latency", func(n *Network) { n.SetLatency(0, 1, time.Second, 2*time.Second) }, func(s LinkStats) uint64 { return s.Delayed }, 0},
		{"delay", func(n *Network) { n.SetDelay(0, 1, time.Second) }, func(s LinkStats) uint64 { return s.Delayed }, 0},
		{"rate", func(n *Network) { n.SetRate(0, 1, 1000) }, func(s LinkStats) uint64 { return s.Throttled }, 0},
		{"crash", func(n *Network) { n.CrashHost(1) }, func(s LinkStats) uint64 { return s.DroppedDown }, DroppedDown},
		{"reset", func(n *Network) { n.Reset(0, 1) }, func(s LinkStats) uint64 { return s.Reset }, 0},
		{"refuse", func(n *Network) {
			n.Refuse(0, 1)
			n.Socket(0, TCP, IPv4).Connect(addr("10.0.0.2:80"))
		}, func(s LinkStats) uint64 { return s.Refused }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, set := range []bool{true, false} {
				n := newNet(Config{}, 7, "a", "b")
				seen := 0
				l := listen(t, n, 1, "0.0.0.0:80")
				a := n.Socket(0, TCP, IPv4)
				a.Connect(addr("10.0.0.2:80"))
				settle(n, time.Second)
				if set {
					c.set(n)
				}
				n.Observe = func(e Event) {
					if e.Kind == c.kind && e.From == 0 {
						seen++
					}
				}
				u := n.Socket(0, UDP, IPv4)
				for range 50 {
					a.Send([]byte("x"))
					u.SendTo([]byte("x"), Route{To: addr("10.0.0.2:80")})
					settle(n, 20*time.Millisecond)
				}
				settle(n, 5*time.Second)
				got := c.count(n.Stats(0, 1))
				if set != (got > 0) || c.kind != 0 && got != uint64(seen) {
					t.Errorf("fault set: %v; counted %d, %d events", set, got, seen)
				}
				if n.Stats(1, 0).DroppedCut+n.Stats(1, 0).Held+n.Stats(1, 0).DroppedLoss != 0 {
					t.Error("the way back has the fault too")
				}
				_ = l
			}
		})
	}
}

// The end of a fault is its end: what is sent afterwards arrives.
func TestFaultsEnd(t *testing.T) {
	n := newNet(Config{}, 3, "a", "b")
	for _, c := range []struct {
		name     string
		set, end func(HostID, HostID)
	}{
		{"cut", n.Cut, n.Heal},
		{"hold", n.Hold, n.Release},
		{"refuse", n.Refuse, n.Admit},
		{"cut, repaired", n.Cut, n.Repair},
		{"hold, repaired", n.Hold, n.Repair},
		{"loss, repaired", func(a, b HostID) { n.SetLoss(a, b, 1) }, n.Repair},
	} {
		c.set(0, 1)
		s := n.Socket(0, TCP, IPv4)
		l := listen(t, n, 1, "0.0.0.0:80")
		s.Connect(addr("10.0.0.2:80"))
		settle(n, 500*time.Millisecond)
		if s.State() == Established {
			t.Errorf("%s: connected in spite of the fault", c.name)
		}
		s.Err()
		c.end(0, 1)
		if s.Connect(addr("10.0.0.2:80")) == syscall.ECONNABORTED { // its outcome was taken by Err
			s.Connect(addr("10.0.0.2:80"))
		}
		settle(n, 2*time.Second)
		if s.State() != Established {
			t.Errorf("%s: %v after its end", c.name, s.State())
		}
		s.Close()
		l.Close()
	}
}

func TestReleaseKeepsOrder(t *testing.T) {
	n := newNet(Config{}, 3, "a", "b")
	r := n.Socket(1, UDP, IPv4)
	ok(t, r.Bind(addr("0.0.0.0:9")))
	s := n.Socket(0, UDP, IPv4)
	n.Hold(0, 1)
	for i := range 5 {
		s.SendTo([]byte{byte('a' + i)}, Route{To: addr("10.0.0.2:9")})
		settle(n, 10*time.Millisecond)
	}
	recvErr(t, r, syscall.EAGAIN)
	n.Release(0, 1)
	if n.Next() != n.Now() {
		t.Fatalf("next is due at %d, want now, %d", n.Next(), n.Now())
	}
	n.Advance(n.Now())
	for i := range 5 {
		recv(t, r, string(rune('a'+i)))
	}
}

func TestResetReachesBothEnds(t *testing.T) {
	n := newNet(Config{}, 3, "a", "b", "c")
	c, s, _ := pair(t, n)
	other := n.Socket(2, TCP, IPv4)
	other.Connect(addr("10.0.0.2:80"))
	settle(n, time.Second)
	w := &watcher{}
	c.Watch(w)
	if got := n.Reset(1, 0); got != 1 {
		t.Fatalf("%d connections were reset, want 1", got)
	}
	if w.rose&Failed == 0 {
		t.Fatalf("watcher was told %v, want failed", w.rose)
	}
	recvErr(t, c, syscall.ECONNRESET)
	recvErr(t, s, syscall.ECONNRESET)
	if other.State() != Established {
		t.Fatalf("another host's connection is %v", other.State())
	}
}

func TestRate(t *testing.T) {
	n := newNet(Config{}, 3, "a", "b")
	c, s, _ := pair(t, n)
	n.SetRate(0, 1, 100_000)
	for range 4 {
		c.Send(make([]byte, 50_000))
	}
	settle(n, time.Second)
	if got := s.Buffered(); got < 60_000 || got > 100_000 {
		t.Fatalf("%d bytes came in a second at 100 kB/s", got)
	}
	for range 20_000 {
		c.net.send(c.packet(ACK))
	}
	if n.Stats(0, 1).DroppedQueue == 0 {
		t.Fatal("the queue has no end")
	}
}

// A fault of magnitude zero changes nothing at all.
func TestZeroMagnitudeChangesNothing(t *testing.T) {
	run := func(set func(*Network)) string {
		src := choice.New(11)
		n := New(Config{}, src)
		n.AddHost("a", addr("10.0.0.1:0").Addr())
		n.AddHost("b", addr("10.0.0.2:0").Addr())
		n.Advance(start)
		drawn := ""
		src.Record(func(c choice.Choice) { drawn += fmt.Sprintln(c) })
		set(n)
		events := chatter(t, n)
		return drawn + fmt.Sprint(events)
	}
	plain := run(func(*Network) {})
	zero := run(func(n *Network) {
		n.SetLoss(0, 1, 0)
		n.SetCorrupt(0, 1, 0)
		n.SetDuplicate(0, 1, 0)
		n.SetDelay(0, 1, 0)
		n.SetRate(0, 1, 0)
		n.SetLatency(0, 1, latencyMinDefault, latencyMaxDefault)
		n.Cut(1, 0)
		n.Heal(1, 0)
		n.Hold(1, 0)
		n.Release(1, 0)
		n.Refuse(1, 0)
		n.Admit(1, 0)
		n.Cut(0, 0)
	})
	if plain != zero {
		t.Error("faults of no magnitude changed the run")
	}
	if again := run(func(*Network) {}); again != plain {
		t.Error("the same seed gave another run")
	}
	if other := run(func(n *Network) { n.SetLoss(0, 1, 0.01) }); other == plain {
		t.Error("a fault that has a magnitude changed nothing: this test sees nothing")
	}
}

// Loss moves no choice of latency, and what one link does moves no other's.
func TestChoicesStayPut(t *testing.T) {
	run := func(loss float64, noise bool) (latencies, third string) {
		src := choice.New(5)
		n := New(Config{}, src)
		for i, name := range []string{"a", "b", "c"} {
			n.AddHost(name, addr(fmt.Sprintf("10.0.0.%d:0", i+1)).Addr())
		}
		n.Advance(start)
		src.Record(func(c choice.Choice) {
			switch c.Stream {
			case "net/a>b":
				latencies += fmt.Sprintln(c.Index, c.Value)
			case "net/a>c":
				third += fmt.Sprintln(c.Index, c.Value)
			}
		})
		n.SetLoss(0, 1, loss)
		u := n.Socket(0, UDP, IPv4)
		for i := range 50 {
			u.SendTo([]byte("x"), Route{To: addr("10.0.0.2:9")})
			if noise && i%3 == 0 {
				u.SendTo([]byte("x"), Route{To: addr("10.0.0.2:9")})
			}
			u.SendTo([]byte("x"), Route{To: addr("10.0.0.3:9")})
			settle(n, time.Millisecond)
		}
		return latencies, third
	}
	plain, third := run(0, false)
	if lossy, _ := run(0.5, false); lossy != plain {
		t.Error("loss moved choices of latency")
	}
	noisy, same := run(0.5, true)
	if same != third {
		t.Error("traffic on one link moved choices of another")
	}
	if noisy == plain {
		t.Error("more packets drew no more choices: this test sees nothing")
	}
}

func TestLoopbackDrawsNothing(t *testing.T) {
	src := choice.New(5)
	n := New(Config{Loss: 0.5}, src)
	n.AddHost("a", addr("10.0.0.1:0").Addr())
	n.Advance(start)
	src.Record(func(c choice.Choice) { t.Errorf("the loopback drew %v", c) })
	n.Cut(0, 0)
	n.SetLoss(0, 0, 1)
	l := listen(t, n, 0, "0.0.0.0:80")
	for _, to := range []string{"127.0.0.1:80", "10.0.0.1:80", "127.8.9.1:80"} {
		c := n.Socket(0, TCP, IPv4)
		c.Connect(addr(to))
		settle(n, 50*time.Microsecond)
		if c.State() != Established {
			t.Errorf("connection to %s is %v", to, c.State())
		}
		if _, errno := l.Accept(); errno != 0 {
			t.Errorf("accept from %s: %v", to, errno)
		}
	}
}
