package grpc

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Words at the beginning of a backend's lines: what it did, before it answers.
const (
	lineDone      = "done"      // done ID N: the Nth call that this process executed
	lineCollected = "collected" // collected ID SEQ
	lineEchoed    = "echoed"    // echoed ID SEQ
)

// bugAnswerFirst has the backend answer before it executes.
const bugAnswerFirst = "answer-first"

// backend executes calls, and says so on its standard output.
type backend struct {
	name string
	bug  string
	n    atomic.Int64 // calls executed
}

// BackendMain is the main function of a backend: -listen ADDRESS [-bug NAME].
func BackendMain() {
	listen := flag.String("listen", "", "`address` to serve on")
	bug := flag.String("bug", "", "planted fault")
	flag.Parse()
	log.SetFlags(0)
	host, err := os.Hostname()
	if err != nil {
		log.Fatal(err)
	}
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	s.RegisterService(&description, &backend{name: host, bug: *bug})
	log.Fatal(serve(s, *listen))
}

func serve(s *grpc.Server, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return s.Serve(l)
}

// split takes a message's id and number apart.
func split(m *message) (id string, n int, err error) {
	id, number, _ := strings.Cut(m.Value, " ")
	if n, err = strconv.Atoi(number); err != nil {
		err = status.Errorf(codes.InvalidArgument, "message %q: want an id and a number", m.Value)
	}
	return id, n, err
}

// do waits as many milliseconds as it is asked to, and executes if the caller is
// still there.
func (b *backend) do(ctx context.Context, m *message) (*message, error) {
	id, ms, err := split(m)
	if err != nil {
		return nil, err
	}
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-ctx.Done():
		return nil, status.FromContextError(ctx.Err()).Err()
	}
	n := b.n.Add(1)
	execute := func() { fmt.Println(lineDone, id, n) }
	if b.bug == bugAnswerFirst {
		time.AfterFunc(50*time.Millisecond, execute)
	} else {
		execute()
	}
	return text(id, b.name, n), nil
}

// each calls f for each message of a stream, until its end.
func each(s grpc.ServerStream, f func(id string, seq int) error) error {
	for {
		m := new(message)
		if err := s.RecvMsg(m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		id, seq, err := split(m)
		if err != nil {
			return err
		}
		if err := f(id, seq); err != nil {
			return err
		}
	}
}

func (b *backend) collect(s grpc.ServerStream) error {
	n := 0
	err := each(s, func(id string, seq int) error {
		n++
		fmt.Println(lineCollected, id, seq)
		return nil
	})
	if err != nil {
		return err
	}
	return s.SendMsg(text("collected", n))
}

func (b *backend) list(s grpc.ServerStream) error {
	m := new(message)
	if err := s.RecvMsg(m); err != nil {
		return err
	}
	id, n, err := split(m)
	if err != nil {
		return err
	}
	for i := range n {
		if err := s.SendMsg(text(id, i)); err != nil {
			return err
		}
	}
	return nil
}

func (b *backend) echo(s grpc.ServerStream) error {
	return each(s, func(id string, seq int) error {
		fmt.Println(lineEchoed, id, seq)
		return s.SendMsg(text(id, seq))
	})
}
