package net

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// flow is one direction of a connection as its two owners see it. The bytes sent
// are a function of their place, so what is received can be told at once.
type flow struct {
	from, to       *Socket
	sent, received int
	shut, eof      bool
	broken         bool // an end was told that the connection is over
	back           *flow
}

// received is the buffer of every receipt.
var received [1 << 20]byte

func payload(seed, place int) byte { return byte((place*2654435761 + seed) >> 7) }

func (f *flow) send(t *rapid.T, seed, size int) {
	b := make([]byte, size)
	for i := range b {
		b[i] = payload(seed, f.sent+i)
	}
	k, errno := f.from.Send(b)
	if errno != 0 && k != 0 {
		t.Fatalf("send answered %d and %v", k, errno)
	}
	if errno == 0 && f.shut {
		t.Fatal("a send after shutdown was taken")
	}
	f.sent += k
	if errno != 0 && errno != syscall.EAGAIN && !(f.shut && errno == syscall.EPIPE) {
		f.broken, f.back.broken = true, true // the error is told once, to whoever asks first
	}
}

func (f *flow) recv(t *rapid.T, seed, size int) (errno syscall.Errno) {
	b := received[:size]
	k, errno := f.to.Recv(b)
	for i := range k {
		if b[i] != payload(seed, f.received+i) {
			t.Fatalf("byte %d is not what was sent", f.received+i)
		}
	}
	f.received += k
	if f.received > f.sent {
		t.Fatalf("%d bytes received of %d sent", f.received, f.sent)
	}
	f.broken = f.broken || errno != 0 && errno != syscall.EAGAIN
	if k == 0 && errno == 0 && !f.broken {
		if !f.shut || f.received != f.sent {
			t.Fatalf("end after %d of %d bytes, shut down: %v", f.received, f.sent, f.shut)
		}
		f.eof = true
	}
	return errno
}

// both notes that a connection that is over is so in both directions.
func both(flows []*flow) {
	broken := flows[0].broken || flows[1].broken
	flows[0].broken, flows[1].broken = broken, broken
}

// What comes out of a connection is a prefix of what went in, whatever the links
// do; and all of it once they are healed, if the connection lived.
func TestStreamIsAPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{SegmentMax: rapid.SampledFrom([]int{100, 1460, 16 << 10}).Draw(t, "segment")}
		n := newNet(cfg, rapid.Uint64().Draw(t, "seed"), "a", "b")
		l := n.Socket(1, TCP, IPv4)
		l.Bind(addr("0.0.0.0:80"))
		l.Listen(5)
		c := n.Socket(0, TCP, IPv4)
		o := c.Options()
		o.SendBuffer = rapid.SampledFrom([]int{4 << 10, 256 << 10}).Draw(t, "send buffer")
		o.RecvBuffer = rapid.SampledFrom([]int{4 << 10, 256 << 10}).Draw(t, "receive buffer")
		c.SetOptions(o)
		l.SetOptions(o)
		c.Connect(addr("10.0.0.2:80"))
		settle(n, time.Second)
		s, errno := l.Accept()
		if errno != 0 {
			t.Fatal(errno)
		}
		flows := []*flow{{from: c, to: s}, {from: s, to: c}}
		flows[0].back, flows[1].back = flows[1], flows[0]
		crashed, reset := false, false
		link := func() (HostID, HostID) {
			a := HostID(rapid.IntRange(0, 1).Draw(t, "from"))
			return a, 1 - a
		}
		pick := func() (int, *flow) {
			i := rapid.IntRange(0, 1).Draw(t, "flow")
			return i, flows[i]
		}
		alive := func(s *Socket) bool { return !crashed || s.Host() == 0 }
		chance := rapid.SampledFrom([]float64{0, 0.1, 0.5})
		t.Repeat(map[string]func(*rapid.T){
			"send": func(t *rapid.T) {
				if i, f := pick(); alive(f.from) {
					defer both(flows)
					f.send(t, i, rapid.SampledFrom([]int{1, 100, 5000, 40_000}).Draw(t, "size"))
				}
			},
			"recv": func(t *rapid.T) {
				if i, f := pick(); alive(f.to) {
					defer both(flows)
					f.recv(t, i, rapid.SampledFrom([]int{1, 1000, 300_000}).Draw(t, "size"))
				}
			},
			"shutdown": func(t *rapid.T) {
				if _, f := pick(); alive(f.from) && rapid.IntRange(0, 5).Draw(t, "really") == 0 {
					if f.from.Shutdown(Sending) == 0 {
						f.shut = true
					}
				}
			},
			"advance": func(t *rapid.T) {
				settle(n, time.Duration(rapid.SampledFrom([]int{1, 5, 300, 30_000}).Draw(t, "ms"))*time.Millisecond)
			},
			"cut":       func(t *rapid.T) { n.Cut(link()) },
			"heal":      func(t *rapid.T) { n.Heal(link()) },
			"hold":      func(t *rapid.T) { n.Hold(link()) },
			"release":   func(t *rapid.T) { n.Release(link()) },
			"loss":      func(t *rapid.T) { a, b := link(); n.SetLoss(a, b, chance.Draw(t, "loss")) },
			"duplicate": func(t *rapid.T) { a, b := link(); n.SetDuplicate(a, b, chance.Draw(t, "duplicate")) },
			"latency": func(t *rapid.T) {
				a, b := link()
				n.SetLatency(a, b, 0, time.Duration(rapid.IntRange(0, 2000).Draw(t, "most"))*time.Millisecond)
			},
			"crash": func(t *rapid.T) {
				if rapid.IntRange(0, 20).Draw(t, "really") == 0 {
					n.CrashHost(1)
					n.StartHost(1)
					crashed = true
				}
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 20).Draw(t, "really") == 0 {
					n.Reset(0, 1)
					reset = true
					flows[0].broken, flows[1].broken = true, true
				}
			},
		})
		n.Repair(0, 1)
		n.Repair(1, 0)
		for _, f := range flows {
			if alive(f.from) && f.from.Shutdown(Sending) == 0 {
				f.shut = true
			}
		}
		for range 600 {
			settle(n, 5*time.Second)
			for i, f := range flows {
				for alive(f.to) && !f.eof {
					errno := f.recv(t, i, 1<<20)
					both(flows)
					if errno != 0 || f.broken {
						break
					}
				}
			}
			if flows[0].eof && flows[1].eof {
				break
			}
		}
		if !crashed && !reset && !flows[0].broken && !flows[1].broken && (flows[0].received != flows[0].sent || flows[1].received != flows[1].sent) {
			t.Fatalf("received %d of %d and %d of %d bytes, healed and in order",
				flows[0].received, flows[0].sent, flows[1].received, flows[1].sent)
		}
		if !crashed {
			s.Close()
		}
		c.Close()
		l.Close()
		settle(n, 30*time.Minute)
		if n.Next() != 0 || len(n.Conns(0))+len(n.Conns(1)) != 0 {
			t.Fatalf("left over: %v, %v, next at %d", n.Conns(0), n.Conns(1), n.Next())
		}
	})
}

// Every event is the same in two runs of the same seed and calls, whatever those are.
func TestSameSeedSameEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		loss := rapid.Float64Range(0, 0.3).Draw(rt, "loss")
		run := func() string {
			n := newNet(Config{Loss: loss}, seed, "a", "b")
			log := ""
			n.Observe = func(e Event) { log += fmt.Sprintln(e) }
			l := listen(t, n, 1, "0.0.0.0:80")
			c := n.Socket(0, TCP, IPv4)
			c.Connect(addr("10.0.0.2:80"))
			for range 20 {
				c.Send(make([]byte, 3000))
				settle(n, 50*time.Millisecond)
				if s, errno := l.Accept(); errno == 0 {
					s.Close()
				}
			}
			return log
		}
		if run() != run() {
			rt.Fatal("two runs of one seed differ")
		}
	})
}

// The heaps give what a sorted list would.
func TestTimersAndArrivalsComeInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newNet(Config{}, 1)
		timers := make([]timer, 8)
		t.Repeat(map[string]func(*rapid.T){
			"arm": func(t *rapid.T) {
				n.arm(&timers[rapid.IntRange(0, 7).Draw(t, "timer")], start+rapid.Int64Range(1, 20).Draw(t, "when"))
			},
			"disarm": func(t *rapid.T) { n.disarm(&timers[rapid.IntRange(0, 7).Draw(t, "timer")]) },
			"push":   func(t *rapid.T) { n.schedule(start+rapid.Int64Range(1, 20).Draw(t, "when"), nil) },
			"pop": func(t *rapid.T) {
				if n.arrivals.peek() != nil {
					n.arrivals.pop()
				}
			},
			"": func(t *rapid.T) {
				for i, x := range n.timers {
					if x.index != i+1 || x.less(n.timers[0]) {
						t.Fatalf("timer %d is out of place", i)
					}
				}
				for i := range n.arrivals {
					if n.arrivals[i].less(&n.arrivals[0]) {
						t.Fatalf("arrival %d is out of place", i)
					}
				}
			},
		})
	})
}
