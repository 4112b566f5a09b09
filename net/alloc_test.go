package net

import (
	"testing"
	"time"
)

// In the steady state a message and its answer allocate nothing.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	u, v := n.Socket(0, UDP, IPv4), n.Socket(1, UDP, IPv4)
	ok(t, v.Bind(addr("0.0.0.0:9")))
	ok(t, u.Connect(addr("10.0.0.2:9")))
	w := &watcher{}
	c.Watch(w)
	s.Watch(w)
	b := make([]byte, 40_000)
	round := func() {
		c.Send(b)
		u.Send(b[:500])
		settle(n, 50*time.Millisecond)
		if k, _ := s.Recv(b); k != len(b) {
			t.Fatalf("%d bytes came", k)
		}
		v.Recv(b)
		s.Send(b[:100])
		settle(n, 50*time.Millisecond)
		c.Recv(b)
	}
	for range 100 {
		round()
	}
	if got := testing.AllocsPerRun(100, round); got != 0 {
		t.Fatalf("%v allocations a round, want none", got)
	}
}

func BenchmarkMessage(b *testing.B) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(b, n)
	buf := make([]byte, 100)
	for b.Loop() {
		c.Send(buf)
		settle(n, 20*time.Millisecond)
		s.Recv(buf)
	}
}
