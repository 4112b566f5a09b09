package net

import (
	"syscall"
	"testing"
	"time"
)

func TestDatagrams(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	s := n.Socket(1, UDP, IPv4)
	ok(t, s.Bind(addr("0.0.0.0:53")))
	c := n.Socket(0, UDP, IPv4)
	w := &watcher{}
	s.Watch(w)
	if _, errno := c.SendTo([]byte("hello"), Route{To: addr("10.0.0.2:53")}); errno != 0 {
		t.Fatal(errno)
	}
	if _, errno := c.SendTo(nil, Route{To: addr("10.0.0.2:53")}); errno != 0 {
		t.Fatal(errno)
	}
	settle(n, time.Second)
	if w.rose != Readable || w.calls != 2 {
		t.Fatalf("told %d times of %v, want twice of readable", w.calls, w.rose)
	}
	b := make([]byte, 3)
	sizes := 0
	for range 2 {
		d, errno := s.RecvFrom(b)
		ok(t, errno)
		if d.From != addr("10.0.0.1:32768") || d.To != addr("10.0.0.2:53") || d.N != min(d.Size, 3) || d.At != Ethernet {
			t.Fatalf("got %+v", d)
		}
		sizes += d.Size
	}
	if sizes != 5 {
		t.Fatalf("datagrams of %d bytes in all, want 5", sizes)
	}
	recvErr(t, s, syscall.EAGAIN)
	_, errno := c.SendTo(make([]byte, datagramMost[IPv4]+1), Route{To: addr("10.0.0.2:53")})
	want(t, errno, syscall.EMSGSIZE)
	_, errno = c.Send(nil)
	want(t, errno, syscall.EDESTADDRREQ)
}

func TestConnectedDatagramSocket(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c := n.Socket(0, UDP, IPv4)
	ok(t, c.Connect(addr("10.0.0.2:53")))
	send(t, c, "anyone?")
	settle(n, time.Second)
	recvErr(t, c, syscall.ECONNREFUSED)
	recvErr(t, c, syscall.EAGAIN)

	s := n.Socket(1, UDP, IPv4)
	ok(t, s.Bind(addr("10.0.0.2:53")))
	stranger := n.Socket(1, UDP, IPv4)
	stranger.SendTo([]byte("not yours"), Route{To: c.LocalAddr()})
	send(t, c, "query")
	settle(n, time.Second)
	recv(t, s, "query")
	s.SendTo([]byte("answer"), Route{To: c.LocalAddr()})
	settle(n, time.Second)
	recv(t, c, "answer")
	recvErr(t, c, syscall.EAGAIN)
}

func TestDatagramsBeyondTheBufferAreDropped(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	s := n.Socket(1, UDP, IPv4)
	ok(t, s.Bind(addr("0.0.0.0:53")))
	c := n.Socket(0, UDP, IPv4)
	for range 10 {
		c.SendTo(make([]byte, 60000), Route{To: addr("10.0.0.2:53")})
	}
	settle(n, time.Second)
	if got := n.Stats(0, 1).DroppedBuffer; got == 0 || got > 6 {
		t.Fatalf("%d datagrams were dropped, want some, not most", got)
	}
}
