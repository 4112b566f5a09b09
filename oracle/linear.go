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
	// Search is for deciding, over all keys. 0 stands for two million.
	Search int
	// Evidence is for making the evidence small once a violation is certain. It
	// cannot change a verdict. 0 stands for a quarter of a million.
	Evidence int
}

func (l Limits) withDefaults() Limits {
	if l.Search == 0 {
		l.Search = 2_000_000
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
	judge := func(h *History) Outcome { return (&linearCheck{h, m, l.withDefaults()}).check() }
	return judged{CheckFunc("linearizability", func() Outcome { return judge(h) }), h, m, judge, false}
}

type linearCheck struct {
	h      *History
	model  Model
	limits Limits
}

func (c *linearCheck) check() Outcome {
	if err := c.h.Err(); err != nil {
		return bare(Unknown, err.Error())
	}
	objects, err := objectsOf(c.h.Ops(), &c.model)
	if err != nil {
		return bare(Unknown, err.Error())
	}
	if reason := nothing(c.h.Counts(), objects); reason != "" {
		return bare(Vacuous, reason)
	}
	out := c.judge(objects)
	out.Calls = c.h.Counts().Invoked
	return out
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
	r := c.decide(objects)
	out := bare(OK, "")
	out.Steps = r.used
	switch {
	case len(r.broken) > 0:
		e := c.shorten(r.broken)
		c.show(&out, e, r.broken)
		out.Steps += e.used
	case len(r.open) > 0:
		out.Verdict = Unknown
		out.Reason = fmt.Sprintf("%s not decided within %d steps of model %s: give it more, or fewer calls that overlap",
			c.nameOf(r.open[0]), c.limits.Search, c.model.Name)
	case !r.compared:
		out.Verdict, out.Reason = Vacuous, "no answer depends on what the other calls did: nothing was compared"
	}
	return out
}

// decision is what the searches of a history's objects came to.
type decision struct {
	broken   []object
	open     []object // not decided
	compared bool     // some answer could have been wrong
	used     int      // steps
}

// decide searches all objects in rounds of ever more steps for each, so that one
// that is hard hides no violation of another. The first round with a violation is
// the last.
func (c *linearCheck) decide(objects []object) decision {
	const first, growth = 4096, 8
	d := decision{open: objects}
	for limit := first; len(d.open) > 0 && len(d.broken) == 0 && d.used < c.limits.Search; limit *= growth {
		var open []object
		for _, o := range d.open {
			s := c.search(prefix(o.ops, 0), min(limit, c.limits.Search-d.used))
			j := s.run()
			d.used += s.used
			d.compared = d.compared || s.compared
			switch j {
			case undecided:
				open = append(open, o)
			case notLinearizable:
				d.broken = append(d.broken, o)
			}
		}
		d.open = open
	}
	return d
}

// nameOf names an object for a message.
func (c *linearCheck) nameOf(o object) string {
	if c.model.Scope == Whole {
		return "the history was"
	}
	return "key " + show(o.key) + " was"
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
