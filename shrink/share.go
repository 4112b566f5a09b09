package shrink

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
)

// Candidates that differ from the smallest failing run in choices alone are that run
// until the first of these is drawn. Several of them are made as futures of one
// run, which is made once, as long as that takes less time than a run of each: a
// future pays for the memory that it changes. What comes of a candidate is the same
// either way.

// record is a recorded run, with when each choice was drawn.
type record struct {
	recorded
	of    key
	since map[place]uint64 // nil: not asked for yet
}

// place is where a choice is drawn.
type place struct {
	stream string
	index  uint64
}

// at returns when a choice was drawn, as events of the run; ok is false if it was
// not, or before anything at which a run may part.
func (r *record) at(p place) (since uint64, ok bool) {
	if r.since == nil {
		r.since = make(map[place]uint64, len(r.choices))
		for _, c := range r.choices {
			r.since[place{c.Stream, c.Index}] = c.Since
		}
	}
	since, ok = r.since[p]
	return since, ok
}

// branches is what makes runs that part, or nil.
func (s *search) branches() Branches {
	b, _ := s.made.(Branches)
	return b
}

// cost is how long runs took, in real time.
type cost struct{ nanoseconds, runs atomic.Int64 }

// costs begins so many runs, and returns what ends them.
func (s *search) costs(c *cost, runs int) (end func()) {
	if s.o.Now == nil {
		return func() {}
	}
	began := s.o.Now()
	return func() {
		c.nanoseconds.Add(int64(s.o.Now().Sub(began)))
		c.runs.Add(int64(runs))
	}
}

// costRuns is how many runs it takes to know what one costs.
const costRuns = 8

// shares reports whether candidates are to share: it is possible, and pays as far
// as that is known.
func (s *search) shares() bool {
	if s.branches() == nil || s.o.Now == nil {
		return false
	}
	alone, shared := s.alone.runs.Load(), s.shared.runs.Load()
	return alone < costRuns || shared < costRuns || s.shared.nanoseconds.Load()/shared < s.alone.nanoseconds.Load()/alone
}

// sharer is a candidate, and where it parts from the smallest failing run: after so
// many events, to go on with other choices.
type sharer struct {
	candidate
	events    uint64
	overrides []choice.Override
}

// grouped puts candidates together that are made as futures of one run, as many
// groups as are run at one time, once there are more candidates than that. The
// others are alone.
func (s *search) grouped(todo []candidate) (out [][]sharer, err error) {
	if !s.shares() || len(todo) <= s.o.Procs {
		for _, c := range todo {
			out = append(out, []sharer{{candidate: c}})
		}
		return out, nil
	}
	if _, err := s.recorded(); err != nil {
		return nil, err
	}
	var shared []sharer
	for _, c := range todo {
		if h, ok := s.sharer(c); ok {
			shared = append(shared, h)
		} else {
			out = append(out, []sharer{h})
		}
	}
	slices.SortStableFunc(shared, func(a, b sharer) int { return cmp.Compare(a.events, b.events) })
	groups := make([][]sharer, min(s.o.Procs, len(shared)))
	for i, h := range shared {
		g := &groups[i%len(groups)]
		*g = append(*g, h)
	}
	return append(groups, out...), nil
}

// sharer finds where a candidate parts from the smallest failing run; ok is false
// if it does not, or so early that nothing is saved.
func (s *search) sharer(c candidate) (h sharer, ok bool) {
	h.candidate = c
	trunk, req := s.req, c.req
	was, is := trunk.Overrides, req.Overrides
	trunk.Overrides, req.Overrides = nil, nil
	if keyOf(trunk) != keyOf(req) {
		return h, false
	}
	differs := func(o choice.Override) {
		if since, drawn := s.drawn.at(place{o.Stream, o.Index}); drawn && (!ok || since < h.events) {
			h.events, ok = since, true
		}
		h.overrides = append(h.overrides, o)
	}
	for len(was) > 0 || len(is) > 0 {
		switch {
		case len(is) == 0 || len(was) > 0 && byPlace(was[0], is[0]) < 0:
			if !undrawn(req.Neutral, was[0].Stream) {
				return h, false // the seed's choice is not known
			}
			differs(choice.Override{Stream: was[0].Stream, Index: was[0].Index})
			was = was[1:]
		case len(was) == 0 || byPlace(was[0], is[0]) > 0:
			differs(is[0])
			is = is[1:]
		default:
			if was[0] != is[0] {
				differs(is[0])
			}
			was, is = was[1:], is[1:]
		}
	}
	return h, ok && h.events > s.best.Result.Events/4
}

// undrawn reports whether a stream's choices are 0 but for overrides: if it is
// neutral, or says what is left out.
func undrawn(neutral []string, stream string) bool {
	if strings.HasPrefix(stream, dropStream) {
		return true
	}
	if of(scheduleFamilies)(stream) {
		return slices.Contains(neutral, "sched")
	}
	return slices.ContainsFunc(neutral, func(name string) bool {
		return stream == name || strings.HasPrefix(stream, name+"/")
	})
}

// tryShared makes several candidates as futures of the smallest failing run.
func (s *search) tryShared(group []sharer) error {
	var branches []run.Branch
	for _, h := range group {
		last := len(branches) - 1
		if last < 0 || branches[last].At.Events != h.events {
			branches = append(branches, run.Branch{At: run.Moment{Events: h.events}})
			last++
		}
		branches[last].Futures = append(branches[last].Futures, run.Future{Overrides: h.overrides})
	}
	outputs, err := s.branches().Branch(s.ctx, s.req, branches)
	if err != nil {
		return err
	}
	list := slices.Concat(outputs...)
	if len(list) != len(group) {
		return fmt.Errorf("shrink: %d of %d candidates came of a run that parts: want it to part where it did when it was recorded: %w", len(list), len(group), ErrNondeterministic)
	}
	for i, h := range group {
		if err := s.learn(h.key, list[i]); err != nil {
			return err
		}
	}
	return nil
}
