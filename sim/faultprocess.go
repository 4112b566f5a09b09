package sim

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/orrery-sim/orrery/sim/internal/rt"
)

func (a Drain) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Nodes...)
	if err != nil {
		return effect{}, err
	}
	procs := make([]*process, len(nodes))
	drains := make([]*draining, len(nodes))
	for i, n := range nodes {
		n.stops++
		procs[i] = n.proc
		drains[i] = w.drain(n, a.Within)
	}
	return effect{
		undo: func() {
			for i, p := range procs {
				if p != nil {
					w.expire(p, drains[i])
				}
			}
			w.resume(nodes)
		},
		evidence: func() (landed bool, what string) {
			var texts []string
			for i, d := range drains {
				landed = landed || d.Running
				texts = append(texts, nodes[i].name+": "+d.now(procs[i]))
			}
			return landed, strings.Join(texts, "; ")
		},
	}, nil
}

// now is what has become of a process so far.
func (d *draining) now(p *process) string {
	if p == nil || !p.kern.Alive() {
		return d.String()
	}
	return fmt.Sprintf("still running after %v", time.Duration(rt.Now()-d.began))
}

func (a Pause) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Nodes...)
	if err != nil {
		return effect{}, err
	}
	var before missed
	for _, n := range nodes {
		before = before.plus(n.missed)
		if n.pauses++; n.pauses == 1 {
			w.signal(n, syscall.SIGSTOP)
		}
	}
	return effect{
		undo: func() {
			for _, n := range nodes {
				if n.pauses--; n.pauses == 0 {
					w.signal(n, syscall.SIGCONT)
				}
			}
		},
		evidence: func() (bool, string) {
			var sum missed
			for _, n := range nodes {
				sum = sum.plus(w.missed(n))
			}
			sum = sum.minus(before)
			return sum.goroutines+sum.timers > 0, fmt.Sprintf("%d goroutines could have run, %d timers came due", sum.goroutines, sum.timers)
		},
	}, nil
}
