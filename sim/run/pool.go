package run

import (
	"context"
	"errors"
)

// Pool is workers of one scenario, for runs at one time. It starts each when it is
// needed first.
type Pool struct {
	scenario Scenario
	free     chan *Worker // nil is one that was not started
	options  WorkerOptions
}

// NewPool returns a pool of so many workers, at least one.
func NewPool(s Scenario, workers int, o WorkerOptions) *Pool {
	p := &Pool{s, make(chan *Worker, max(workers, 1)), o}
	for range cap(p.free) {
		p.free <- nil
	}
	return p
}

// Run makes one run, once a worker is free. A worker that ended is a run that died.
func (p *Pool) Run(ctx context.Context, req Request) (out Output, err error) {
	err = p.with(ctx, func(w *Worker) error {
		out, err = w.Run(ctx, req)
		return err
	})
	if errors.Is(err, ErrWorkerGone) {
		return p.scenario.endedWith(req.Seed, err), nil
	}
	return out, err
}

// Branch makes a run that parts, once a worker is free: see [Worker.Branch].
func (p *Pool) Branch(ctx context.Context, req Request, branches []Branch) (out [][]Output, err error) {
	err = p.with(ctx, func(w *Worker) error {
		out, err = w.Branch(ctx, req, branches)
		return err
	})
	return out, err
}

// with does something with a worker that is free.
func (p *Pool) with(ctx context.Context, do func(*Worker) error) (err error) {
	var w *Worker
	select {
	case w = <-p.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { p.free <- w }()
	if w == nil {
		// A worker outlives the call that needed it first.
		if w, err = StartWorker(context.WithoutCancel(ctx), p.scenario, p.options); err != nil {
			return err
		}
	}
	return do(w)
}

// Close ends the workers, once each is free.
func (p *Pool) Close() error {
	var errs []error
	for range cap(p.free) {
		if w := <-p.free; w != nil {
			errs = append(errs, w.Close())
		}
	}
	return errors.Join(errs...)
}
