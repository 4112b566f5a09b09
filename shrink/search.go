package shrink

import (
	"context"
	"errors"
	"fmt"
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

	mu      sync.Mutex // of known, while runs are made
	known   map[key]attempt
	charged map[key]bool
	runs    int // charged, whatever else was run ahead of need
	limit   int // of them, for now

	alone, shared cost
	drawn         record // by the smallest that fails, if it was recorded
}

// reserved is the share of the budget, one in so many, that is kept for faults at
// the end.
const reserved = 5

func newSearch(ctx context.Context, runs Runs, o Options, want string) *search {
	o.Procs = max(o.Procs, 1)
	s := &search{ctx: ctx, made: runs, o: o, want: want, known: map[key]attempt{}, charged: map[key]bool{}, limit: o.Budget}
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
	fails, err := s.fails(s.req)
	if err != nil || !fails {
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

// charge counts a run, once. It fails if there may be no more.
func (s *search) charge(k key) error {
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

// fails reports whether a candidate fails as the failure does; if so, it is the
// smallest known.
func (s *search) fails(req run.Request) (bool, error) {
	i, err := s.first(1, func(int) run.Request { return req })
	return i == 0, err
}

// firstOf is [search.first] of a list.
func (s *search) firstOf(list []run.Request) (int, error) {
	return s.first(len(list), func(i int) run.Request { return list[i] })
}

// first returns the first of n candidates that fails as the failure does, which is
// then the smallest known, or -1. Candidates are run ahead of need, several at a
// time; those after the first that fails do not count.
func (s *search) first(n int, request func(i int) run.Request) (int, error) {
	ahead := s.o.Procs
	for lo := 0; lo < n; {
		batch := make([]candidate, min(ahead, n-lo))
		for i := range batch {
			batch[i] = named(request(lo + i))
		}
		errs, err := s.tryAll(batch)
		if err != nil {
			return -1, err
		}
		for i, c := range batch {
			if err := s.charge(c.key); err != nil {
				return -1, err
			}
			if errs[c.key] != nil {
				return -1, errs[c.key]
			}
			s.tell()
			if a := s.known[c.key]; a.fails {
				s.req, s.best = c.req, a.out
				return lo + i, nil
			}
		}
		lo += len(batch)
		if s.shares() {
			ahead = min(2*ahead, aheadMost*s.o.Procs)
		}
	}
	return -1, nil
}

// aheadMost is how many candidates are run ahead of need, for each that is run at
// one time, when none of those before fails: the more, the more may share.
const aheadMost = 8

// record runs the smallest request again, and returns the choices that it drew.
func (s *search) record() (recorded, error) {
	req := s.req
	req.Record = run.RecordEvents
	if err := s.charge(keyOf(req)); err != nil {
		return recorded{}, err
	}
	r, err := s.recorded()
	s.size = r.size
	return r, err
}

// measure takes the size of the smallest request, which is not charged, and sees
// that it is the run that was found.
func (s *search) measure() error {
	if s.ctx.Err() != nil {
		return nil // the size is that of the last record
	}
	r, err := s.recorded()
	s.size = r.size
	return err
}

// recorded makes the smallest run with a record, unless the last record is of it.
func (s *search) recorded() (recorded, error) {
	k := keyOf(s.req)
	if s.drawn.of == k {
		return s.drawn.recorded, nil
	}
	req := s.req
	req.Record = run.RecordEvents
	out, err := s.made.Run(s.ctx, req)
	if err != nil {
		return recorded{}, err
	}
	r, err := readRun(out)
	if err != nil {
		return r, err
	}
	if out.Hash != s.best.Hash {
		return r, fmt.Errorf("shrink: two runs of one request differ: hash %s, was %s: %w", out.Hash, s.best.Hash, ErrNondeterministic)
	}
	s.drawn = record{of: k, recorded: r}
	return r, nil
}

// ErrNondeterministic is of runs of one request that differ.
var ErrNondeterministic = errors.New("nondeterministic")
