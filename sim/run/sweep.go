package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// SweepConfig says what a sweep runs.
type SweepConfig struct {
	Scenario   Scenario
	Seeds      Seeds
	Request    Request         // of every run, but for the seed
	Procs      int             // workers; 0 is one for each processor
	Verify     float64         // share of the seeds that is run twice and compared
	FailFast   bool            // stop at the first seed that does not pass, and fails as is not known
	StopAt     func(Item) bool // stop at the first seed of which it is true; nil is none
	For        time.Duration   // stop after so much real time; 0 is never
	Watchdog   time.Duration
	MaxVacuous float64 // share of vacuous seeds that is allowed
	Known      []Known // failures that are no news
}

// Item is what came of one seed.
type Item struct {
	Seed       uint64
	Output     Output
	Verified   bool        // it was run twice, in different processes, and compared
	Difference *Difference // of two runs, if they differed
}

// Sweep runs the seeds, and calls each in their order, whatever the order in which
// they end. A seed that fails is run again in a fresh process first. When ctx ends,
// the summary is of what was known by then.
func Sweep(ctx context.Context, c SweepConfig, each func(Item)) (Summary, error) {
	start := time.Now()
	s := NewSummary(c)
	if c.Procs <= 0 {
		c.Procs = runtime.NumCPU()
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := make(chan struct{}) // no more seeds are handed out
	if c.For > 0 {
		timer := time.AfterFunc(c.For, func() { close(stop) })
		defer timer.Stop()
	}
	sw := &sweep{c: c, ctx: inner, stop: stop, window: window(c.Procs)}
	sw.done = make(chan result, cap(sw.window))
	sw.start()
	err := sw.inOrder(func(it Item) bool {
		s.Add(it)
		each(it)
		return (!c.FailFast || c.passes(it.Output.Result)) && (c.StopAt == nil || !c.StopAt(it))
	})
	cancel()
	sw.workers.Wait()
	s.Wall = time.Since(start)
	s.Interrupted = ctx.Err() != nil
	if ctx.Err() != nil {
		err = nil
	}
	return s, err
}

// passes reports whether a seed is none to stop at.
func (c SweepConfig) passes(r Result) bool {
	switch {
	case r.Verdict == Pass, r.Verdict == Vacuous:
		return true
	case r.Verdict == Violated && r.Violation != nil:
		return FindKnown(c.Known, Signature(*r.Violation)) != nil
	}
	return false
}

// sweep hands out seeds to workers and takes results.
type sweep struct {
	c       SweepConfig
	ctx     context.Context
	stop    chan struct{}
	window  chan struct{} // holds a token for each seed handed out whose turn has not come
	done    chan result   // has room for the whole window, so that no worker waits
	workers sync.WaitGroup

	mu   sync.Mutex
	next uint64 // index of the next seed to hand out
}

// window bounds how far the other workers may be ahead of a slow seed.
func window(procs int) chan struct{} { return make(chan struct{}, 64+8*procs) }

type result struct {
	index uint64
	item  Item
	err   error
}

func (sw *sweep) start() {
	for range min(uint64(sw.c.Procs), sw.c.Seeds.Len()) {
		sw.workers.Go(sw.work)
	}
	go func() { sw.workers.Wait(); close(sw.done) }()
}

// take hands out an index, in order; ok is false when there are no more.
func (sw *sweep) take() (index uint64, ok bool) {
	select {
	case <-sw.stop:
		return 0, false
	case <-sw.ctx.Done():
		return 0, false
	case sw.window <- struct{}{}:
	}
	sw.mu.Lock()
	defer sw.mu.Unlock()
	if sw.next == sw.c.Seeds.Len() || sw.stopped() {
		return 0, false
	}
	sw.next++
	return sw.next - 1, true
}

// stopped reports whether no more seeds are to be handed out: of several ways on,
// a select takes any.
func (sw *sweep) stopped() bool {
	select {
	case <-sw.stop:
		return true
	default:
		return sw.ctx.Err() != nil
	}
}

// work is one worker's part: it runs seeds until there are no more.
func (sw *sweep) work() {
	var w *Worker
	defer func() {
		if w != nil {
			w.Close()
		}
	}()
	for {
		i, ok := sw.take()
		if !ok {
			return
		}
		item, err := sw.seed(&w, sw.c.Seeds.At(i))
		sw.done <- result{i, item, err}
		if err != nil {
			return
		}
	}
}

// seed runs one seed, on a worker that is started if need be. What fails is run
// again, but for a run that hung, which would hang as long, or that escaped.
func (sw *sweep) seed(w **Worker, seed uint64) (Item, error) {
	req := sw.c.Request
	req.Seed = seed
	out, err := sw.once(w, req)
	if err != nil {
		return Item{}, err
	}
	it := Item{Seed: seed, Output: out}
	switch out.Verdict {
	case Pass, Vacuous:
		if !verified(seed, sw.c.Verify) {
			return it, nil
		}
	case NoProgress, Escaped:
		return it, nil
	}
	return sw.again(it, req)
}

// once makes one run. A worker that ended is a run that died.
func (sw *sweep) once(w **Worker, req Request) (Output, error) {
	if *w == nil {
		fresh, err := StartWorker(sw.ctx, sw.c.Scenario, WorkerOptions{Watchdog: sw.c.Watchdog})
		if err != nil {
			return Output{}, err
		}
		*w = fresh
	}
	out, err := (*w).Run(sw.ctx, req)
	if errors.Is(err, ErrWorkerGone) {
		return sw.c.Scenario.endedWith(req.Seed, err), nil
	}
	return out, err
}

// verified says whether a seed is among the share that is run twice. Which seeds
// are depends on nothing else.
func verified(seed uint64, share float64) bool {
	const parts = 1 << 32
	return float64(choice.At(seed, choice.NameKey("verify"), 0)>>32) < share*parts
}

// again repeats a run in a fresh process and compares.
func (sw *sweep) again(it Item, req Request) (Item, error) {
	var fresh *Worker
	second, err := sw.once(&fresh, req)
	if fresh != nil {
		defer fresh.Close()
	}
	if err != nil {
		return Item{}, err
	}
	it.Verified = true
	switch {
	case same(it.Output, second):
		return it, nil
	case it.Output.Verdict == Died:
		// Its end may be the machine's doing, as for want of memory: no verdict,
		// but no proof of nondeterminism.
		if second.Verdict != Died {
			it.Output.Reason += "\nrun again in a fresh process, it did not die: " + summaryOf(second)
		}
		return it, nil
	case second.lost():
		// The same, of the second run. A violation stands; a pass does not.
		it.Verified = false
		note := fmt.Sprintf("run again in a fresh process, it ended without a result: %s: %s", second.Verdict, second.Reason)
		if it.Output.Verdict == Violated {
			it.Output.Reason = note
		} else {
			it.Output.Verdict, it.Output.Reason = second.Verdict, note
		}
		return it, nil
	}
	it.Difference, err = sw.difference(it.Output, second, req)
	if err != nil {
		return Item{}, err
	}
	it.Output.Verdict, it.Output.Reason = Nondeterministic, "two runs of the seed differ: "+it.Difference.String()
	return it, nil
}

// difference tells where two runs of a request part.
func (sw *sweep) difference(a, b Output, req Request) (*Difference, error) {
	d, err := locate(sw.ctx, sw.c.Scenario, req, sw.c.Watchdog)
	if err != nil || d != nil {
		return d, err
	}
	return compare(a, b), nil
}

// inOrder calls each for the results in the order of the seeds, until it reports
// false. The first error of a run ends it. If the sweep is interrupted, seeds
// that were not finished leave gaps.
func (sw *sweep) inOrder(each func(Item) bool) error {
	waiting := map[uint64]Item{}
	next := uint64(0)
	for r := range sw.done {
		if r.err != nil && sw.ctx.Err() != nil {
			continue
		}
		if r.err != nil {
			return fmt.Errorf("seed %d: %w", sw.c.Seeds.At(r.index), r.err)
		}
		waiting[r.index] = r.item
		for {
			it, ok := waiting[next]
			if !ok {
				break
			}
			delete(waiting, next)
			next++
			<-sw.window
			if !each(it) {
				return nil
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(waiting)) {
		if !each(waiting[i]) {
			return nil
		}
	}
	return nil
}
