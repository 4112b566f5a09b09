package net

import (
	"net/netip"
	"syscall"
	"testing"
	"time"
)

// newNet6 returns a network whose hosts have addresses of both families.
func newNet6(seed uint64, hosts ...string) *Network {
	n := newNet(Config{}, seed)
	for i, name := range hosts {
		last := byte(i + 1)
		n.AddHost(name, netip.AddrFrom4([4]byte{10, 0, 0, last}), netip.AddrFrom16([16]byte{0: 0xfd, 15: last}))
	}
	return n
}

func TestDualStackListener(t *testing.T) {
	n := newNet6(1, "a", "b")
	l := n.Socket(1, TCP, IPv6)
	ok(t, l.Bind(addr("[::]:80")))
	ok(t, l.Listen(5))
	for _, to := range []string{"10.0.0.2:80", "[fd00::2]:80"} {
		c := n.Socket(0, TCP, IPv6)
		want(t, c.Connect(addr(to)), syscall.EINPROGRESS)
		settle(n, time.Second)
		ok(t, c.Connect(addr(to)))
		s, errno := l.Accept()
		ok(t, errno)
		if s.LocalAddr() != addr(to) || s.Remote() != c.LocalAddr() {
			t.Errorf("accepted at %v from %v, want %v from %v", s.LocalAddr(), s.Remote(), to, c.LocalAddr())
		}
		send(t, c, to)
		settle(n, time.Second)
		recv(t, s, to)
	}
	four := n.Socket(1, TCP, IPv4)
	want(t, four.Bind(addr("10.0.0.2:80")), syscall.EADDRINUSE)
	want(t, four.Connect(addr("[fd00::1]:80")), syscall.EAFNOSUPPORT)
}

func TestV6Only(t *testing.T) {
	n := newNet6(1, "a", "b")
	l := n.Socket(1, TCP, IPv6)
	l.opt.V6Only = true
	ok(t, l.Bind(addr("[::]:80")))
	ok(t, l.Listen(5))
	ok(t, n.Socket(1, TCP, IPv4).Bind(addr("0.0.0.0:80")))
	c := n.Socket(0, TCP, IPv4)
	c.Connect(addr("10.0.0.2:80"))
	settle(n, time.Second)
	want(t, c.Err(), syscall.ECONNREFUSED)
	only := n.Socket(0, TCP, IPv6)
	only.opt.V6Only = true
	want(t, only.Connect(addr("10.0.0.2:80")), syscall.ENETUNREACH)
	want(t, only.Bind(addr("[::ffff:10.0.0.1]:81")), syscall.EINVAL)
}

// The faults of a link meet packets of both families; the loopback has none.
func TestFaultsMeetIPv6(t *testing.T) {
	n := newNet6(1, "a", "b")
	listen(t, n, 1, "10.0.0.2:80")
	l := n.Socket(1, TCP, IPv6)
	ok(t, l.Bind(addr("[::1]:81")))
	ok(t, l.Listen(5))
	v := n.Socket(1, UDP, IPv6)
	ok(t, v.Bind(addr("[::]:9")))
	n.Cut(0, 1)
	u := n.Socket(0, UDP, IPv6)
	if _, errno := u.SendTo([]byte("x"), Route{To: addr("[fd00::2]:9")}); errno != 0 {
		t.Fatal(errno)
	}
	here := n.Socket(1, TCP, IPv6)
	here.Connect(addr("[::1]:81"))
	settle(n, time.Second)
	ok(t, here.Connect(addr("[::1]:81")))
	if got := n.Stats(0, 1).DroppedCut; got != 1 {
		t.Errorf("the cut dropped %d packets, want the datagram", got)
	}
	n.Heal(0, 1)
	c := n.Socket(0, TCP, IPv6)
	c.Connect(addr("[fd00::2]:82"))
	settle(n, time.Second)
	want(t, c.Err(), syscall.ECONNREFUSED)
}

func TestBroadcastAndMulticast(t *testing.T) {
	n := newNet6(1, "a", "b", "c")
	var in []*Socket
	for h := range HostID(3) {
		s := n.Socket(h, UDP, IPv4)
		ok(t, s.Bind(addr("0.0.0.0:9")))
		in = append(in, s)
	}
	out := n.Socket(0, UDP, IPv4)
	_, errno := out.SendTo(nil, Route{To: addr("255.255.255.255:9")})
	want(t, errno, syscall.EACCES)
	out.opt.Broadcast = true
	got := func(to string) (who string) {
		t.Helper()
		if _, errno := out.SendTo([]byte("x"), Route{To: addr(to)}); errno != 0 {
			t.Fatal(errno)
		}
		settle(n, time.Second)
		for i, s := range in {
			if d, errno := s.RecvFrom(nil); errno == 0 && d.To == addr(to) && d.At == Ethernet || errno == 0 && i == 0 {
				who += string(rune('a' + i))
			}
		}
		return who
	}
	for _, to := range []string{"255.255.255.255:9", "10.255.255.255:9"} {
		if who := got(to); who != "abc" {
			t.Errorf("a broadcast to %s reached %q, want all", to, who)
		}
	}
	group := netip.MustParseAddr("239.1.2.3")
	ok(t, in[2].Join(group, 0))
	want(t, in[2].Join(group, Ethernet), syscall.EADDRINUSE)
	if who := got("239.1.2.3:9"); who != "c" {
		t.Errorf("a multicast reached %q, want its member c", who)
	}
	ok(t, in[0].Join(group, 0))
	ok(t, in[2].Leave(group, 0))
	want(t, in[2].Leave(group, 0), syscall.EADDRNOTAVAIL)
	if who := got("239.1.2.3:9"); who != "a" {
		t.Errorf("a multicast reached %q, want the member of its own host", who)
	}
	out.opt.MulticastLoop = false
	if who := got("239.1.2.3:9"); who != "" {
		t.Errorf("a multicast that does not come back reached %q", who)
	}
	if d := n.Stats(0, 1); d.Sent != 5 {
		t.Errorf("%d packets to b, want one for each of 5", d.Sent)
	}
}

// A connection's end leaves a socket that can connect again.
func TestDisconnect(t *testing.T) {
	n := newNet(Config{}, 1, "a", "b")
	c, s, l := pair(t, n)
	c.Disconnect()
	settle(n, time.Second)
	want(t, c.Err(), syscall.ECONNRESET)
	recvErr(t, s, syscall.ECONNRESET)
	want(t, c.Connect(addr("10.0.0.2:80")), syscall.EINPROGRESS)
	settle(n, time.Second)
	ok(t, c.Connect(addr("10.0.0.2:80")))

	// One in TIME-WAIT leaves its addresses in use.
	before := c.LocalAddr()
	s, errno := l.Accept()
	ok(t, errno)
	ok(t, c.Shutdown(Sending))
	settle(n, time.Second)
	s.Close()
	settle(n, time.Second)
	c.Disconnect()
	if got := n.Conns(0); len(got) != 1 || got[0].Local != before {
		t.Errorf("connections after a disconnect: %+v", got)
	}
}
