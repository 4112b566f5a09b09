package nats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// The calls of a history.
const (
	opPublish = "publish" // an id; answers the sequence that the stream gave it
	opDeliver = "deliver" // a sequence and an id, that came to the worker
	opAck     = "ack"     // the same, whose acknowledgement is sent; ok once it is confirmed
)

// message is a message as the stream holds it at the end.
type message struct {
	seq     uint64
	subject string
	id      string
}

// delivery is what the history calls a delivery of the message.
func (m message) delivery() string { return oracle.Values(strconv.FormatUint(m.seq, 10), m.id) }

// judge compares a history with the stream that was read at the end.
type judge struct {
	ops    []oracle.Op
	stream []message
	places map[string]uint64 // id to sequence
}

// check returns what is wrong first.
func (j *judge) check() error {
	for _, step := range []func() error{j.whole, j.acknowledged, j.ordered, j.delivered} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// whole: the stream has no gaps, no message twice, and none that nobody published.
func (j *judge) whole() error {
	invoked := map[string]string{} // id to who published it
	for _, op := range j.ops {
		if op.Type == opPublish {
			invoked[op.Input] = op.Process
		}
	}
	j.places = map[string]uint64{}
	for i, m := range j.stream {
		if want := uint64(i + 1); m.seq != want {
			return fmt.Errorf("the stream has no message %d, but %d", want, m.seq)
		}
		if at, twice := j.places[m.id]; twice {
			return fmt.Errorf("message %s is in the stream twice, at %d and %d", m.id, at, m.seq)
		}
		j.places[m.id] = m.seq
		if by, ok := invoked[m.id]; !ok || m.subject != "orders."+by {
			return fmt.Errorf("message %d is %s of %s, which nobody published so", m.seq, m.id, m.subject)
		}
	}
	return nil
}

// acknowledged: every message that was acknowledged is where it was said to be.
func (j *judge) acknowledged() error {
	for _, op := range j.ops {
		if op.Type != opPublish || op.Status != oracle.StatusOK {
			continue
		}
		if at := strconv.FormatUint(j.places[op.Input], 10); at != op.Output {
			return fmt.Errorf("message %s was acknowledged at %s, but is at %s (0 is nowhere)", op.Input, op.Output, at)
		}
	}
	return nil
}

// ordered: a message is behind all that were acknowledged before it was first sent.
func (j *judge) ordered() error {
	type end struct {
		event int
		seq   uint64
	}
	var acks []end // by event, their sequences growing
	for _, op := range j.ops {
		if op.Type == opPublish && op.Status == oracle.StatusOK {
			acks = append(acks, end{op.End, j.places[op.Input]})
		}
	}
	slices.SortFunc(acks, func(a, b end) int { return a.event - b.event })
	for i := 1; i < len(acks); i++ {
		acks[i].seq = max(acks[i].seq, acks[i-1].seq)
	}
	seen := map[string]bool{}
	for _, op := range j.ops {
		seq := j.places[op.Input]
		if op.Type != opPublish || seen[op.Input] || seq == 0 {
			continue
		}
		seen[op.Input] = true
		i, _ := slices.BinarySearchFunc(acks, op.Begin, func(e end, begin int) int { return e.event - begin })
		if i > 0 && acks[i-1].seq >= seq {
			return fmt.Errorf("message %s is at %d, but %d had been acknowledged before it was sent", op.Input, seq, acks[i-1].seq)
		}
	}
	return nil
}

// delivered: what came is what the stream holds, and nothing came again after its
// acknowledgement was confirmed.
func (j *judge) delivered() error {
	confirmed := map[string]int{} // delivery to event
	for _, op := range j.ops {
		if _, twice := confirmed[op.Input]; !twice && op.Type == opAck && op.Status == oracle.StatusOK {
			confirmed[op.Input] = op.End
		}
	}
	for _, op := range j.ops {
		if op.Type != opDeliver {
			continue
		}
		if seq := strconv.FormatUint(j.places[op.Arg(1)], 10); seq != op.Arg(0) {
			return fmt.Errorf("message %s was delivered as %s, but is at %s (0 is nowhere)", op.Arg(1), op.Arg(0), seq)
		}
		if end, ok := confirmed[op.Input]; ok && end < op.Begin {
			return fmt.Errorf("message %s was delivered again after its acknowledgement had been confirmed", op.Arg(1))
		}
	}
	return nil
}

// reach returns the highest sequence that a publisher or the worker was told of.
func reach(ops []oracle.Op) (last uint64) {
	for _, op := range ops {
		switch {
		case op.Type == opPublish && op.Status == oracle.StatusOK:
			last = max(last, sequence(op.Output))
		case op.Type == opDeliver:
			last = max(last, sequence(op.Arg(0)))
		}
	}
	return last
}

func sequence(text string) uint64 {
	seq, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(err) // the history is ours
	}
	return seq
}

// undelivered returns the first message of the stream that never came.
func undelivered(ops []oracle.Op, stream []message) error {
	came := map[string]bool{}
	for _, op := range ops {
		if op.Type == opDeliver {
			came[op.Input] = true
		}
	}
	for _, m := range stream {
		if !came[m.delivery()] {
			return fmt.Errorf("message %s, at %d, was not delivered", m.id, m.seq)
		}
	}
	return nil
}

// sound is the check of a run whose stream was read at the end.
func sound(h *oracle.History, stream *[]message) outcome.Checker {
	return outcome.Func("stream", func() outcome.Outcome {
		if h.Counts().OK == 0 {
			return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "no call was answered"}
		}
		j := &judge{ops: h.Ops(), stream: *stream}
		if err := j.check(); err != nil {
			return outcome.Outcome{Verdict: outcome.Violation, Message: err.Error(), Detail: j.detail()}
		}
		return outcome.Outcome{Verdict: outcome.OK}
	})
}

// detail lists the stream.
func (j *judge) detail() string {
	var b strings.Builder
	for _, m := range j.stream {
		fmt.Fprintf(&b, "%d %s\n", m.seq, m.id)
	}
	return b.String()
}
