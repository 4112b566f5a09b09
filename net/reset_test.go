package net

import (
	"syscall"
	"testing"
	"time"
)

// lost has the next segment of payload from host 0 to host 1 be lost.
func lost(t *testing.T, n *Network, s *Socket, text string) {
	t.Helper()
	n.Cut(0, 1)
	send(t, s, text)
	settle(n, 10*time.Millisecond)
	n.Heal(0, 1)
}

// resetBy ends s with RST.
func resetBy(s *Socket) {
	o := s.Options()
	o.LingerZero = true
	s.SetOptions(o)
	s.Close()
}

// A RST that overtakes data does not end the connection: the ACK that asks has it come
// again, and the data, if it takes less than that round trip, can be read.
func TestResetDoesNotOvertakeData(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	var resets, acks int
	c, s, _ := pair(t, n)
	n.SetDelay(1, 0, 100*time.Millisecond)
	n.SetDelay(0, 1, 50*time.Millisecond)
	send(t, c, "data")
	settle(n, time.Millisecond)
	n.SetDelay(0, 1, 0)
	n.Observe = func(e Event) {
		if e.Kind != Delivered {
			return
		}
		switch {
		case e.Flags&RST != 0:
			resets++
		case e.From == 1:
			acks++
		}
	}
	resetBy(c)
	settle(n, 10*time.Millisecond)
	if s.State() != Established || resets != 1 {
		t.Fatalf("after a RST ahead of data: state %v, %d RSTs delivered; want established after one", s.State(), resets)
	}
	settle(n, time.Second)
	if resets < 2 || acks < 1 {
		t.Fatalf("%d RSTs and %d ACKs delivered, want a second RST that an ACK asked for", resets, acks)
	}
	recv(t, s, "data")
	recvErr(t, s, syscall.ECONNRESET)
}

// What was lost before a RST is not waited for: the ACK that asks is answered, since
// the peer has given the connection up, with the RST due.
func TestResetAfterLossEndsTheConnection(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	lost(t, n, c, "lost")
	resetBy(c)
	settle(n, time.Second)
	recvErr(t, s, syscall.ECONNRESET)
}

// A RST whose number is that after what came early is taken at once, as with SACK.
func TestResetAfterWhatCameEarly(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	lost(t, n, c, "lost")
	send(t, c, "early")
	settle(n, 10*time.Millisecond)
	n.Cut(1, 0) // no ACK can ask
	resetBy(c)
	settle(n, 10*time.Millisecond)
	recvErr(t, s, syscall.ECONNRESET)
}

// An old RST, of before what was received, and one beyond the window are nothing.
func TestResetOutOfTheWindowIsDropped(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, _ := pair(t, n)
	send(t, c, "data")
	settle(n, time.Second)
	acks := 0
	n.Observe = func(e Event) {
		if e.From == 1 {
			acks++
		}
	}
	for _, seq := range []int64{0, s.rcv - 1, s.advertised + 1} {
		n.schedule(n.now, &packet{proto: TCP, flags: RST | ACK, from: 0, to: 1, src: c.LocalAddr(), dst: s.LocalAddr(), conn: c.conn, seq: seq})
		settle(n, time.Second)
	}
	if s.State() != Established || acks != 0 {
		t.Fatalf("state %v after %d answers, want established and none", s.State(), acks)
	}
	recv(t, s, "data")
}

// A SYN is refused only by a RST that acknowledges it.
func TestResetOfAnotherSynIsDropped(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	listen(t, n, 1, "0.0.0.0:80")
	c := n.Socket(0, TCP, IPv4)
	n.Hold(0, 1)
	want(t, c.Connect(addr("10.0.0.2:80")), syscall.EINPROGRESS)
	reset := func(ack int64) {
		n.schedule(n.now, &packet{proto: TCP, flags: RST | ACK, from: 1, to: 0, src: addr("10.0.0.2:80"), dst: c.LocalAddr(), conn: c.conn, ack: ack})
		settle(n, time.Millisecond)
	}
	reset(0)
	if c.State() != SynSent {
		t.Fatalf("state %v after a RST that acknowledges nothing, want syn-sent", c.State())
	}
	reset(1)
	want(t, c.Err(), syscall.ECONNREFUSED)
}
