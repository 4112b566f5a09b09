package run

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Branch is a moment at which a run parts into futures.
type Branch struct {
	At      Moment
	Futures []Future
}

// Future is how a run goes on from a branch: with every goroutine, timer, socket
// and file as it was, and other choices. The zero value goes on unchanged.
type Future struct {
	// Seed is that of the choices drawn from then on, neutral ones too; nil keeps the
	// run's.
	Seed *uint64
	// Overrides replace choices that are drawn from then on, beside the request's.
	Overrides []choice.Override
}

// Branch makes a run once up to its branches, in their order, and from each of them
// every future. It returns an output for each future of each branch, whose
// hash covers the run from its start; it is nil for a branch that the run's end
// came before. A future that died or hung is an output, as in [Worker.Run].
func (w *Worker) Branch(ctx context.Context, req Request, branches []Branch) ([][]Output, error) {
	req.Until = nil
	n := 0
	for _, b := range branches {
		if b.At == (Moment{}) || len(b.Futures) == 0 {
			return nil, fmt.Errorf("%s: a branch at %q with %d futures: want a moment and a future", w.scenario.Name, b.At, len(b.Futures))
		}
		n += len(b.Futures)
	}
	if n == 0 {
		return nil, nil
	}
	var flat []Output
	err := w.request(ctx, req, branches, func(p *process) (usable bool, err error) {
		trunk, err := w.awaitFutures(p)
		if err != nil {
			return false, w.gone(ctx, p, err)
		}
		flat, err = w.collectFutures(p, req, trunk, n)
		return err == nil && trunk.reason == "", err
	})
	if err != nil {
		return nil, err
	}
	out := make([][]Output, len(branches))
	for i, b := range branches {
		k := min(len(b.Futures), len(flat))
		if k > 0 {
			out[i], flat = flat[:k:k], flat[k:]
		}
	}
	return out, nil
}

// trunk is the end of the run that parted.
type trunk struct {
	verdict Verdict
	reason  string         // why futures that it owes are missing; "" if it ended well
	hung    map[int]string // futures that the watchdog ended, with what was printed
}

// awaitFutures waits for the end of a run that parts, and of every future.
func (w *Worker) awaitFutures(p *process) (trunk, error) {
	t := trunk{hung: map[int]string{}}
	began, err := p.next(w.options.start())
	if err := began.expect('f', err); err != nil {
		return t, err
	}
	for n := 0; ; n++ {
		r, err := p.next(w.options.start())
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			syscall.Kill(began.pid, syscall.SIGQUIT)
			p.next(lastWords)
			t.verdict, t.reason = NoProgress, fmt.Sprintf("it did not get to its next branch in %v of real time", w.options.start())
			return t, nil
		case err == nil && r.kind == 'x':
			if r.status != 0 {
				t.verdict, t.reason = Died, "the process of the run ended: "+statusText(r.status)
			}
			return t, nil
		}
		if err := r.expect('b', err); err != nil {
			return t, err
		}
		hung, err := w.awaitFuture(p, r.pid)
		if err != nil {
			return t, err
		}
		if hung {
			t.hung[n] = p.text()
			p.forget()
		}
	}
}

// awaitFuture waits for the end of one future, which it ends if it hangs.
func (w *Worker) awaitFuture(p *process, pid int) (hung bool, err error) {
	r, err := p.next(w.options.start())
	for _, signal := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGKILL} {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			hung = true
			syscall.Kill(pid, signal)
			r, err = p.next(lastWords)
		}
	}
	return hung, r.expect('e', err)
}

// collectFutures reads what the futures wrote, n at most.
func (w *Worker) collectFutures(p *process, req Request, t trunk, n int) (out []Output, err error) {
	for at := int64(0); len(out) < n; {
		if text, ok := t.hung[len(out)]; ok {
			hung := w.noResult(p, req, NoProgress, fmt.Sprintf("nothing came of it in %v of real time\n%s", w.options.start(), text))
			out = append(out, hung)
			_, at, err = readFrames(p.output, at) // that it ended
			if err != nil {
				return nil, err
			}
			continue
		}
		f, next, err := readFrames(p.output, at)
		if err != nil {
			return nil, err
		}
		at = next
		switch {
		case f.complete:
			if err := w.complete(p, &f.Output); err != nil {
				return nil, err
			}
			out = append(out, f.Output)
		case f.ended != nil:
			out = append(out, w.died(p, req, syscall.WaitStatus(binary.LittleEndian.Uint32(f.ended))))
		case t.reason != "":
			out = append(out, w.noResult(p, req, t.verdict, t.reason))
		default:
			return out, nil // the run's end came first
		}
	}
	return out, nil
}
