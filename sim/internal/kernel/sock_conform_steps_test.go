package kernel

import (
	"net/netip"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// Indices of socketKinds.
const (
	kindTCP4 = iota
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
}

// inet4At is the bytes of an address of IPv4.
func inet4At(at string) []byte {
	var b [sizeofAddrMost]byte
	a := address{family: unix.AF_INET, ip: netip.MustParseAddrPort(at)}
	return b[:a.encode(&b)]
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
