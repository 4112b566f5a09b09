package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// Judge is a check of one's own, of a history with a sequential specification.
type Judge func(h *History) Outcome

// Judged makes a Checker of a judge. If it finds a violation, the judge is put to
// the test: by the history that the model itself would have answered in its place, and
// by the search for linearizations, as a second checker.
func Judged(name string, h *History, m Model, judge Judge) Checker {
	return judged{CheckFunc(name, func() Outcome { return judge(h) }), h, m, judge, true}
}

// judged is a checker that is put to the test.
type judged struct {
	Checker
	h      *History
	model  Model
	judge  Judge
	second bool // by the search for linearizations, too
}

// Doubts implements [outcome.Doubter].
func (j judged) Doubts() []outcome.Doubt {
	out := []outcome.Doubt{j.ofGood()}
	if j.second {
		out = append(out, j.ofSecond())
	}
	return out
}

// ofGood gives the judge a history that is right.
func (j judged) ofGood() outcome.Doubt {
	d := outcome.Doubt{Experiment: "the check is given the same calls with the answers of model " + j.model.Name}
	good, err := j.h.Answered(j.model)
	if err != nil {
		d.Found = "not made: " + err.Error()
		return d
	}
	return takes(d, j.judge(good))
}

// ofSecond asks the search for linearizations.
func (j judged) ofSecond() outcome.Doubt {
	d := outcome.Doubt{Experiment: "a second checker, the search for linearizations, judges the history"}
	o := Linearizable(j.h, j.model).Check()
	d.Made, d.Wrong = o.Verdict == OK || o.Verdict == Violation, o.Verdict == OK
	switch o.Verdict {
	case OK:
		d.Found = "it finds the history right"
	case Violation:
		d.Found = "it finds it wrong, too: " + o.Message
	default:
		d.Found = "it cannot tell: " + o.Reason
	}
	return d
}

// Answered returns the history with the answers that a model gives to its calls,
// each at the moment of its completion: a history of the same shape that is
// linearizable. Calls that the model would not take, and those without an answer,
// are refused ones in it.
func (h *History) Answered(m Model) (*History, error) {
	ops := h.Ops()
	order := make([]int, len(ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ops[a].End, ops[b].End) })
	states := map[string]string{}
	for _, i := range order {
		op := &ops[i]
		if op.Status != StatusOK {
			if op.Status != StatusFailed {
				refuse(op, len(ops))
			}
			continue
		}
		if err := m.knows(op); err != nil {
			return nil, err
		}
		object := op.Key
		if m.Scope == Whole {
			object = ""
		}
		state, ok := states[object]
		if !ok {
			state = m.Init
		}
		next, a := m.Apply(state, op)
		switch a.kind {
		case answerBlocked:
			op.Status, op.Output, op.Error = StatusFailed, "", "refused"
			continue
		case answerExactly:
			op.Output = a.output
			// The answer may tell whether the call took effect.
			if next, a = m.Apply(state, op); !a.accepts(op.Output) {
				return nil, fmt.Errorf("model %s does not take its own answer %q to call %d", m.Name, op.Output, op.ID)
			}
		}
		states[object] = next
	}
	return FromOps(h.start, ops)
}

// refuse makes a call that was not answered one that was refused at once.
func refuse(op *Op, calls int) {
	end := op.End
	if end == 0 {
		end = 2*calls + 1 + op.ID // after all others
		op.Complete = max(op.Complete, op.Invoke)
	}
	op.Status, op.Output, op.Error, op.Timeout, op.End = StatusFailed, "", "refused", false, end
}
