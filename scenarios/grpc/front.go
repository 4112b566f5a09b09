package grpc

import (
	"context"
	"errors"
	"flag"
	"io"
	"log"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
)

// Planted faults of the front.
const (
	bugDropMessage = "drop-message" // of a stream, the fourth answer is lost
	bugRetry       = "retry"        // a call that is not answered soon is sent to another backend
)

// front forwards every call, whatever its method, to one backend after the other.
type front struct {
	backends []*grpc.ClientConn
	turn     atomic.Uint64
	bug      string
}

// FrontMain is the main function of a front: -listen ADDRESS -backends
// ADDRESS,ADDRESS [-bug NAME].
func FrontMain() {
	listen := flag.String("listen", "", "`address` to serve on")
	backends := flag.String("backends", "", "`addresses` of the backends, separated by commas")
	bug := flag.String("bug", "", "planted fault")
	flag.Parse()
	log.SetFlags(0)
	f := &front{bug: *bug}
	for addr := range strings.SplitSeq(*backends, ",") {
		c, err := dial(addr)
		if err != nil {
			log.Fatal(err)
		}
		f.backends = append(f.backends, c)
	}
	s, err := newServer(grpc.UnknownServiceHandler(f.forward))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(serve(s, *listen))
}

func (f *front) next() *grpc.ClientConn {
	return f.backends[f.turn.Add(1)%uint64(len(f.backends))]
}

func (f *front) forward(_ any, in grpc.ServerStream) error {
	name, _ := grpc.MethodFromServerStream(in)
	if f.bug == bugRetry && name == methodDo {
		return f.retry(in)
	}
	out, err := f.next().NewStream(in.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, name)
	if err != nil {
		return err
	}
	go requests(in, out)
	return f.answers(in, out)
}

// requests passes a caller's messages on until there are no more.
func requests(in grpc.ServerStream, out grpc.ClientStream) {
	for {
		m := new(message)
		if err := in.RecvMsg(m); errors.Is(err, io.EOF) {
			out.CloseSend()
			return
		} else if err != nil {
			return // the caller has gone, and the call's context with it
		}
		if out.SendMsg(m) != nil {
			return // the answers end with the reason
		}
	}
}

// answers passes a backend's messages on until there are no more.
func (f *front) answers(in grpc.ServerStream, out grpc.ClientStream) error {
	for n := 0; ; n++ {
		m := new(message)
		if err := out.RecvMsg(m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if f.bug == bugDropMessage && n == 3 {
			continue
		}
		if err := in.SendMsg(m); err != nil {
			return err
		}
	}
}

// patience is how long an answer may take before the retry.
const patience = 300 * time.Millisecond

// retry makes a call again where it must not: the first may have been executed.
func (f *front) retry(in grpc.ServerStream) error {
	m, answer := new(message), new(message)
	if err := in.RecvMsg(m); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(in.Context(), patience)
	defer cancel()
	err := f.next().Invoke(ctx, methodDo, m, answer)
	if err != nil {
		err = f.next().Invoke(in.Context(), methodDo, m, answer)
	}
	if err != nil {
		return err
	}
	return in.SendMsg(answer)
}
