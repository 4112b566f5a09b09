package trace

import (
	"bufio"
	"io"
	"strings"
)

// WriteGo writes recorded events, with their stacks, as a Go execution trace in
// virtual time, which go tool trace and golang.org/x/exp/trace read.
//
// A process of the world is a proc, by its number, and a task, by its name. A
// goroutine has its path as its label and, in a region of its process's task, for
// as long as it lives. What the system wrote and what became of processes are log
// messages. Events at one time are a nanosecond apart to readers.
func WriteGo(out io.Writer, words []uint64, symbols Symbols) error {
	b := bufio.NewWriter(out)
	t := goTracer{
		w: newGoWriter(b), symbols: symbols, names: NewNames(),
		goroutines: map[uint64]*tracedGoroutine{}, procs: map[uint32]*tracedProc{}, tasks: map[uint64]bool{},
	}
	r := NewReader(words)
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		t.names.Learn(e)
		if e.Kind != Choice {
			t.at = uint64(e.At)
			t.take(e)
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	if err := t.w.close(); err != nil {
		return err
	}
	return b.Flush()
}

// goTracer turns the events of a run into those of an execution trace.
type goTracer struct {
	w       *goWriter
	symbols Symbols
	names   *Names
	at      uint64

	ids        uint64                      // of goroutines, so far
	goroutines map[uint64]*tracedGoroutine // by path
	procs      map[uint32]*tracedProc
	tasks      map[uint64]bool // that the system has begun and not ended
	proc       *tracedProc     // that the thread has, or nil
	cur        *tracedGoroutine
	category   string // of a message that follows
}

type tracedState int

const (
	stateRunnable tracedState = iota
	stateWaiting
	stateRunning
	stateEnded
)

type tracedGoroutine struct {
	id      uint64
	path    uint64
	state   tracedState
	seq     uint64
	started bool
	task    uint64
	regions []tracedRegion // that are open
}

type tracedRegion struct{ task, name uint64 }

type tracedProc struct {
	id   uint64
	seq  uint64
	task uint64 // 0 until it has one
}

// processTasks is where the numbers of processes' tasks start: the system's own,
// which it counts from 1, stay below.
const processTasks = 1 << 40

func (t *goTracer) take(e Event) {
	switch e.Kind {
	case Go:
		t.create(e)
	case Run:
		t.run(e)
	case Block:
		t.block(e)
	case Wake:
		t.wake(t.live(e.A), e)
	case End:
		t.end(e)
	case Switch:
		t.coroutine(e)
	case Task, TaskEnd, Region, RegionEnd, UserLog:
		if t.cur != nil && t.cur.path == e.A {
			t.annotate(e)
		}
	case Log:
		t.message("log", e)
	case Started, Ended, Injected, Healed:
		t.message("world", e)
	}
}

func (t *goTracer) emit(kind goEvent, args ...uint64) { t.w.event(t.at, kind, args...) }

// enter gives the thread a process's proc.
func (t *goTracer) enter(process uint32) {
	p := t.procs[process]
	if p == nil {
		p = &tracedProc{id: uint64(process)}
		t.procs[process] = p
		t.emit(goProcStatus, p.id, goProcIdle)
	}
	if p == t.proc {
		return
	}
	if t.proc != nil {
		t.emit(goProcStop)
	}
	p.seq++
	t.emit(goProcStart, p.id, p.seq)
	t.proc = p
}

func (t *goTracer) add(path uint64) *tracedGoroutine {
	t.ids++
	g := &tracedGoroutine{id: t.ids, path: path}
	t.goroutines[path] = g
	return g
}

// live returns the goroutine of a path, or nil before its start and after its end.
func (t *goTracer) live(path uint64) *tracedGoroutine {
	if g := t.goroutines[path]; g != nil && g.state != stateEnded {
		return g
	}
	return nil
}

func (t *goTracer) create(e Event) {
	if t.live(e.A) != nil {
		return
	}
	if t.cur == nil {
		t.enter(e.Process)
	}
	var first, stack uint64
	if len(e.Stack) > 0 {
		first, stack = t.w.stack(t.symbols.Frames(e.Stack[:1])), t.stack(e.Stack[1:])
	}
	t.emit(goCreate, t.add(e.A).id, first, stack)
}

func (t *goTracer) run(e Event) {
	if t.cur != nil { // it was not seen to stop
		t.stop(goStop, "unknown", nil)
	}
	t.enter(e.Process)
	g := t.live(e.A)
	if g == nil {
		g = t.add(e.A)
		t.emit(goStatus, g.id, goNoThread, goStateRunnable)
	}
	if g.state == stateWaiting {
		t.wake(g, Event{})
	}
	g.seq++
	t.emit(goStart, g.id, g.seq)
	g.state, t.cur = stateRunning, g
	if !g.started {
		g.started = true
		t.introduce(g, e.Process)
	}
}

// introduce gives a goroutine that runs for the first time its label and region.
func (t *goTracer) introduce(g *tracedGoroutine, process uint32) {
	name := t.w.string(t.names.Goroutine(g.path))
	t.emit(goLabel, name)
	if t.proc.task == 0 {
		t.proc.task = processTasks + uint64(process)
		t.emit(goUserTaskBegin, t.proc.task, 0, t.w.string(t.names.Process(process)), 0)
	}
	g.task = t.proc.task
	t.openRegion(tracedRegion{g.task, name}, 0)
}

func (t *goTracer) block(e Event) {
	if t.cur == nil || t.cur.path != e.A {
		return
	}
	if e.B != 0 {
		t.stop(goStop, e.Text, e.Stack)
		return
	}
	t.stop(goBlock, blockReason(e.Text), e.Stack)
}

// stop has the goroutine that runs stop or block.
func (t *goTracer) stop(kind goEvent, reason string, stack []uint64) {
	t.emit(kind, t.w.string(reason), t.stack(stack))
	t.cur.state = stateWaiting
	if kind == goStop {
		t.cur.state = stateRunnable
	}
	t.cur = nil
}

func (t *goTracer) wake(g *tracedGoroutine, e Event) {
	if g == nil || g.state != stateWaiting {
		return
	}
	g.seq++
	g.state = stateRunnable
	t.emit(goUnblock, g.id, g.seq, t.stack(e.Stack))
}

func (t *goTracer) end(e Event) {
	g := t.live(e.A)
	if g == nil {
		return
	}
	if g == t.cur {
		t.destroy()
	}
	g.state = stateEnded
}

// destroy ends the goroutine that runs.
func (t *goTracer) destroy() {
	for len(t.cur.regions) > 0 {
		t.closeRegion(0)
	}
	t.emit(goDestroy)
	t.cur.state, t.cur = stateEnded, nil
}

// coroutine is an iter.Pull's switch.
func (t *goTracer) coroutine(e Event) {
	if t.cur != nil && e.B == 0 {
		t.destroy()
	} else if t.cur != nil {
		t.stop(goBlock, "coroutine", e.Stack)
	}
	t.run(e)
}

// stack returns the number of a stack, without the scheduler's own functions at
// its end.
func (t *goTracer) stack(pcs []uint64) uint64 {
	frames := t.symbols.Frames(pcs)
	for len(frames) > 0 && isScheduler(frames[0].Func) {
		frames = frames[1:]
	}
	return t.w.stack(frames)
}

func isScheduler(name string) bool {
	switch name {
	case "runtime.gopark", "runtime.goparkunlock", "runtime.goready", "runtime.newproc", "runtime.mcall":
		return true
	}
	return strings.HasPrefix(name, "runtime.systemstack") || strings.HasPrefix(name, "runtime.orrery")
}

// blockReason is what Go's tracer says where the scheduler gives a reason to wait:
// readers tell blocking on the network, and on locks, by it.
func blockReason(wait string) string {
	switch {
	case wait == "IO wait":
		return "network"
	case wait == "select (no cases)", strings.HasSuffix(wait, "(nil chan)"):
		return "forever"
	case wait == "sync.Cond.Wait":
		return "sync.(*Cond).Wait"
	case wait == "semacquire", strings.HasPrefix(wait, "sync."):
		return "sync"
	}
	return wait
}
