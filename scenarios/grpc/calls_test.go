package grpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
	"google.golang.org/grpc"
)

// call is one call and what its caller saw.
type call struct {
	id       string
	method   string
	deadline time.Duration
	took     time.Duration
	want     int    // messages that the caller means to send or to get
	got      []int  // numbers of the messages that were answered
	answer   string // of a call with one answer
	err      error  // nil: it was acknowledged
}

// caller makes calls as one client, one after another.
type caller struct {
	c     *sim.Client
	w     *sim.World
	conn  *grpc.ClientConn
	calls []*call
}

var methods = []string{methodDo, methodCollect, methodList, methodEcho}

func (cl *caller) work() {
	conn, err := dial(frontName + ":443")
	if err != nil {
		cl.w.T().Fatal(err)
	}
	cl.conn = conn
	choices := cl.c.Choices()
	for i := 0; cl.c.Active(); i++ {
		c := &call{
			id:       fmt.Sprintf("%s-%d", cl.c.Name(), i),
			method:   methods[choices.Intn(len(methods))],
			deadline: choices.Between(50*time.Millisecond, 2*time.Second),
			want:     1 + choices.Intn(20),
		}
		cl.calls = append(cl.calls, c)
		cl.make(c)
		cl.c.Sleep(choices.Between(time.Millisecond, 200*time.Millisecond))
	}
}

func (cl *caller) make(c *call) {
	begun := cl.w.Now()
	ctx, cancel := context.WithTimeout(context.Background(), c.deadline)
	defer cancel()
	switch c.method {
	case methodDo:
		c.err = cl.do(ctx, c)
	case methodCollect:
		c.err = cl.collect(ctx, c)
	case methodList:
		c.err = cl.list(ctx, c)
	case methodEcho:
		c.err = cl.echo(ctx, c)
	}
	c.took = time.Duration(cl.w.Now() - begun)
	if c.err != nil {
		fmt.Println(c.id, method(c.method), c.took, c.err) // shown by replay -v
	}
}

func (cl *caller) do(ctx context.Context, c *call) error {
	answer := new(message)
	err := cl.conn.Invoke(ctx, methodDo, text(c.id, cl.c.Choices().Intn(300)), answer)
	c.answer = answer.Value
	return err
}

func (cl *caller) open(ctx context.Context, method string) (grpc.ClientStream, error) {
	return cl.conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method)
}

// send sends the call's messages, with pauses.
func (cl *caller) send(s grpc.ClientStream, c *call) error {
	for i := range c.want {
		if cl.c.Choices().Intn(3) == 0 {
			cl.c.Sleep(cl.c.Choices().Between(0, 50*time.Millisecond))
		}
		if err := s.SendMsg(text(c.id, i)); err != nil {
			return err
		}
	}
	return s.CloseSend()
}

func (cl *caller) collect(ctx context.Context, c *call) error {
	s, err := cl.open(ctx, methodCollect)
	if err != nil {
		return err
	}
	// What ends the stream while it sends is told by the answer.
	if err := cl.send(s, c); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	m := new(message)
	if err := s.RecvMsg(m); err != nil {
		return err
	}
	c.answer = m.Value
	if err := s.RecvMsg(new(message)); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (cl *caller) list(ctx context.Context, c *call) error {
	s, err := cl.open(ctx, methodList)
	if err != nil {
		return err
	}
	if err := s.SendMsg(text(c.id, c.want)); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := s.CloseSend(); err != nil {
		return err
	}
	return receive(s, c)
}

func (cl *caller) echo(ctx context.Context, c *call) error {
	s, err := cl.open(ctx, methodEcho)
	if err != nil {
		return err
	}
	sent := make(chan error, 1)
	go func() { sent <- cl.send(s, c) }()
	err = receive(s, c)
	if sendErr := <-sent; err == nil && sendErr != nil {
		return sendErr
	}
	return err
}

// receive takes answers until the stream ends. Only one that ended well is
// acknowledged.
func receive(s grpc.ClientStream, c *call) error {
	for {
		m := new(message)
		if err := s.RecvMsg(m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		id, n, err := split(m)
		if err != nil || id != c.id {
			n = -1 // not an answer to this call: never the next number
		}
		c.got = append(c.got, n)
	}
}

// count counts calls by how they ended.
func count(callers []*caller) (ops run.Ops) {
	for _, cl := range callers {
		for _, c := range cl.calls {
			ops.Invoked++
			if c.err == nil {
				ops.OK++
			} else {
				ops.Unknown++
			}
		}
	}
	return ops
}
