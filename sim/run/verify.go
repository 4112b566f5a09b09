package run

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/trace"
)

// Difference is where two runs of one request part.
type Difference struct {
	HashA string `json:"hash_a"`
	HashB string `json:"hash_b"`
	// Index is the first event that differs, from 0; -1 if only an interval is known.
	Index int64 `json:"index"`
	// From and To bound the first event that differs, by checkpoints of the hash.
	From   uint64   `json:"from"`
	To     uint64   `json:"to"`
	A      string   `json:"a,omitempty"` // the events, as text
	B      string   `json:"b,omitempty"`
	StackA []string `json:"stack_a,omitempty"` // of the goroutines that they are of, innermost first
	StackB []string `json:"stack_b,omitempty"`
	Note   string   `json:"note,omitempty"`
}

// String says in one line where the runs part.
func (d *Difference) String() string {
	if d.Index >= 0 {
		return fmt.Sprintf("event %d is %q in one and %q in the other", d.Index, d.A, d.B)
	}
	return fmt.Sprintf("hash %s and %s, between events %d and %d", d.HashA, d.HashB, d.From, d.To)
}

// Lines says it with both stacks.
func (d *Difference) Lines() []string {
	lines := []string{d.String()}
	for _, side := range []struct {
		name  string
		event string
		stack []string
	}{{"first run", d.A, d.StackA}, {"second run", d.B, d.StackB}} {
		if side.event == "" {
			continue
		}
		lines = append(lines, side.name+": "+side.event)
		for _, f := range side.stack {
			lines = append(lines, "    "+f)
		}
	}
	if d.Note != "" {
		lines = append(lines, d.Note)
	}
	return lines
}

// same reports whether two runs are equal in everything that a result tells.
func same(a, b Output) bool {
	ra, rb := a.Result, b.Result
	ra.Checkpoints, rb.Checkpoints, ra.Log, rb.Log = nil, nil, nil, nil
	return reflect.DeepEqual(ra, rb)
}

// compare tells what two unequal runs show without a record of their events, once
// recorded pairs were equal.
func compare(a, b Output) *Difference {
	d := &Difference{HashA: a.Hash, HashB: b.Hash, Index: -1, To: max(a.Events64(), b.Events64())}
	d.Note = fmt.Sprintf("%d more pairs of runs, recorded, were equal: it is rare", locateTries)
	for i := range min(len(a.Checkpoints), len(b.Checkpoints)) {
		if a.Checkpoints[i] != b.Checkpoints[i] {
			d.To = uint64(i+1) * CheckpointEvery
			break
		}
		d.From = uint64(i+1) * CheckpointEvery
	}
	if a.Hash == b.Hash {
		d.Note = fmt.Sprintf("the events are equal, what came of them is not: %s and %s", summaryOf(a), summaryOf(b))
	}
	return d
}

func summaryOf(o Output) string {
	if o.Violation != nil {
		return o.Violation.Oracle + ": " + o.Violation.Message
	}
	return strings.TrimSpace(string(o.Verdict) + " " + o.Reason)
}

// Verify makes a run twice, each in a fresh process. It returns nil if both are
// equal, or else where they part. A run that died or hung is compared with nothing:
// that is an error.
func Verify(ctx context.Context, s Scenario, req Request, o WorkerOptions) (*Difference, error) {
	var runs [2]Output
	for i := range runs {
		out, err := Fresh(ctx, s, req, o)
		if err != nil {
			return nil, err
		}
		if out.lost() {
			return nil, fmt.Errorf("seed %d: nothing to compare: %s: %s", req.Seed, out.Verdict, out.Reason)
		}
		runs[i] = out
	}
	a, b := runs[0], runs[1]
	if same(a, b) {
		return nil, nil
	}
	d, err := locate(ctx, s, req, o.Watchdog)
	if err != nil || d != nil {
		return d, err
	}
	return compare(a, b), nil
}

// lost reports whether the run ended without a result.
func (o Output) lost() bool { return o.Verdict.Lost() }

// Fresh makes a run in a process of its own.
func Fresh(ctx context.Context, s Scenario, req Request, o WorkerOptions) (Output, error) {
	w, err := StartWorker(ctx, s, o)
	if err != nil {
		return Output{}, err
	}
	defer w.Close()
	return w.Run(ctx, req)
}

// locateTries is how many pairs of recorded runs are made in search of a difference.
const locateTries = 5

// locate records pairs of runs until two differ, and finds the first event in
// which they do. It returns nil if none differ while they are recorded.
func locate(ctx context.Context, s Scenario, req Request, watchdog time.Duration) (*Difference, error) {
	req.Record = RecordStacks
	for range locateTries {
		a, err := Fresh(ctx, s, req, WorkerOptions{Watchdog: watchdog})
		if err != nil {
			return nil, err
		}
		b, err := Fresh(ctx, s, req, WorkerOptions{Watchdog: watchdog})
		if err != nil {
			return nil, err
		}
		if d := firstDifference(a, b); d != nil {
			return d, nil
		}
		if !same(a, b) {
			return unrecorded(a, b), nil
		}
	}
	return nil, nil
}

// unrecorded is the difference of two runs whose records are equal: past the end
// of records without room, or in what came of equal events.
func unrecorded(a, b Output) *Difference {
	d := compare(a, b)
	if a.Hash != b.Hash {
		d.Note = "the runs part after the end of their records, for which there was no room"
	}
	return d
}

// firstDifference compares the recorded events of two runs.
func firstDifference(a, b Output) *Difference {
	ra, rb := trace.NewReader(a.Events), trace.NewReader(b.Events)
	na, nb := trace.NewNames(), trace.NewNames()
	for i := int64(0); ; {
		ea, okA := nextCause(ra)
		eb, okB := nextCause(rb)
		if !okA && !okB {
			return nil
		}
		na.Learn(ea)
		nb.Learn(eb)
		if okA && okB && equal(ea, eb) {
			if ea.Kind.Hashed() {
				i++
			}
			continue
		}
		d := &Difference{HashA: a.Hash, HashB: b.Hash, Index: i, A: "the run's end", B: "the run's end"}
		if okA {
			d.A, d.StackA = na.Text(ea), a.Symbols.Lines(ea.Stack)
		}
		if okB {
			d.B, d.StackB = nb.Text(eb), b.Symbols.Lines(eb.Stack)
		}
		return d
	}
}

// nextCause returns the next event that others may follow from: one that is hashed,
// or a choice.
func nextCause(r *trace.Reader) (e trace.Event, ok bool) {
	for e, ok = r.Next(); ok && !e.Kind.Hashed() && e.Kind != trace.Choice; e, ok = r.Next() {
	}
	return e, ok
}

// equal compares two events, but for what they come after.
func equal(a, b trace.Event) bool {
	return a.Kind == b.Kind && a.Process == b.Process && a.At == b.At && a.A == b.A && a.B == b.B && a.C == b.C &&
		a.Value == b.Value && a.Text == b.Text
}
