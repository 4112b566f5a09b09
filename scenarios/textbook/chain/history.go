package chain

import (
	"log"
	"slices"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"
)

// history is all operations but reads, in order, and what they came to. It is on the
// disk before anybody is told.
type history struct {
	disk *journal.Journal
	bug  string
	ops  []kv.Op
	data map[string]string
}

// record is operations that follow, or that are all there are.
type record struct {
	Ops []kv.Op
	All bool
}

func openHistory(path, bug string) (*history, error) {
	h := &history{bug: bug, data: map[string]string{}}
	disk, err := journal.Open(path, h.replay)
	h.disk = disk
	return h, err
}

func (h *history) replay(r record) {
	if r.All {
		h.ops = nil
		clear(h.data)
	}
	for _, op := range r.Ops {
		h.apply(op)
	}
}

func (h *history) apply(op kv.Op) (r kv.Result) {
	r.Value = h.data[op.Key]
	if op.Type == "put" || r.Value == op.Old {
		h.data[op.Key], r.Done = op.Value, true
	}
	h.ops = append(h.ops, op)
	return r
}

// keep makes a record durable. What is on the disk is not known if that fails.
func (h *history) keep(r record) {
	write := h.disk.Append
	if h.bug == bugUnsynced {
		write = h.disk.Write
	}
	if err := write(r); err != nil {
		log.Fatal(err)
	}
}

// add adds an operation and returns what it came to.
func (h *history) add(op kv.Op) kv.Result {
	h.keep(record{Ops: []kv.Op{op}})
	return h.apply(op)
}

func (h *history) extend(ops []kv.Op) {
	h.keep(record{Ops: ops})
	for _, op := range ops {
		h.apply(op)
	}
}

// reset replaces everything, if it is not what is there already.
func (h *history) reset(ops []kv.Op) {
	if n := len(h.ops); n <= len(ops) && slices.Equal(h.ops, ops[:n]) {
		if n < len(ops) {
			h.extend(ops[n:])
		}
		return
	}
	r := record{Ops: ops, All: true}
	h.keep(r)
	h.replay(r)
}

func (h *history) read(key string) kv.Result { return kv.Result{Value: h.data[key]} }

func (h *history) len() int { return len(h.ops) }

func (h *history) from(i int) []kv.Op { return slices.Clone(h.ops[i:]) }
