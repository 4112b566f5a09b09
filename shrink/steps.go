package shrink

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
)

// stepShare is the share of the budget, one in so many, that a step may spend before
// the next has its turn: what is hard to do now may be easy after another step.
const stepShare = 8

// steps makes everything small, in rounds: what one step takes away may make
// another's need go. It ends with a round of faults that changes nothing.
func (s *search) steps() error {
	if s.o.Depth == OnlyFaults {
		return s.faults()
	}
	for {
		before, cut := keyOf(s.req), false
		for _, step := range []struct {
			name string
			do   func() error
		}{
			{"length", s.length}, {"faults", s.faults}, {"everything plain", s.plain}, {"clients", s.clients}, {"calls", s.calls},
			{"arguments", s.arguments}, {"nodes", s.nodes}, {"delays", s.delays}, {"schedule", s.schedule}, {"faults", s.faults},
		} {
			s.step = step.name
			s.tell()
			whole := s.limit
			s.limit = min(whole, s.runs+max(1, s.o.Budget/stepShare))
			err := step.do()
			s.limit = whole
			switch {
			case errors.Is(err, errBudget) && s.runs < whole:
				cut = true // it goes on in the next round: what is known is not run again
			case err != nil:
				return err
			}
		}
		if keyOf(s.req) == before && !cut {
			return nil
		}
	}
}

// plain makes delays and schedule neutral at one stroke, so that what is taken away
// later moves nothing else.
func (s *search) plain() error {
	whole := dulled(s.req, slices.Concat(delayFamilies, scheduleFamilies)...)
	candidates := append([]run.Request{whole}, movedTogether(whole)...)
	_, err := s.firstOf(append(candidates, dulled(s.req, scheduleFamilies...), dulled(s.req, delayFamilies...)))
	return err
}

// dulled returns a request in which every choice of some families is neutral.
func dulled(req run.Request, families ...string) run.Request {
	names := slices.DeleteFunc(slices.Clone(families), func(name string) bool { return name == "select" }) // which is part of sched
	req.Neutral = slices.Compact(slices.Sorted(slices.Values(slices.Concat(req.Neutral, names))))
	req.Overrides = slices.DeleteFunc(slices.Clone(req.Overrides), func(o choice.Override) bool { return of(families)(o.Stream) })
	return req
}

// lengthGrain is how exact the end of the safety phase is.
const lengthGrain = time.Millisecond

// length ends the safety phase as early as the failure allows: the least of some
// fractions, and then by halves between what fails and what does not.
func (s *search) length() error {
	if err := s.calm(); err != nil {
		return err
	}
	whole := time.Duration(s.best.Virtual)
	if s.req.Safety > 0 {
		whole = time.Duration(s.req.Safety)
	}
	var fractions []run.Request
	for _, share := range []time.Duration{1, 2, 4, 8, 12, 14, 15} {
		fractions = append(fractions, s.lasting(whole*share/16))
	}
	i, err := s.firstOf(fractions)
	if err != nil || i < 0 {
		return err
	}
	fails, passes := time.Duration(s.req.Safety), time.Duration(0)
	if i > 0 {
		passes = time.Duration(fractions[i-1].Safety)
	}
	for fails-passes > max(lengthGrain, fails/50) {
		middle := passes + (fails-passes)/2
		shorter, err := s.fails(s.lasting(middle))
		if err != nil {
			return err
		}
		if shorter {
			fails = middle
		} else {
			passes = middle
		}
	}
	return nil
}

// calm takes away what there is of the time without faults: the least of some shares of it
// that fails, each with the faults as they come then, or a little earlier or later.
func (s *search) calm() error {
	if s.req.Calm == 0 {
		return nil
	}
	var candidates []run.Request
	for _, share := range []int64{0, 1, 2, 4, 8} {
		req := s.req
		req.Calm = s.req.Calm * share / 16
		candidates = append(append(candidates, req), movedTogether(req)...)
	}
	_, err := s.firstOf(candidates)
	return err
}

func (s *search) lasting(d time.Duration) run.Request {
	req := s.req
	req.Safety = int64(max(d.Truncate(lengthGrain), lengthGrain))
	return req
}

// removeFaults goes over the faults once more, with what was kept of the budget.
func (s *search) removeFaults() error {
	s.step, s.limit = "faults, at last", s.o.Budget
	_, err := s.leastFaults()
	return err
}

func (s *search) leastFaults() ([]int, error) {
	plan, req := s.req.Faults, s.req
	return s.least(len(plan), func(keep []int) run.Request {
		req.Faults = picked(plan, keep)
		return req
	})
}

// faults removes faults, and makes those that are left simpler, until neither
// helps: then every removal of one was tried.
func (s *search) faults() error {
	for {
		if _, err := s.leastFaults(); err != nil {
			return err
		}
		before := s.req.Faults
		if err := s.simplify(); err != nil {
			return err
		}
		if slices.Equal(s.req.Faults, before) {
			return nil
		}
	}
}

// simplify takes every simpler form of a fault that still fails.
func (s *search) simplify() error {
	for i := range s.req.Faults {
		for {
			var candidates []run.Request
			for _, form := range forms(s.req.Faults[i]) {
				req := s.req
				req.Faults = slices.Clone(req.Faults)
				req.Faults[i] = form
				candidates = append(candidates, req)
			}
			k, err := s.firstOf(candidates)
			if err != nil {
				return err
			}
			if k < 0 {
				break
			}
		}
	}
	return nil
}

func picked[T any](list []T, keep []int) []T {
	out := make([]T, len(keep))
	for i, k := range keep {
		out[i] = list[k]
	}
	return out
}

// ordered returns overrides by stream and index.
func ordered(overrides []choice.Override) []choice.Override {
	slices.SortStableFunc(overrides, byPlace)
	return overrides
}

// distinct returns overrides in order, of several of one choice the last, which
// counts.
func distinct(overrides []choice.Override) (out []choice.Override) {
	for _, o := range ordered(slices.Clone(overrides)) {
		if last := len(out) - 1; last >= 0 && byPlace(out[last], o) == 0 {
			out[last] = o
		} else {
			out = append(out, o)
		}
	}
	return out
}

func byPlace(a, b choice.Override) int {
	return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Index, b.Index))
}

// others returns the indices below n that are not in keep, which is in order.
func others(n int, keep []int) (out []int) {
	for i := range n {
		if _, kept := slices.BinarySearch(keep, i); !kept {
			out = append(out, i)
		}
	}
	return out
}

// clients leaves out whole clients.
func (s *search) clients() error {
	r, err := s.record()
	if err != nil {
		return err
	}
	names, base := r.clients(), s.req
	_, err = s.least(len(names), func(keep []int) run.Request {
		return overridden(base, others(len(names), keep), func(i int) choice.Override {
			return choice.Override{Stream: dropStream + names[i], Value: 1}
		})
	})
	return err
}

// overridden returns a request with a choice replaced for each index of a list.
func overridden(req run.Request, list []int, of func(i int) choice.Override) run.Request {
	overrides := slices.Clone(req.Overrides)
	for _, i := range list {
		overrides = append(overrides, of(i))
	}
	req.Overrides = ordered(overrides)
	return req
}

// calls leaves out operations of the clients that are left.
func (s *search) calls() error {
	r, err := s.record()
	if err != nil {
		return err
	}
	ops, base := r.operations(), s.req
	_, err = s.least(len(ops), func(keep []int) run.Request {
		return overridden(base, others(len(ops), keep), func(i int) choice.Override {
			return choice.Override{Stream: dropStream + ops[i].client, Index: ops[i].index + 1, Value: 1}
		})
	})
	return err
}

// arguments makes the choices of operations neutral: of all, of some, then one by
// one, and what cannot be neutral smaller. The waits between operations stay: they
// say when each comes.
func (s *search) arguments() error {
	// A client's own stream, "client/c1", names all of them, and stays.
	is := func(stream string) bool {
		return strings.Count(stream, "/") > 1 && family(stream) == "client" && !strings.HasSuffix(stream, "/wait")
	}
	if err := s.dull(is); err != nil {
		return err
	}
	return s.lower(is)
}

// nodes lowers the parameters that are numbers.
func (s *search) nodes() error {
	for _, name := range slices.Sorted(maps.Keys(s.o.Params)) {
		values := s.o.Params[name]
		now, err := strconv.Atoi(cmp.Or(s.req.Params[name], values[0]))
		if err != nil {
			continue
		}
		var smaller []int
		for _, v := range values {
			if n, err := strconv.Atoi(v); err == nil && n < now {
				smaller = append(smaller, n)
			}
		}
		slices.Sort(smaller)
		var candidates []run.Request
		for _, n := range smaller {
			req := s.req
			req.Params = maps.Clone(req.Params)
			if req.Params == nil {
				req.Params = map[string]string{}
			}
			req.Params[name] = strconv.Itoa(n)
			candidates = append(candidates, req)
		}
		if _, err := s.firstOf(candidates); err != nil {
			return err
		}
	}
	return nil
}

// delays makes the choices of links and disks neutral.
func (s *search) delays() error {
	return s.dull(of(delayFamilies), delayFamilies...)
}

// schedule makes the schedule first in, first out, but for the departures that the
// failure needs.
func (s *search) schedule() error {
	return s.dull(of(scheduleFamilies), "sched") // which selects are part of
}

// of returns the test of whether a stream is of one of these families.
func of(families []string) func(stream string) bool {
	return func(stream string) bool { return slices.Contains(families, family(stream)) }
}

// dull makes the choices of streams neutral: of all, of some, then some of those
// that are left, then one by one. What has to stay is overridden with its value.
// names are those that a request makes neutral; without any it is the streams.
func (s *search) dull(is func(stream string) bool, names ...string) error {
	r, err := s.record()
	if err != nil {
		return err
	}
	kept := notNeutral(r.choices, is)
	if len(kept) == 0 {
		return nil
	}
	var streams []string
	for _, c := range kept {
		if !slices.Contains(streams, c.Stream) {
			streams = append(streams, c.Stream)
		}
	}
	if len(names) == 0 {
		names = streams
	}
	base := s.req
	base.Neutral = slices.Compact(slices.Sorted(slices.Values(slices.Concat(base.Neutral, names))))
	base.Overrides = slices.DeleteFunc(slices.Clone(base.Overrides), func(o choice.Override) bool { return is(o.Stream) })
	with := func(list []int) run.Request {
		return overridden(base, list, func(i int) choice.Override {
			return choice.Override{Stream: kept[i].Stream, Index: kept[i].Index, Value: kept[i].Value}
		})
	}
	in := func(streams []string) (list []int) {
		for i := range kept {
			if slices.Contains(streams, kept[i].Stream) {
				list = append(list, i)
			}
		}
		return list
	}
	// A run with all of them named is the one that is known to fail.
	if same, err := s.fails(with(in(streams))); err != nil || !same {
		return err
	}
	if i, err := s.firstOf(append([]run.Request{with(nil)}, moved(with(nil))...)); err != nil || i >= 0 {
		return err
	}
	left, err := s.least(len(streams), func(keep []int) run.Request { return with(in(picked(streams, keep))) })
	if err != nil {
		return err
	}
	rest := in(picked(streams, left))
	_, err = s.least(len(rest), func(keep []int) run.Request { return with(picked(rest, keep)) })
	return err
}
