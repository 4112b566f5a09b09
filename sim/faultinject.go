package sim

import (
	"fmt"
	"time"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/trace"
)

// find returns the nodes and clients of that name.
func (w *World) find(names ...string) ([]*Node, error) {
	var out []*Node
	for _, name := range names {
		n := w.byName[name]
		if n == nil {
			return nil, fmt.Errorf("no node or client is called %q", name)
		}
		out = append(out, n)
	}
	return out, nil
}

// victims is find for faults of processes and disks, which clients do not have.
func (w *World) victims(names ...string) ([]*Node, error) {
	nodes, err := w.find(names...)
	for _, n := range nodes {
		if n.program == nil {
			return nil, fmt.Errorf("%s runs no program", n.name)
		}
	}
	return nodes, err
}

func (a Crash) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Nodes...)
	if err != nil {
		return effect{}, err
	}
	var goroutines, sockets int
	var lost disk.CrashReport
	for _, n := range nodes {
		n.stops++
		s, r := w.crash(n)
		goroutines, sockets = goroutines+s.goroutines, sockets+s.sockets
		lost.PagesLost += r.PagesLost
		lost.PagesTorn += r.PagesTorn
		lost.OpsLost += r.OpsLost
	}
	return effect{
		undo: func() { w.resume(nodes) },
		evidence: func() (bool, string) {
			return goroutines > 0 || !lost.Lossless(), fmt.Sprintf("%d goroutines stopped, %d sockets silenced, %d unsynced pages lost, %d torn, %d operations lost",
				goroutines, sockets, lost.PagesLost, lost.PagesTorn, lost.OpsLost)
		},
	}, nil
}

// resume undoes one fault that stopped nodes. A node that several faults stopped
// comes back when all of them are undone.
func (w *World) resume(nodes []*Node) {
	for _, n := range nodes {
		if n.stops--; n.stops == 0 {
			w.restart(n)
		}
	}
}

// crash takes a node's power.
func (w *World) crash(n *Node) (s stopped, r disk.CrashReport) {
	if n.down {
		return s, r
	}
	n.down = true
	s.sockets = w.sockets(n)
	if p := n.proc; p != nil {
		s.goroutines = w.silence(p)
	}
	r = w.kern.CrashHost(n.host)
	w.event(trace.Injected, uint32(n.host.Net), uint64(s.goroutines), uint64(r.PagesLost), uint64(r.PagesTorn), n.name)
	return s, r
}

// silence ends the goroutines of a process whose host loses its power.
func (w *World) silence(p *process) (goroutines int) {
	goroutines = w.stopGoroutines(p)
	w.ended(p)
	return goroutines
}

// sockets counts the TCP sockets of a node.
func (w *World) sockets(n *Node) int { return len(w.net.Conns(n.host.Net)) }

func (a Kill) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Nodes...)
	if err != nil {
		return effect{}, err
	}
	var sum stopped
	for _, n := range nodes {
		n.stops++
		s := w.kill(n)
		sum.goroutines += s.goroutines
		sum.sockets += s.sockets
	}
	return effect{
		undo: func() { w.resume(nodes) },
		evidence: func() (bool, string) {
			return sum.goroutines > 0, fmt.Sprintf("%d goroutines stopped, %d sockets closed", sum.goroutines, sum.sockets)
		},
	}, nil
}

// ways is the links that a fault is of.
type ways [][2]net.HostID

func between(a, b *Node) ways {
	return ways{{a.host.Net, b.host.Net}, {b.host.Net, a.host.Net}}
}

// count sums a counter over links.
func (w *World) count(links ways, counter func(net.LinkStats) uint64) (sum uint64) {
	for _, l := range links {
		sum += counter(w.net.Stats(l[0], l[1]))
	}
	return sum
}

func dropped(s net.LinkStats) uint64 { return s.DroppedCut }
func lost(s net.LinkStats) uint64    { return s.DroppedLoss }
func delayed(s net.LinkStats) uint64 { return s.Delayed }

// linkEffect is the effect of a fault of links that shows in one of their counters.
func (w *World) linkEffect(links ways, counter func(net.LinkStats) uint64, what string, undo func()) effect {
	before := w.count(links, counter)
	return effect{undo: undo, evidence: func() (bool, string) {
		n := w.count(links, counter) - before
		return n > 0, fmt.Sprintf("%d packets %s", n, what)
	}}
}

// each does something to every link, and returns what undoes it all.
func (l ways) each(do func(link [2]net.HostID) (undo func())) (undo func()) {
	var undos []func()
	for _, link := range l {
		undos = append(undos, do(link))
	}
	return func() {
		for _, undo := range undos {
			undo()
		}
	}
}

// cut cuts links; a link that several faults cut is whole when all are undone.
func (w *World) cut(links ways) effect {
	return w.linkEffect(links, dropped, "dropped", links.each(func(l [2]net.HostID) func() {
		return w.cuts.raise(l, 1, func(level int) {
			if level > 0 {
				w.net.Cut(l[0], l[1])
			} else {
				w.net.Heal(l[0], l[1])
			}
		})
	}))
}

func (a Cut) inject(w *World) (effect, error) {
	n, err := w.find(a.From, a.To)
	if err != nil {
		return effect{}, err
	}
	return w.cut(ways{{n[0].host.Net, n[1].host.Net}}), nil
}

func (a Partition) inject(w *World) (effect, error) {
	var links ways
	for i, g := range a.Groups {
		nodes, err := w.find(g...)
		if err != nil {
			return effect{}, err
		}
		for _, h := range a.Groups[i+1:] {
			others, err := w.find(h...)
			if err != nil {
				return effect{}, err
			}
			for _, n := range nodes {
				for _, o := range others {
					links = append(links, between(n, o)...)
				}
			}
		}
	}
	return w.cut(links), nil
}

func (a Lose) inject(w *World) (effect, error) {
	n, err := w.find(a.A, a.B)
	if err != nil {
		return effect{}, err
	}
	links := between(n[0], n[1])
	return w.linkEffect(links, lost, "lost", links.each(func(l [2]net.HostID) func() {
		return w.losses.raise(l, a.Rate, func(rate float64) { w.net.SetLoss(l[0], l[1], rate) })
	})), nil
}

func (a Delay) inject(w *World) (effect, error) {
	n, err := w.find(a.A, a.B)
	if err != nil {
		return effect{}, err
	}
	links := between(n[0], n[1])
	return w.linkEffect(links, delayed, "delayed", links.each(func(l [2]net.HostID) func() {
		return w.delays.raise(l, a.By, func(by time.Duration) { w.net.SetDelay(l[0], l[1], by) })
	})), nil
}

func (a Skew) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Node)
	if err != nil {
		return effect{}, err
	}
	n := nodes[0]
	jump := func(by time.Duration) {
		n.clock = n.clock.Jump(by)
		w.setClock(n)
	}
	before := w.clockReads(n)
	jump(a.By)
	return effect{
		undo: func() { jump(-a.By) },
		evidence: func() (bool, string) {
			reads := w.clockReads(n) - before
			return reads > 0 && a.By != 0, fmt.Sprintf("clock read %d times while %v off", reads, a.By)
		},
	}, nil
}

// diskEffect is the effect of a fault of a node's disk, which shows in what the
// disk has counted of its kind.
func (w *World) diskEffect(n *Node, kind disk.FaultKind, undo func(), what func(before, after disk.Landed) (bool, string)) effect {
	before := n.host.Disk.Landed(kind)
	return effect{undo: undo, evidence: func() (bool, string) { return what(before, n.host.Disk.Landed(kind)) }}
}

func (a SlowDisk) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Node)
	if err != nil {
		return effect{}, err
	}
	n := nodes[0]
	undo := w.slows.raise(n, a.By, func(by time.Duration) {
		f := n.host.Disk.Faults()
		f.Slow = disk.Range{Least: by, Most: by}
		n.host.Disk.SetFaults(f)
	})
	return w.diskEffect(n, disk.FaultSlow, undo, func(before, after disk.Landed) (bool, string) {
		return after.Delay > before.Delay, fmt.Sprintf("%d calls took %v longer", after.Calls-before.Calls, after.Delay-before.Delay)
	}), nil
}

func (a LieSync) inject(w *World) (effect, error) {
	nodes, err := w.victims(a.Node)
	if err != nil {
		return effect{}, err
	}
	n := nodes[0]
	undo := w.lies.raise(n, 1, func(chance float64) {
		f := n.host.Disk.Faults()
		f.SyncLie = chance
		n.host.Disk.SetFaults(f)
	})
	return w.diskEffect(n, disk.FaultSyncLie, undo, func(before, after disk.Landed) (bool, string) {
		return after.Calls > before.Calls, fmt.Sprintf("%d syncs lied about %d bytes", after.Calls-before.Calls, after.Size-before.Size)
	}), nil
}
