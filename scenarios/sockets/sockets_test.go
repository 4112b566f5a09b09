// Package sockets runs what package net promises of its connections in a world: the
// conformance tests of golang.org/x/net/nettest, name resolution and interfaces, and
// both families of addresses under faults.
package sockets

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/nettest"

	"github.com/orrery-sim/orrery/sim"
)

// inClient runs f as a client of a world with two nodes.
func inClient(t *testing.T, f func(w *sim.World, nodes []*sim.Node)) {
	sim.Test(t, func(w *sim.World) {
		nodes := w.Nodes("n", 2)
		for _, n := range nodes {
			n.Start(echoServer)
		}
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			f(w, nodes)
		})
	}, sim.Seeds("1")) // four million system calls
}

// echoServer echoes on port 7 of both families, TCP and UDP.
var echoServer = sim.NewProgram("echo", func() {
	l, err := net.Listen("tcp", ":7")
	if err != nil {
		panic(err)
	}
	u, err := net.ListenPacket("udp", ":7")
	if err != nil {
		panic(err)
	}
	go func() {
		b := make([]byte, 64<<10)
		for {
			n, from, err := u.ReadFrom(b)
			if err != nil {
				panic(err)
			}
			u.WriteTo(b[:n], from)
		}
	}()
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		fmt.Println("connection from", c.RemoteAddr().(*net.TCPAddr).IP)
		go func() {
			io.Copy(c, c)
			c.Close()
		}()
	}
})

// conn runs nettest's tests of connections in a client.
func conn(t *testing.T, makePipe nettest.MakePipe) {
	inClient(t, func(*sim.World, []*sim.Node) { nettest.TestConn(t, makePipe) })
}

func TestConnTCP4(t *testing.T)       { conn(t, overListener("tcp4")) }
func TestConnTCP6(t *testing.T)       { conn(t, overListener("tcp6")) }
func TestConnUnix(t *testing.T)       { conn(t, overListener("unix")) }
func TestConnUnixPacket(t *testing.T) { conn(t, overListener("unixpacket")) }

func TestConnPipe(t *testing.T) {
	conn(t, func() (c1, c2 net.Conn, stop func(), err error) {
		c1, c2 = net.Pipe()
		return c1, c2, func() { c1.Close(); c2.Close() }, nil
	})
}

// overListener makes both ends of a connection.
func overListener(network string) nettest.MakePipe {
	return func() (c1, c2 net.Conn, stop func(), err error) {
		l, err := nettest.NewLocalListener(network)
		if err != nil {
			return nil, nil, nil, err
		}
		accepted := make(chan error)
		go func() {
			var err error
			c2, err = l.Accept()
			accepted <- err
		}()
		c1, err = net.Dial(l.Addr().Network(), l.Addr().String())
		if err = errors.Join(err, <-accepted); err != nil {
			l.Close()
			return nil, nil, nil, err
		}
		return c1, c2, func() { c1.Close(); c2.Close(); l.Close() }, nil
	}
}

// TestBothFamilies has a client reach a node by its name and by both of its addresses,
// also when the link is cut: IPv6 is no way round a fault.
func TestBothFamilies(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(echoServer)
		w.Plan("at 5s partition n1|c1 for 10s")
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			addrs, err := net.LookupHost("n1")
			if err != nil || !slices.Equal(addrs, []string{n.Addr(), n.Addr6()}) {
				t.Fatalf("n1 resolves to %v, %v; want %s and %s", addrs, err, n.Addr(), n.Addr6())
			}
			for _, to := range []string{"n1", n.Addr(), n.Addr6()} {
				echoes(t, "tcp", to)
				echoes(t, "udp", to)
			}
			for _, from := range []string{"10.0.0.2", "fd00::a00:2"} {
				if !slices.Contains(w.Log("n1"), "connection from "+from) {
					t.Errorf("the node says %q, want a connection from %s", w.Log("n1"), from)
				}
			}
			time.Sleep(5 * time.Second)
			for _, to := range addrs {
				if c, err := net.DialTimeout("tcp", net.JoinHostPort(to, "7"), 3*time.Second); err == nil {
					t.Errorf("connected to %s over a link that is cut: %v", to, c.RemoteAddr())
				}
			}
		})
	})
}

// echoes sends to a node's echo and has it back.
func echoes(t *testing.T, network, to string) {
	t.Helper()
	c, err := net.Dial(network, net.JoinHostPort(to, "7"))
	if err != nil {
		t.Errorf("%s to %s: %v", network, to, err)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	b := make([]byte, 5)
	if _, err := c.Write([]byte("hello")); err != nil {
		t.Errorf("%s to %s: %v", network, to, err)
	}
	if _, err := io.ReadFull(c, b); err != nil || string(b) != "hello" {
		t.Errorf("%s to %s: got %q, %v", network, to, b, err)
	}
}

// TestInterfaces asks for what a host has, and has two members of a group hear it.
func TestInterfaces(t *testing.T) {
	inClient(t, func(_ *sim.World, nodes []*sim.Node) {
		list, err := net.Interfaces()
		if err != nil || len(list) != 2 || list[0].Name != "lo" || list[1].Name != "eth0" {
			t.Fatalf("interfaces: %+v, %v; want lo and eth0", list, err)
		}
		var text []string
		for _, i := range list {
			addrs, err := i.Addrs()
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range addrs {
				text = append(text, a.String())
			}
		}
		if want := []string{"127.0.0.1/8", "::1/128", "10.0.0.3/8", "fd00::a00:3/64"}; !slices.Equal(text, want) {
			t.Errorf("addresses: %v, want %v", text, want)
		}
		group := &net.UDPAddr{IP: net.IPv4(239, 1, 2, 3), Port: 9}
		in, err := net.ListenMulticastUDP("udp4", &list[1], group)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		out, err := net.DialUDP("udp4", nil, group)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if _, err := out.Write([]byte("to all")); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 10)
		in.SetDeadline(time.Now().Add(time.Second))
		if n, from, err := in.ReadFromUDP(b); err != nil || string(b[:n]) != "to all" || from.String() != out.LocalAddr().String() {
			t.Errorf("got %q from %v, %v; want what was sent from %v", b[:n], from, err, out.LocalAddr())
		}
	})
}
