package oracle

import (
	"slices"

	"github.com/anishathalye/porcupine"
)

// judgment is the result of one search.
type judgment byte

const (
	linearizable judgment = iota
	notLinearizable
	undecided // the budget ran out
)

// part is one call as one search sees it. How a call is treated differs between
// searches of one history; what was recorded never does.
type part struct {
	op   Op   // without an answer while open or loose
	was  Op   // as it was recorded
	open bool // it may have taken effect at any time after it began, or never
	// loose calls may have taken effect while they ran, or not at all, whatever
	// they answered. Whatever is wrong beside loose calls is wrong with them too.
	loose  bool
	probed bool // its answers are gathered, and none is right
}

func (p *part) setLoose() { p.loose, p.op.Status, p.op.Output = true, StatusUnknown, "" }
func (p *part) setFirm()  { p.loose, p.op = false, p.was }

// search is one question to porcupine about one object, answered within a budget
// of model steps. A search's steps are taken one after the other in a fixed
// order, so what runs out of budget does so for every run alike.
type search struct {
	model *Model
	parts []*part

	// budget is how many steps may be taken, used how many were; over is set when
	// one more was wanted. No step is legal from then on, so that the search ends.
	budget, used int
	over         bool
	// compared is set when an answer was compared that could have been wrong.
	compared bool
	answers  []string // of the probed call
}

// run asks whether there is an order of the calls that the model allows.
func (s *search) run() judgment {
	events := s.events()
	if len(events) == 0 {
		return linearizable
	}
	ok := porcupine.CheckEvents(s.porcupine(), events)
	switch {
	case s.over:
		return undecided
	case ok:
		return linearizable
	}
	return notLinearizable
}

// events orders the beginnings and ends of the calls; open ones end last.
func (s *search) events() []porcupine.Event {
	type mark struct {
		place int
		event porcupine.Event
	}
	marks := make([]mark, 0, 2*len(s.parts))
	open := make([]porcupine.Event, 0, len(s.parts))
	for id, p := range s.parts {
		marks = append(marks, mark{p.op.Begin, porcupine.Event{Kind: porcupine.CallEvent, Value: p, Id: id}})
		end := porcupine.Event{Kind: porcupine.ReturnEvent, Value: p, Id: id}
		if p.open {
			open = append(open, end)
		} else {
			marks = append(marks, mark{p.op.End, end})
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return a.place - b.place })
	events := make([]porcupine.Event, 0, 2*len(s.parts))
	for _, m := range marks {
		events = append(events, m.event)
	}
	return append(events, open...)
}

// porcupine is the model in porcupine's terms. Its states are sets of ours, since
// a loose call leaves two that are possible; mostly there is one.
func (s *search) porcupine() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return states{s.model.Init} },
		Step: func(state, input, _ any) (bool, any) {
			next := s.step(state.(states), input.(*part))
			return len(next) > 0, next
		},
		Equal: func(a, b any) bool { return slices.Equal(a.(states), b.(states)) },
		Hash:  func(state any) uint64 { return state.(states).hash() },
	}
}

// states is a set of possible states of one object: sorted, none twice.
type states []string

// hash is FNV-1a over the states. Without it porcupine compares every state that
// the same calls in another order lead to, which no budget of steps would bound.
func (s states) hash() uint64 {
	h := uint64(14695981039346656037)
	for _, state := range s {
		for i := 0; i < len(state); i++ {
			h = (h ^ uint64(state[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return h
}

// step returns the states that are possible after a call, none if it is illegal.
func (s *search) step(from states, p *part) states {
	if s.over || s.used+len(from) > s.budget {
		s.over = true
		return nil
	}
	s.used += len(from)
	if len(from) == 1 && !p.loose {
		next, ok := s.apply(from[0], p)
		switch {
		case !ok:
			return nil
		case next == from[0]:
			return from
		}
		return states{next}
	}
	var to states
	for _, state := range from {
		if next, ok := s.apply(state, p); ok {
			to = append(to, next)
		}
		if p.loose {
			to = append(to, state)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// apply runs a call on one state.
func (s *search) apply(state string, p *part) (next string, ok bool) {
	next, a := s.model.Apply(state, &p.op)
	switch {
	case p.probed:
		if a.kind == answerExactly {
			s.answers = append(s.answers, a.output)
		}
		return "", false
	case p.open, p.loose:
		if a.kind == answerBlocked {
			return state, true // it never took effect
		}
		return next, true
	}
	s.compared = s.compared || a.kind != answerAny
	return next, a.accepts(p.op.Output)
}
