package oracle

import (
	"cmp"
	"fmt"
	"slices"
)

// Limits bounds a check of linearizability, in steps of the model. A step is one
// try of one call on one state; a million of them take about a second and, at
// worst, a few hundred bytes each.
type Limits struct {
	// Search is for deciding, over all keys. 0 stands for a million.
	Search int
	// Evidence is for making the evidence small once a violation is certain. It
	// cannot change a verdict. 0 stands for a quarter of a million.
	Evidence int
}

func (l Limits) withDefaults() Limits {
	if l.Search == 0 {
		l.Search = 1_000_000
	}
	if l.Evidence == 0 {
		l.Evidence = 250_000
	}
	return l
}

// Linearizable checks that every call seems to have taken effect at one moment
// between its invocation and its completion (Herlihy and Wing 1990), by
// porcupine.
//
// Cost: exponential in how many calls of one key overlap, calls without an answer
// overlapping everything after them; near linear where few do. It is blind to
// what no answer shows, to keys that a call concerns beside its own, and to how
// late an answer came.
func Linearizable(h *History, m Model) Checker { return LinearizableWithin(h, m, Limits{}) }

// LinearizableWithin is Linearizable with limits of one's own.
func LinearizableWithin(h *History, m Model, l Limits) Checker {
	c := &linearCheck{h, m, l.withDefaults()}
	return CheckFunc("linearizability", c.check)
}

type linearCheck struct {
	h      *History
	model  Model
	limits Limits
}

func (c *linearCheck) check() Outcome {
	if err := c.h.Err(); err != nil {
		return Outcome{Verdict: Unknown, Reason: err.Error()}
	}
	objects, err := objectsOf(c.h.Ops(), &c.model)
	if err != nil {
		return Outcome{Verdict: Unknown, Reason: err.Error()}
	}
	if reason := nothing(c.h.Counts(), objects); reason != "" {
		return Outcome{Verdict: Vacuous, Reason: reason}
	}
	return c.judge(objects)
}

// nothing says why there is nothing to check, if so.
func nothing(n Counts, objects []object) string {
	if n.Invoked == 0 {
		return "the history has no calls: record every call of every client in it"
	}
	for _, o := range objects {
		for i := range o.ops {
			if o.ops[i].Status == StatusOK {
				return ""
			}
		}
	}
	return fmt.Sprintf("none of %d calls was answered", n.Invoked)
}

// judge searches every object in order, and shows the violation that came first.
func (c *linearCheck) judge(objects []object) Outcome {
	out := Outcome{Verdict: OK}
	var first *evidence
	var broken []string
	compared := false
	for _, o := range objects {
		s := c.search(prefix(o.ops, 0), c.limits.Search-out.Steps)
		j := s.run()
		out.Steps += s.used
		compared = compared || s.compared
		switch j {
		case undecided:
			if out.Reason == "" {
				out.Reason = fmt.Sprintf("key %s: no answer within %d steps of model %s: give it more, or fewer calls that overlap",
					show(o.key), c.limits.Search, c.model.Name)
			}
		case notLinearizable:
			broken = append(broken, show(o.key))
			e := c.shorten(o)
			out.Steps += e.used
			if first == nil || e.last.End < first.last.End {
				first = e
			}
		}
	}
	switch {
	case first != nil:
		c.show(&out, first, broken)
	case out.Reason != "":
		out.Verdict = Unknown
	case !compared:
		out.Verdict, out.Reason = Vacuous, "no answer depends on what the other calls did: nothing was compared"
	}
	return out
}

func (c *linearCheck) search(parts []*part, budget int) *search {
	return &search{model: &c.model, parts: withoutMoot(&c.model, parts), budget: budget}
}

// object is the part of a history that one object of the model is about.
type object struct {
	key string
	ops []Op // by Begin
}

// objectsOf takes a history apart, in the order of the keys. Calls that took no
// effect are left out.
func objectsOf(ops []Op, m *Model) ([]object, error) {
	var live []Op
	for _, op := range ops {
		if err := m.knows(&op); err != nil {
			return nil, err
		}
		if op.Status != StatusFailed {
			live = append(live, op)
		}
	}
	if m.Scope == Whole {
		return []object{{ops: live}}, nil
	}
	slices.SortStableFunc(live, func(a, b Op) int { return cmp.Compare(a.Key, b.Key) })
	var objects []object
	for len(live) > 0 {
		n := slices.IndexFunc(live, func(o Op) bool { return o.Key != live[0].Key })
		if n < 0 {
			n = len(live)
		}
		objects = append(objects, object{live[0].Key, live[:n]})
		live = live[n:]
	}
	return objects, nil
}

// prefix is what was known of the calls just after the place end, 0 standing for
// the end of the history: later calls are not there, later answers not known.
func prefix(ops []Op, end int) []*part {
	parts := make([]*part, 0, len(ops))
	for i := range ops {
		op := ops[i]
		if end > 0 && op.Begin > end {
			break
		}
		op.Args()
		p := &part{op: op, was: op, open: op.possible() || end > 0 && op.End > end}
		if p.open {
			p.op.Status, p.op.Output = StatusUnknown, ""
		}
		parts = append(parts, p)
	}
	return parts
}

// withoutMoot leaves out the open and loose calls that cannot matter.
func withoutMoot(m *Model, parts []*part) []*part {
	if m.Moot == nil {
		return parts
	}
	ops := make([]*Op, len(parts))
	for i, p := range parts {
		ops[i] = &p.op
	}
	var kept []*part
	for i, p := range parts {
		if !(p.open || p.loose) || !m.Moot(ops[i], ops) {
			kept = append(kept, p)
		}
	}
	return kept
}
