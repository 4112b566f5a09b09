package shrink

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/orrery-sim/orrery/sim/run"
)

// errBudget ends a search that may make no more runs.
var errBudget = errors.New("budget of runs is spent")

// search looks for the smallest request that still fails. A request is run once:
// what comes of it is a function of it.
type search struct {
	ctx  context.Context
	made Runs
	o    Options
	want string // the failure's signature

	req  run.Request // the smallest that fails
	best run.Output  // what came of it
	step string

	before, size Size

	mu      sync.Mutex
	known   map[string]attempt
	charged map[string]bool
	runs    int // charged, whatever else was run ahead of need
	limit   int // of them, for now
}

// reserved is the share of the budget, one in so many, that is kept for faults at
// the end.
const reserved = 5

// attempt is what came of a request.
type attempt struct {
	fails bool
	out   run.Output
}

func newSearch(ctx context.Context, runs Runs, o Options, want string) *search {
	o.Procs = max(o.Procs, 1)
	s := &search{ctx: ctx, made: runs, o: o, want: want, known: map[string]attempt{}, charged: map[string]bool{}, limit: o.Budget}
	if o.Depth == Whole {
		s.limit -= o.Budget / reserved
	}
	return s
}

// start runs the failure itself, with its faults given as text. It reports lost if
// it does not come back.
func (s *search) start() (lost bool, err error) {
	s.step = "the failure itself"
	s.tell()
	i, err := s.first([]run.Request{s.req})
	if err != nil || i < 0 {
		return err == nil, err
	}
	if s.o.Depth == OnlyFaults {
		s.before.Faults = len(s.req.Faults)
		return false, nil
	}
	r, err := s.record()
	s.before = r.size
	return false, err
}

func (s *search) tell() {
	if s.o.Progress != nil {
		s.o.Progress(Progress{s.step, s.runs, s.size})
	}
}

// key is a request as text: requests that are equal have equal keys.
func key(req run.Request) string {
	b, err := json.Marshal(req)
	if err != nil {
		panic(err) // there is nothing in a request that JSON cannot hold
	}
	return string(b)
}

// charge counts a run, once. It fails if there may be no more.
func (s *search) charge(k string) error {
	if s.charged[k] {
		return nil
	}
	if s.runs >= s.limit {
		return errBudget
	}
	s.charged[k] = true
	s.runs++
	return nil
}

// first returns the first of the candidates that fails as the failure does, which
// is then the smallest known, or -1. Candidates are run Procs at a time; those after
// the first that fails do not count.
func (s *search) first(candidates []run.Request) (int, error) {
	for lo := 0; lo < len(candidates); lo += s.o.Procs {
		batch := candidates[lo:min(lo+s.o.Procs, len(candidates))]
		attempts, errs := s.tryAll(batch)
		for i, req := range batch {
			if err := s.charge(key(req)); err != nil {
				return -1, err
			}
			if errs[i] != nil {
				return -1, errs[i]
			}
			s.tell()
			if attempts[i].fails {
				s.req, s.best = req, attempts[i].out
				return lo + i, nil
			}
		}
	}
	return -1, nil
}

// tryAll runs requests at one time. Beyond the budget it runs none.
func (s *search) tryAll(batch []run.Request) ([]attempt, []error) {
	attempts, errs := make([]attempt, len(batch)), make([]error, len(batch))
	first := map[string]int{} // the first place of each request
	var all sync.WaitGroup
	left := s.limit - s.runs
	for i, req := range batch {
		k := key(req)
		if _, twice := first[k]; twice {
			continue
		}
		first[k] = i
		if !s.charged[k] {
			if left == 0 {
				break
			}
			left--
		}
		all.Go(func() { attempts[i], errs[i] = s.try(req) })
	}
	all.Wait()
	for i, req := range batch {
		if k, ok := first[key(req)]; ok {
			attempts[i], errs[i] = attempts[k], errs[k]
		}
	}
	return attempts, errs
}

// try runs a request, unless it is known what comes of it.
func (s *search) try(req run.Request) (attempt, error) {
	k := key(req)
	s.mu.Lock()
	a, ok := s.known[k]
	s.mu.Unlock()
	if ok {
		return a, nil
	}
	if err := s.ctx.Err(); err != nil {
		return attempt{}, err
	}
	out, err := s.made.Run(s.ctx, req)
	if err != nil {
		return attempt{}, err
	}
	a = attempt{out.Violation != nil && run.Signature(*out.Violation) == s.want, out}
	if !a.fails {
		a.out = run.Output{}
	}
	s.mu.Lock()
	s.known[k] = a
	s.mu.Unlock()
	return a, nil
}

// record runs the smallest request again, and returns the choices that it drew.
func (s *search) record() (recorded, error) {
	req := s.req
	req.Record = run.RecordEvents
	if err := s.charge(key(req)); err != nil {
		return recorded{}, err
	}
	out, err := s.made.Run(s.ctx, req)
	if err != nil {
		return recorded{}, err
	}
	r, err := readRun(out)
	s.size = r.size
	return r, err
}

// measure takes the size of the smallest request, which is not charged.
func (s *search) measure() error {
	if s.ctx.Err() != nil {
		return nil // the size is that of the last record
	}
	req := s.req
	req.Record = run.RecordEvents
	out, err := s.made.Run(s.ctx, req)
	if err != nil {
		return err
	}
	r, err := readRun(out)
	s.size = r.size
	return err
}

// least goes down from all of n items to few that still fail: delta debugging
// (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002).
// build makes the request with some of the items, which are given in order. Without
// any one of the items that are left, the failure does not come back. That with all
// of them is known to fail, as the smallest request so far.
func (s *search) least(n int, build func(keep []int) run.Request) ([]int, error) {
	keep := make([]int, n)
	for i := range keep {
		keep[i] = i
	}
	if n == 0 {
		return keep, nil
	}
	if i, err := s.first([]run.Request{build(nil)}); err != nil || i == 0 {
		return nil, err
	}
	parts := min(2, n)
	for n := len(keep); n >= 2; n = len(keep) {
		lists := divided(keep, parts)
		candidates := make([]run.Request, len(lists))
		for i, list := range lists {
			candidates[i] = build(list)
		}
		i, err := s.first(candidates)
		switch {
		case err != nil:
			return keep, err
		case i < 0 && parts >= n:
			return keep, nil
		case i < 0:
			parts = min(2*parts, n)
		case i < parts:
			keep, parts = lists[i], 2
		default:
			keep, parts = lists[i], max(parts-1, 2)
		}
	}
	return keep, nil
}

// divided returns the parts of a list, and then, if there are more than two, the
// list without each.
func divided(list []int, parts int) (out [][]int) {
	bounds := func(i int) (lo, hi int) { return i * len(list) / parts, (i + 1) * len(list) / parts }
	for i := range parts {
		lo, hi := bounds(i)
		out = append(out, slices.Clone(list[lo:hi]))
	}
	if parts == 2 { // the complements are the parts
		return out
	}
	for i := range parts {
		lo, hi := bounds(i)
		out = append(out, slices.Concat(list[:lo], list[hi:]))
	}
	return out
}
