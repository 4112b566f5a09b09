package oracle

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// Clock tells true time in nanoseconds: inside a world, the virtual time that no
// node's clock fault bends.
type Clock interface {
	Now() int64
}

// ClockFunc is a Clock that is a function.
type ClockFunc func() int64

// Now calls f.
func (f ClockFunc) Now() int64 { return f() }

// Watcher is a Clock that is told of calls: a world enters them into its trace.
type Watcher interface {
	// Called tells of the invocation of the call with that id, and of its completion.
	Called(id int, what string)
}

// Meter is a Clock that is told how calls go: a world counts its load by it.
type Meter interface {
	// Tally tells of calls that began or ended just now.
	Tally(n outcome.Ops)
}

// History records the calls of clients. It is safe for concurrent use, so that
// the clients of real processes can share one.
type History struct {
	clock   Clock
	watcher Watcher // nil if the clock is none
	meter   Meter   // nil if the clock is none
	start   int64
	// bare histories were read from a file without times: theirs are places.
	bare bool

	mu     sync.Mutex
	ops    []Op // by Begin
	events int
	epoch  int
	misuse error // the first wrong use, which makes every verdict unknown
}

// NewHistory returns an empty history that starts now.
func NewHistory(clock Clock) *History {
	watcher, _ := clock.(Watcher)
	meter, _ := clock.(Meter)
	return &History{clock: clock, watcher: watcher, meter: meter, start: clock.Now()}
}

// Start returns the time that reports count from.
func (h *History) Start() int64 { return h.start }

// Err returns the first wrong use of the history, such as a call that was
// completed twice. A history with one proves nothing.
func (h *History) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.misuse
}

// SetEpoch begins an epoch of faults: calls invoked from now on carry it.
func (h *History) SetEpoch(epoch int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.epoch = epoch
}

// Invoke records that a client is about to make a call. It must come before the
// call's first effect, and the completion after its last.
func (h *History) Invoke(c Call) Pending {
	op := Op{
		Process: clean(c.Process), Type: clean(c.Type), Key: clean(c.Key),
		Input: clean(c.Input), Node: clean(c.Node), Status: StatusOpen,
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events++
	op.ID, op.Begin, op.Epoch, op.Invoke = len(h.ops), h.events, h.epoch, h.clock.Now()
	h.ops = append(h.ops, op)
	h.tell(&op)
	return Pending{h, op.ID}
}

// Ops returns a copy of every call so far, in the order of their invocations.
func (h *History) Ops() []Op {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Op(nil), h.ops...)
}

// Counts says how many calls ended how.
type Counts struct {
	Invoked int
	OK      int
	Failed  int // refused for certain
	Unknown int // no answer, open ones included
}

// Counts counts the calls so far.
func (h *History) Counts() Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := Counts{Invoked: len(h.ops)}
	for i := range h.ops {
		switch h.ops[i].Status {
		case StatusOK:
			c.OK++
		case StatusFailed:
			c.Failed++
		default:
			c.Unknown++
		}
	}
	return c
}

// Pending is a call that waits for its answer. It ends by one of OK, Fail and
// Unknown, once; one that never does stays open.
type Pending struct {
	h  *History
	id int
}

// ID returns the call's id in the history.
func (p Pending) ID() int { return p.id }

// Node notes which node answered.
func (p Pending) Node(name string) Pending {
	p.h.mu.Lock()
	defer p.h.mu.Unlock()
	p.h.ops[p.id].Node = clean(name)
	return p
}

// OK completes the call: it took effect and answered output.
func (p Pending) OK(output string) { p.complete(StatusOK, output, nil) }

// Fail completes the call: it was refused and did not, and will not, take effect.
func (p Pending) Fail(err error) { p.complete(StatusFailed, "", err) }

// Unknown completes the call without an answer: it may take effect yet.
func (p Pending) Unknown(err error) { p.complete(StatusUnknown, "", err) }

func (p Pending) complete(s Status, output string, err error) {
	h := p.h
	h.mu.Lock()
	defer h.mu.Unlock()
	op := &h.ops[p.id]
	if op.Status != StatusOpen {
		if h.misuse == nil {
			h.misuse = fmt.Errorf("history: call %d (%s of %s) completed as %s, it was %s already: record a retry as a call of its own",
				op.ID, op.Type, op.Process, s, op.Status)
		}
		return
	}
	h.events++
	op.Status, op.Output, op.End, op.Complete = s, clean(output), h.events, h.clock.Now()
	if err != nil {
		op.Error, op.Timeout = clean(err.Error()), isTimeout(err)
	}
	h.tell(op)
}

// tell tells the watcher and the meter of a call's invocation or completion.
func (h *History) tell(op *Op) {
	if h.watcher != nil {
		h.watcher.Called(op.ID, op.String())
	}
	if h.meter != nil {
		h.meter.Tally(op.Status.step())
	}
}

// step is what the call adds to the counts when it comes to this status.
func (s Status) step() outcome.Ops {
	switch s {
	case StatusOpen:
		return outcome.Ops{Invoked: 1}
	case StatusOK:
		return outcome.Ops{OK: 1}
	case StatusFailed:
		return outcome.Ops{Failed: 1}
	}
	return outcome.Ops{Unknown: 1}
}

// isTimeout knows the deadlines of context, net and os.
func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// clean keeps bytes that are no text out of the history, which files could not hold.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strconv.QuoteToASCII(s)
}
