package sim

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/internal/callname"
	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// snapshot is the state of the standing world. The world's root makes it, and ends
// the run after.
func (w *World) snapshot() *run.State {
	hash, events := rt.Counts()
	s := &run.State{
		At: rt.Now() - rt.Start, Events: events, Hash: fmt.Sprintf("%016x", hash), Phase: w.phase(), Faults: []string{},
	}
	for _, in := range w.faults {
		if in.on {
			s.Faults = append(s.Faults, in.report.Text)
		}
	}
	if next := w.kern.Next(); next != 0 {
		next -= rt.Start
		s.Next = &next
	}
	names := w.pathNames()
	goroutines, timers := goroutines(names), timers(names)
	for _, m := range w.machines() {
		p := m.Process
		if m.proc != nil {
			p.Running = true
			p.Goroutines, p.Timers = goroutines[m.proc.id], timers[m.proc.id]
			files, sockets := m.proc.kern.Descriptors()
			p.Files, p.Sockets = described(files), described(sockets)
		}
		p.Sockets = append(p.Sockets, described(w.kern.Orphans(m.host))...)
		s.Processes = append(s.Processes, p)
	}
	return s
}

func (w *World) phase() string {
	switch {
	case w.began == 0:
		return "setup"
	case w.safe:
		return "safety"
	case w.checking:
		return "checks"
	}
	return "liveness"
}

// machine is a node, a client, or the test's own machine.
type machine struct {
	run.Process
	host *kernel.Host
	proc *process // that runs, or nil
}

// machines returns the test's, the nodes and the clients.
func (w *World) machines() []machine {
	test := w.procs[0]
	out := []machine{{run.Process{Name: test.name, Kind: "test", Addr: testAddr.String(), Powered: true}, test.kern.Host, test}}
	add := func(n *Node, kind string) {
		wall := n.clock.Wall(rt.Now()-rt.Start) - (rt.Now() - rt.Start)
		out = append(out, machine{run.Process{Name: n.name, Kind: kind, Addr: n.Addr(), Powered: !n.down, Wall: wall}, n.host, n.proc})
	}
	for _, n := range w.nodes {
		add(n, "node")
	}
	for _, c := range w.clients {
		add(c.Node, "client")
	}
	return out
}

// pathNames are the goroutines' names, by what the run has recorded.
func (w *World) pathNames() *trace.Names {
	words, _, _ := rt.Log()
	names, r := trace.NewNames(), trace.NewReader(words)
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
	}
	return names
}

// goroutines returns the goroutines of each process, by their names.
func goroutines(names *trace.Names) map[uint32][]run.Goroutine {
	out := map[uint32][]run.Goroutine{}
	rt.Goroutines(func(g *rt.Goroutine) {
		r := run.Goroutine{Name: names.Goroutine(g.Path), State: "runnable", Stack: framesOf(g.Stack()...)}
		if len(r.Stack) == 0 {
			r.Stack = framesOf(g.Start) // it has not run yet
		}
		if !g.Running {
			r.State = g.Reason
		}
		if g.Reason == rt.ReasonCall {
			r.State += " " + callname.Of(g.Call)
		}
		if g.Since != 0 {
			r.Since = g.Since - rt.Start
		}
		if by := framesOf(g.Creator); len(by) > 0 && !engines(by[0].Func) {
			r.CreatedBy = &by[0]
		}
		out[g.Proc] = append(out[g.Proc], r)
	})
	for _, list := range out {
		slices.SortFunc(list, func(a, b run.Goroutine) int { return compareNames(a.Name, b.Name) })
	}
	return out
}

// engines reports whether a function starts goroutines for the engine.
func engines(name string) bool { return strings.HasPrefix(name, "runtime.") }

// compareNames orders goroutines' names, the numbers in them by value.
func compareNames(a, b string) int {
	for {
		pa, restA, okA := strings.Cut(a, ".")
		pb, restB, okB := strings.Cut(b, ".")
		if c := cmp.Or(cmp.Compare(len(pa), len(pb)), cmp.Compare(pa, pb)); c != 0 {
			return c
		}
		if !okA || !okB {
			return cmp.Compare(len(a), len(b))
		}
		a, b = restA, restB
	}
}

// timers returns the timers of each process, by when they are due.
func timers(names *trace.Names) map[uint32][]run.Timer {
	out := map[uint32][]run.Timer{}
	rt.Timers(func(t *rt.Timer) {
		out[t.Proc] = append(out[t.Proc], run.Timer{Due: t.When - rt.Start, Period: t.Period, What: whatTimer(names, t)})
	})
	for _, list := range out {
		slices.SortFunc(list, func(a, b run.Timer) int {
			return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.What, b.What))
		})
	}
	return out
}

func whatTimer(names *trace.Names, t *rt.Timer) string {
	run := runtime.FuncForPC(t.Run).Name()
	switch {
	case t.Path != 0:
		return "sleep of " + names.Goroutine(t.Path)
	case t.Arg != 0:
		return "time.AfterFunc of " + runtime.FuncForPC(t.Arg).Name()
	case run == "time.sendTime" && t.Period != 0:
		return "time.Ticker"
	case run == "time.sendTime":
		return "time.Timer"
	case strings.HasPrefix(run, "runtime.netpoll"):
		return "deadline of a descriptor"
	}
	return run
}

func described(list []kernel.Descriptor) []run.Descriptor {
	out := make([]run.Descriptor, len(list))
	for i, d := range list {
		out[i] = run.Descriptor(d)
	}
	return out
}
