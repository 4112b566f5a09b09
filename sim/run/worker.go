package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// WorkerOptions configures a worker.
type WorkerOptions struct {
	// Watchdog is for how much real time a run may stand at one step of its
	// schedule; 0 is [WatchdogDefault].
	Watchdog time.Duration
}

// WatchdogDefault is enough for long computations.
const WatchdogDefault = 10 * time.Second

// lastWords is how long a run that hangs may take to print its stacks.
const lastWords = 2 * time.Second

// start is how much real time a worker's start, or a fork, may take.
func (o WorkerOptions) start() time.Duration { return watchIdle * o.Watchdog }

// Worker is a process that forks a copy of itself for every run. It is for one
// goroutine at a time.
type Worker struct {
	ctx      context.Context
	scenario Scenario
	options  WorkerOptions
	proc     *process // nil after it was lost, until the next run
	closed   bool
}

// StartWorker starts a worker for a scenario. It ends with ctx.
func StartWorker(ctx context.Context, s Scenario, o WorkerOptions) (*Worker, error) {
	if o.Watchdog <= 0 {
		o.Watchdog = WatchdogDefault
	}
	w := &Worker{ctx: ctx, scenario: s, options: o}
	return w, w.start()
}

// start starts the worker's process, and waits until it is ready.
func (w *Worker) start() error {
	p, err := startProcess(w.ctx, w.scenario)
	if err != nil {
		return fmt.Errorf("%s: no worker: %w", w.scenario.Name, err)
	}
	r, err := p.next(w.options.start())
	if err == nil && r.kind == 'h' {
		w.proc = p
		return nil
	}
	late := errors.Is(err, os.ErrDeadlineExceeded)
	p.close()
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case late:
		return fmt.Errorf("%s: no worker: the test did not call sim.Test in %v: %s", w.scenario.Name, w.options.start(), p.text())
	case err == nil:
		return fmt.Errorf("%s: no worker: its first word is %q, want 'h': %s", w.scenario.Name, r.kind, p.text())
	}
	return fmt.Errorf("%s: no worker: the test ended before it called sim.Test: %s", w.scenario.Name, p.text())
}

// Close ends the worker and a run that it is at.
func (w *Worker) Close() error {
	w.closed = true
	return w.lose()
}

// lose ends the worker's process, if there is one.
func (w *Worker) lose() (err error) {
	if w.proc != nil {
		err = w.proc.close()
		w.proc = nil
	}
	return err
}

// ErrWorkerGone says that the worker itself, not a run, has ended.
var ErrWorkerGone = errors.New("the worker ended")

// Run makes one run. A run that died or hung is a result; an error says that
// there was none. After [ErrWorkerGone], or a run that left the worker unusable,
// the next call starts another process.
func (w *Worker) Run(ctx context.Context, req Request) (out Output, err error) {
	err = w.request(ctx, req, nil, func(p *process) (usable bool, err error) {
		status, err := w.await(p)
		switch {
		case err == nil:
			out, err = w.collect(p, req, status)
		case errors.Is(err, errHung):
			out, err = w.noResult(p, req, NoProgress, fmt.Sprintf("no step of its schedule in %v of real time", w.options.Watchdog)), nil
		default:
			err = w.gone(ctx, p, err)
		}
		return err == nil && !out.lost(), err
	})
	return out, err
}

// request sends a request to the worker's process, which is started if need be, and
// has await take what comes of it. If that leaves the process unusable it ends:
// what is left of the request would be taken for the next one.
func (w *Worker) request(ctx context.Context, req Request, branches []Branch, await func(*process) (usable bool, err error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.closed {
		return fmt.Errorf("%s: the worker was closed", w.scenario.Name)
	}
	message, err := req.message(branches)
	if err != nil {
		return err
	}
	if w.proc == nil {
		if err := w.start(); err != nil {
			return err
		}
	}
	p := w.proc
	// The run must not outlive ctx, which may end before the worker's.
	defer context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })()
	p.forget()
	if err := p.send(message, w.options.start()); err != nil {
		err = w.gone(ctx, p, err)
		w.lose()
		return err
	}
	usable, err := await(p)
	if !usable {
		w.lose()
	}
	return err
}

// errHung says that the watchdog ended a run.
var errHung = errors.New("the run hangs")

// await waits for the end of a run.
func (w *Worker) await(p *process) (syscall.WaitStatus, error) {
	began, err := p.next(w.options.start())
	if err := began.expect('f', err); err != nil {
		return 0, err
	}
	dog := watch{p: p, pid: began.pid, limit: w.options.Watchdog}
	for {
		end, err := p.next(dog.pause())
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return end.status, end.expect('x', err)
		}
		if dog.hung() {
			syscall.Kill(began.pid, syscall.SIGQUIT) // prints its stacks
			p.next(lastWords)
			return 0, errHung
		}
	}
}

func (w *Worker) gone(ctx context.Context, p *process, err error) error {
	p.close()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	}
	return fmt.Errorf("%s: %w: %v: %s", w.scenario.Name, ErrWorkerGone, err, p.text())
}

// endedWith is the output of a run whose worker ended.
func (s Scenario) endedWith(seed uint64, err error) Output {
	return Output{Result: Result{Scenario: s.Name, Seed: seed, Verdict: Died, Reason: err.Error()}}
}

// collect reads what a run wrote.
func (w *Worker) collect(p *process, req Request, status syscall.WaitStatus) (Output, error) {
	if status != 0 {
		return w.died(p, req, status), nil
	}
	out, complete, err := readOutput(p.output)
	if err == nil && !complete {
		return w.died(p, req, status), nil
	}
	if err == nil && out.Seed != req.Seed {
		err = fmt.Errorf("output of the run: it is of seed %d, want %d", out.Seed, req.Seed)
	}
	if err != nil {
		return out, err
	}
	return out, w.complete(p, &out)
}

// complete adds to the output of a run what only its driver knows, and takes away
// what is of its process.
func (w *Worker) complete(p *process, out *Output) error {
	if out.Violation != nil && out.Violation.Oracle == OracleRace {
		describeRace(out.Violation, p.text())
	}
	if err := w.scenario.Binary.keepCounters(out.counters); err != nil {
		return err
	}
	shared, err := w.scenario.Binary.shared(out.changed)
	out.Warnings = append(out.Warnings, shared...)
	out.changed, out.counters = nil, nil
	return err
}

// died is the output of a run whose process ended without one.
func (w *Worker) died(p *process, req Request, status syscall.WaitStatus) Output {
	if status.Exited() && status.ExitStatus() == exitEscaped {
		return w.escaped(p, req)
	}
	return w.noResult(p, req, Died, "the process of the run ended: "+statusText(status))
}

func statusText(s syscall.WaitStatus) string {
	if s.Signaled() {
		return "signal " + s.Signal().String()
	}
	return fmt.Sprintf("exit status %d", s.ExitStatus())
}

// noResult is the output of a run that did not make one.
func (w *Worker) noResult(p *process, req Request, v Verdict, reason string) Output {
	if text := p.text(); text != "" {
		reason += "\n" + text
	}
	return Output{Result: Result{Scenario: w.scenario.Name, Seed: req.Seed, Verdict: v, Reason: reason}}
}
