// Package sockets runs what package net promises of its connections in a world: the
// conformance tests of golang.org/x/net/nettest, name resolution and interfaces, and
// both families of addresses under faults.
package sockets

import (
	"errors"
	"fmt"
	"io"
	"net"
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
	})
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

// TestConn is nettest's, over every network whose connections are streams or records.
func TestConn(t *testing.T) {
	inClient(t, func(*sim.World, []*sim.Node) {
		for _, network := range []string{"tcp", "tcp4", "tcp6", "unix", "unixpacket"} {
			if !nettest.TestableNetwork(network) {
				t.Errorf("%s cannot be tested here", network)
				continue
			}
			t.Run(network, func(t *testing.T) { nettest.TestConn(t, overListener(network)) })
		}
		t.Run("pipe", func(t *testing.T) {
			nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
				c1, c2 = net.Pipe()
				return c1, c2, func() { c1.Close(); c2.Close() }, nil
			})
		})
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
