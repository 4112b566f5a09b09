package nats

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim"
)

const (
	streamName   = "ORDERS"
	consumerName = "worker"
	copies       = 3
	callTimeout  = 2 * time.Second
)

// connect returns a connection that comes back by itself, to whichever server
// answers.
func connect(nodes []*sim.Node) (jetstream.JetStream, error) {
	var urls []string
	for _, n := range nodes {
		urls = append(urls, "nats://"+n.Addr()+":4222")
	}
	nc, err := nats.Connect(strings.Join(urls, ","), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(100*time.Millisecond), nats.Timeout(time.Second), nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2))
	if err != nil {
		return nil, err
	}
	return jetstream.New(nc)
}

func timeout() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), callTimeout)
}

// create makes the stream and its consumer, once the servers have found each other.
func create(js jetstream.JetStream) error {
	ctx, cancel := timeout()
	defer cancel()
	s, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{"orders.>"}, Replicas: copies, AllowDirect: true,
	})
	if err != nil {
		return err
	}
	_, err = s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: 2 * time.Second, MaxAckPending: 20,
	})
	return err
}

// publisher publishes numbered messages, one at a time.
type publisher struct {
	js jetstream.JetStream
	h  *oracle.History
	c  *sim.Client
}

// run publishes until the safety phase ends. A message that was not acknowledged
// is mostly sent again, under its id, as the documentation advises.
func (p *publisher) run() {
	for i := 0; p.c.Active(); i++ {
		id := p.c.Name() + "-" + strconv.Itoa(i)
		for p.c.Active() && !p.publish(id) && p.c.Choices().Intn(4) != 0 {
			p.c.Sleep(p.c.Choices().Between(10*time.Millisecond, time.Second))
		}
		p.c.Sleep(p.c.Choices().Between(time.Millisecond, 200*time.Millisecond))
	}
}

// publish reports whether the stream has acknowledged the message.
func (p *publisher) publish(id string) bool {
	op := p.h.Invoke(oracle.Call{Process: p.c.Name(), Type: opPublish, Key: streamName, Input: id})
	ctx, cancel := timeout()
	defer cancel()
	ack, err := p.js.Publish(ctx, "orders."+p.c.Name(), []byte(id), jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	if err != nil {
		op.Unknown(err)
		return false
	}
	op.OK(strconv.FormatUint(ack.Sequence, 10))
	return true
}

// worker takes messages of the durable consumer and acknowledges them.
type worker struct {
	h  *oracle.History
	js jetstream.JetStream
	// name is who does it, in the history.
	name string
}

// take takes some messages, and reports how many there were.
func (k *worker) take(n int, wait time.Duration) (got int, err error) {
	ctx, cancel := timeout()
	defer cancel()
	c, err := k.js.Consumer(ctx, streamName, consumerName)
	if err != nil {
		return 0, err
	}
	batch, err := c.Fetch(n, jetstream.FetchMaxWait(wait))
	if err != nil {
		return 0, err
	}
	for m := range batch.Messages() {
		k.acknowledge(m)
		got++
	}
	return got, batch.Error()
}

// acknowledge records that a message came, and whether its acknowledgement was
// confirmed.
func (k *worker) acknowledge(m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		panic(err) // not a message of a consumer
	}
	delivery := message{seq: meta.Sequence.Stream, id: string(m.Data())}.delivery()
	call := oracle.Call{Process: k.name, Type: opDeliver, Key: streamName, Input: delivery}
	k.h.Invoke(call).OK("")
	call.Type = opAck
	op := k.h.Invoke(call)
	ctx, cancel := timeout()
	defer cancel()
	if err := m.DoubleAck(ctx); err != nil {
		op.Unknown(err)
		return
	}
	op.OK("")
}

// run takes messages until the safety phase ends.
func (k *worker) run(c *sim.Client) {
	for c.Active() {
		_, _ = k.take(1+c.Choices().Intn(10), time.Second)
		c.Sleep(c.Choices().Between(time.Millisecond, 500*time.Millisecond))
	}
}

// drain takes messages until none is left to be taken or acknowledged.
func (k *worker) drain() error {
	if got, err := k.take(100, 500*time.Millisecond); got > 0 || err != nil {
		return errors.Join(err, fmt.Errorf("%d messages were still taken", got))
	}
	ctx, cancel := timeout()
	defer cancel()
	c, err := k.js.Consumer(ctx, streamName, consumerName)
	if err != nil {
		return err
	}
	if i := c.CachedInfo(); i.NumPending > 0 || i.NumAckPending > 0 {
		return fmt.Errorf("%d messages to be taken, %d to be acknowledged", i.NumPending, i.NumAckPending)
	}
	return nil
}

// read returns the stream up to a sequence that all copies have reached, each
// message by a copy that the servers choose.
func read(js jetstream.JetStream, last uint64) (out []message, err error) {
	ctx, cancel := timeout()
	defer cancel()
	s, err := js.Stream(ctx, streamName)
	if err != nil {
		return nil, err
	}
	for seq := uint64(1); seq <= last; seq++ {
		m, err := readOne(s, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue // a gap, for the oracle to see
		}
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", seq, err)
		}
		out = append(out, message{m.Sequence, m.Subject, string(m.Data)})
	}
	return out, nil
}

// readOne asks again when no answer comes: a request is lost if the server that is
// to answer it loses its connection.
func readOne(s jetstream.Stream, seq uint64) (m *jetstream.RawStreamMsg, err error) {
	for range 30 {
		ctx, cancel := timeout()
		m, err = s.GetMsg(ctx, seq)
		cancel()
		if err == nil || errors.Is(err, jetstream.ErrMsgNotFound) {
			break
		}
	}
	return m, err
}
