// Package queue carries work from producers to a sink, each piece exactly once: a
// broker keeps it and hands it out until it is acknowledged, workers pass it on, and
// the sink knows what it has done.
package queue

import (
	"flag"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	callTimeout = 300 * time.Millisecond
	// redeliverAfter is how long a worker has before a message is another's.
	redeliverAfter = 500 * time.Millisecond
)

// A Message is a piece of work. Its ID is the producer's, and the same in each try
// to send it; its Seq, from 1, is the broker's.
type Message struct {
	ID, Body string
	Seq      int
}

// broker is a queue.
type broker struct {
	bug string
	log *journal.Journal

	mu      sync.Mutex
	last    int            // Seq of the newest message
	ids     map[string]int // Seq of all that were ever sent, by ID
	waiting []*delivery    // what is not acknowledged, by Seq
}

// delivery is a message that waits for its acknowledgement.
type delivery struct {
	Message
	again time.Time // when it is handed out next
}

// record is a message that was sent, or the Seq of one that was acknowledged.
type record struct {
	Sent  *Message `json:",omitempty"`
	Acked int      `json:",omitempty"`
}

// BrokerMain runs the broker until the process ends.
func BrokerMain() {
	b := &broker{ids: map[string]int{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&b.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if b.log, err = journal.Open("/messages", b.apply); err != nil {
		log.Fatal(err)
	}
	if b.bug == bugSeqReused {
		b.last = b.lastWaiting()
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/send", b.send)
	wire.Handle(mux, "/receive", b.receive)
	wire.Handle(mux, "/ack", b.ack)
	wire.Handle(mux, "/depth", b.depth)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

func (b *broker) apply(r record) {
	if r.Sent != nil {
		b.last = r.Sent.Seq
		b.ids[r.Sent.ID] = r.Sent.Seq
		b.waiting = append(b.waiting, &delivery{Message: *r.Sent})
		return
	}
	for i, d := range b.waiting {
		if d.Seq == r.Acked {
			b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
			if b.bug == bugShortWindow {
				delete(b.ids, d.ID)
			}
			return
		}
	}
}

// send keeps a message. One that was sent before, whose answer was lost, is kept
// once.
func (b *broker) send(m Message) (Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if seq, again := b.ids[m.ID]; again {
		m.Seq = seq
		return m, nil
	}
	m.Seq = b.last + 1
	r := record{Sent: &m}
	keep := b.log.Append
	if b.bug == bugSendUnsynced {
		keep = b.log.Write
	}
	if err := keep(r); err != nil {
		log.Fatal(err)
	}
	b.apply(r)
	return m, nil
}

// receive hands the oldest message out that no worker is at, if there is one.
func (b *broker) receive(struct{}) (Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.waiting {
		if now := time.Now(); d.again.Before(now) {
			d.again = now.Add(redeliverAfter)
			return d.Message, nil
		}
	}
	return Message{}, nil
}

func (b *broker) ack(m Message) (struct{}, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := record{Acked: m.Seq}
	if err := b.log.Append(r); err != nil {
		log.Fatal(err)
	}
	b.apply(r)
	return struct{}{}, nil
}

// depth is how many messages are not acknowledged.
func (b *broker) depth(struct{}) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting), nil
}
