package kernel

import (
	"fmt"
	"net/netip"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// Indices of socketKinds.
const (
	kindTCP4 = 0
	kindUDP6 = 3
	kindUnix = 4
)

// socketSteps are calls in which both kernels differed once, and what they are about.
var socketSteps = []struct {
	name string
	do   func(p *socketPair, t rapid.TB)
}{
	{"a connection's addresses are free again in time-wait", func(p *socketPair, t rapid.TB) {
		s := p.makeSocket(t, kindTCP4)
		p.bindTo(t, s, inet4At("127.0.0.1:1001"))
		p.shutdownAt(t, s, syscall.SHUT_WR)
		for range 4 {
			p.connectSlots(t, s, s)
		}
	}},
	{"a new connection has no error of the old one", func(p *socketPair, t rapid.TB) {
		s := p.makeSocket(t, kindTCP4)
		p.bindTo(t, s, inet4At("127.0.0.1:1001"))
		p.connectSlots(t, s, s)
		p.disconnect(t, s)
		p.connectSlots(t, s, s)
	}},
	{"a listener's connections are shut down as it is", func(p *socketPair, t rapid.TB) {
		for how := range 3 {
			l := p.makeSocket(t, kindTCP4)
			p.shutdownAt(t, l, how)
			p.listenAt(t, l, 1)
			c := p.makeSocket(t, kindTCP4)
			p.connectSlots(t, c, l)
			p.acceptAt(t, l)
			p.sendAt(t, c, "x")
			p.sendAt(t, c+1, "x")
		}
	}},
	{"an address cut short is of a family all the same", func(p *socketPair, t rapid.TB) {
		s := p.makeSocket(t, kindUDP6)
		for range 2 {
			p.see(t, "connect", unix.SYS_CONNECT, fdOf(s), inet4At("127.0.0.1:1001")[:15], 15)
			for _, n := range []int{1, 2, 15} {
				p.see(t, "sendto", unix.SYS_SENDTO, fdOf(s), "x", 1, 0, inet4At("127.0.0.1:1001"), n)
			}
			p.setOptionTo(t, s, option{unix.IPPROTO_IPV6, unix.IPV6_V6ONLY}, 1)
		}
	}},
	{"credentials come with what was sent when an end asked for them", func(p *socketPair, t rapid.TB) {
		for _, kind := range []int{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_SEQPACKET} {
			a := p.slots
			p.makePair(t, kind)
			p.sendAt(t, a, "before")
			p.askCredentials(t, a+1)
			p.sendAt(t, a, "after")
			p.sendAt(t, a, "")
			for range 3 {
				p.receiveHeaderAt(t, a+1, receipt{size: 100, control: 100})
			}
			p.receiveHeaderAt(t, a+1, receipt{size: 100, control: 100})
			p.shutdownAt(t, a, syscall.SHUT_WR)
			p.receiveHeaderAt(t, a+1, receipt{size: 100, control: 100})
			p.receiveHeaderAt(t, a+1, receipt{size: 100})
		}
	}},
	{"a connection gives credentials by its listener's option when it was made", func(p *socketPair, t rapid.TB) {
		l := p.makeSocket(t, kindUnix)
		p.bindTo(t, l, unixAt("s0"))
		p.listenAt(t, l, 5)
		c := p.makeSocket(t, kindUnix)
		p.connectSlots(t, c, l)
		p.sendAt(t, c, "before")
		p.askCredentials(t, l)
		p.sendAt(t, c, "after")
		p.acceptAt(t, l)
		p.receiveHeaderAt(t, c+1, receipt{size: 100, control: 100})
		d := p.makeSocket(t, kindUnix)
		p.connectSlots(t, d, l)
		p.sendAt(t, d, "asked")
		p.acceptAt(t, l)
		p.receiveHeaderAt(t, d+1, receipt{size: 100, control: 100})
	}},
	{"a receipt of no bytes takes descriptors", func(p *socketPair, t rapid.TB) {
		p.makePair(t, unix.SOCK_STREAM)
		p.sendHeaderAt(t, 0, [][]byte{{1}}, rightsOf(0))
		p.see(t, "recvfrom", unix.SYS_RECVFROM, fdOf(1), out(0), 0, 0, 0, 0)
		p.receiveHeaderAt(t, 1, receipt{size: 1})
	}},
	{"who waits for all bytes takes the error", func(p *socketPair, t rapid.TB) {
		p.makePair(t, unix.SOCK_STREAM)
		p.sendAt(t, 0, "there")
		p.sendAt(t, 1, "unread")
		p.closeAt(t, 0)
		p.receiveHeaderAt(t, 1, receipt{size: 100, flags: unix.MSG_WAITALL})
		p.receiveHeaderAt(t, 1, receipt{size: 100})
	}},
	{"a socket that only its own messages pass closes", func(p *socketPair, t rapid.TB) {
		p.makePair(t, unix.SOCK_STREAM)
		p.sendHeaderAt(t, 1, [][]byte{[]byte("itself")}, rightsOf(0))
		p.closeAt(t, 0)
		p.receiveHeaderAt(t, 1, receipt{size: 100})
	}},
	{"a ring of sockets closes, and what is among it", func(p *socketPair, t rapid.TB) {
		for range 4 {
			p.makePair(t, unix.SOCK_DGRAM)
		}
		p.sendHeaderAt(t, 1, [][]byte{[]byte("third")}, rightsOf(4, 6))
		p.sendHeaderAt(t, 3, [][]byte{[]byte("first")}, rightsOf(0))
		p.sendHeaderAt(t, 5, [][]byte{[]byte("second")}, rightsOf(2))
		for _, slot := range []int{0, 2, 6, 7, 4} {
			p.closeAt(t, slot)
		}
		p.sendAt(t, 1, "to nobody")
	}},
	{"a ring of sockets stays while a listener holds it", func(p *socketPair, t rapid.TB) {
		l := p.makeSocket(t, kindUnix)
		p.bindTo(t, l, unixAt("s0"))
		p.listenAt(t, l, 5)
		c := p.makeSocket(t, kindUnix)
		p.connectSlots(t, c, l)
		a := p.slots
		p.makePair(t, unix.SOCK_STREAM)
		p.sendHeaderAt(t, a+1, [][]byte{{1}}, rightsOf(a))
		p.sendHeaderAt(t, c, [][]byte{{1}}, rightsOf(a))
		p.closeAt(t, a)
		p.sendAt(t, a+1, "held")
		p.sendHeaderAt(t, c, [][]byte{{1}}, rightsOf(l))
		p.closeAt(t, l)
		p.sendAt(t, a+1, "lost")
	}},
}

// inet4At is the bytes of an address of IPv4.
func inet4At(at string) []byte {
	return encoded(address{family: unix.AF_INET, ip: netip.MustParseAddrPort(at)})
}

// unixAt is the bytes of an address of a Unix socket.
func unixAt(name string) []byte { return encoded(address{family: unix.AF_UNIX, name: name}) }

func encoded(a address) []byte {
	var b [sizeofAddrMost]byte
	return b[:a.encode(&b)]
}

// see makes a call whose arguments are as side.see has them.
func (p *socketPair) see(t rapid.TB, name string, nr uintptr, args ...any) {
	p.step(t, fmt.Sprint(name, args), func(s *side) result { return s.see(raw, nr, args...) })
}

func (p *socketPair) sendAt(t rapid.TB, slot int, text string) {
	p.see(t, "sendto", unix.SYS_SENDTO, fdOf(slot), text, len(text), unix.MSG_NOSIGNAL, 0, 0)
}

func (p *socketPair) disconnect(t rapid.TB, slot int) {
	p.see(t, "disconnect", unix.SYS_CONNECT, fdOf(slot), make([]byte, 16), 16)
}

func (p *socketPair) setOptionTo(t rapid.TB, slot int, o option, value byte) {
	p.see(t, "setsockopt", unix.SYS_SETSOCKOPT, fdOf(slot), o.level, o.name, []byte{value, 0, 0, 0}, 4)
}

func (p *socketPair) askCredentials(t rapid.TB, slot int) {
	p.setOptionTo(t, slot, option{unix.SOL_SOCKET, unix.SO_PASSCRED}, 1)
}

func TestSocketStepsConformToLinux(t *testing.T) {
	inOwnNetworks(t)
	for _, steps := range socketSteps {
		t.Run(steps.name, func(t *testing.T) {
			p := newSocketPair(t, t)
			defer p.close()
			steps.do(p, t)
		})
	}
}
