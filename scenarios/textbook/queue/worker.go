package queue

import (
	"flag"
	"log"
	"os"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	idle  = 80 * time.Millisecond // between two looks at an empty queue
	hands = 2                     // messages that a worker is at, at most
)

// worker takes messages to the sink.
type worker struct {
	broker, sink wire.Addr
	bug          string
}

// WorkerMain runs a worker until the process ends.
func WorkerMain() {
	var w worker
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flags.String("listen", "", "is not used: nobody asks a worker")
	flags.StringVar((*string)(&w.broker), "broker", "", "`address` of the broker")
	flags.StringVar((*string)(&w.sink), "sink", "", "`address` of the sink")
	flags.StringVar(&w.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	for range hands - 1 {
		go w.work()
	}
	w.work()
}

func (w worker) work() {
	for {
		m, err := wire.Call[Message](w.broker, "/receive", struct{}{}, callTimeout)
		if err != nil || m.Seq == 0 {
			time.Sleep(idle)
			continue
		}
		if err := w.handle(m); err != nil {
			log.Printf("message %d: %v", m.Seq, err)
		}
	}
}

// handle acknowledges a message once the sink has it. If that fails, the broker
// hands it out again.
func (w worker) handle(m Message) error {
	if w.bug == bugAckFirst {
		w.ack(m)
	}
	if _, err := wire.Call[struct{}](w.sink, "/do", m, callTimeout); err != nil && w.bug != bugErrorDropped {
		return err
	}
	return w.ack(m)
}

func (w worker) ack(m Message) error {
	_, err := wire.Call[struct{}](w.broker, "/ack", m, callTimeout)
	return err
}
