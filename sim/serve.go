package sim

import (
	"bytes"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// serve is the kernel's goroutine: it answers calls and runs timed events until
// the world ends.
func (w *World) serve() {
	rt.KernelStart()
	debug.SetPanicOnFault(true)
	var c rt.Call
	var call kernel.Call
	for {
		rt.KernelNext(w.kern.Next(), &c)
		w.kern.Advance(rt.Now())
		switch {
		case c.Caller == 0 || w.gone(c.Proc): // by an event that came due
		case c.Nr() == rt.NrFunc:
			rt.FuncAt(c.Args()[0])()
			rt.KernelReturn(c.Caller, 0, 0)
		case c.Nr() == rt.NrCrash:
			w.panicked(w.procs[c.Proc], rt.TextAt(c.Args()[0], c.Args()[1]))
		default:
			w.answer(&c, &call)
		}
	}
}

// gone reports whether a process has ended: then its goroutines are gone too.
func (w *World) gone(proc uint32) bool {
	return proc < uint32(len(w.procs)) && w.procs[proc] == nil
}

func (w *World) answer(c *rt.Call, call *kernel.Call) {
	if c.Proc >= uint32(len(w.procs)) {
		rt.KernelReturn(c.Caller, ^uintptr(0), syscall.ESRCH)
		return
	}
	call.Nr, call.Args, call.Caller = c.Nr(), *c.Args(), kernel.Caller(c.Caller)
	r, errno, done := w.kern.Syscall(w.procs[c.Proc].kern, call)
	if done {
		rt.KernelReturn(c.Caller, r, errno)
	}
}

// PollReady and Complete are the kernel's way to the goroutines.
func (bridge) PollReady(pd uintptr, m kernel.PollMode) { rt.PollReady(pd, int32(m)) }

// PollDrop frees a poll descriptor of a process that ended.
func (bridge) PollDrop(pd uintptr) { rt.PollDrop(pd) }

// Complete answers a pending call.
func (bridge) Complete(c kernel.Caller, r uintptr, errno syscall.Errno) {
	rt.KernelComplete(uintptr(c), r, errno)
}

// event enters an event into the run's hash.
func (w *World) event(kind trace.Kind, proc uint32, a, b, c uint64, text string) {
	rt.Event(uint32(kind), proc, a, b, c, text)
}

func (w *World) packet(e net.Event) {
	kind := trace.Dropped
	switch e.Kind {
	case net.Sent:
		kind = trace.Sent
	case net.Delivered:
		kind = trace.Delivered
	case net.Retransmitted, net.Held:
		return // told by what follows
	}
	w.event(kind, uint32(e.Kind), uint64(uint32(e.From))<<32|uint64(uint32(e.To)), e.Conn, uint64(e.Seq)<<20^uint64(e.Len)<<8^uint64(e.Flags), "")
}

func (w *World) diskEvent(host uint32, e disk.Event) {
	w.event(trace.Disk, host, uint64(e.Kind)<<56|uint64(e.Ino), uint64(e.Off), uint64(e.Len), "")
}

// output takes what a process writes to its standard output and error.
func (w *World) output(p *process, b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			p.line = append(p.line, b...)
			return
		}
		p.line = append(p.line, b[:i]...)
		b = b[i+1:]
		w.logLine(p)
	}
}

// flush ends a line without an end.
func (w *World) flush(p *process) {
	if len(p.line) > 0 {
		w.logLine(p)
	}
}

func (w *World) logLine(p *process) {
	text := string(p.line)
	p.line = p.line[:0]
	w.event(trace.Log, p.id, 0, 0, 0, text)
	w.addLog(p, text)
}

// addLog keeps a line of a process's output, and shows it if somebody waits for it.
func (w *World) addLog(p *process, text string) {
	l := run.LogLine{At: time.Duration(rt.Now() - rt.Start), Node: p.name, Text: text}
	w.log = append(w.log, l)
	if w.live {
		showLive(l)
	}
}

// panicked ends the process of a goroutine that panicked or met a fatal error.
func (w *World) panicked(p *process, text string) {
	text = strings.Clone(text)
	first, stack, _ := strings.Cut(text, "\n")
	oracle := run.OraclePanic
	if strings.HasPrefix(first, fatalError) || strings.HasPrefix(first, "runtime:") {
		oracle = run.OracleFatal
	}
	if rest, ok := strings.CutPrefix(stack, fatalError); ok {
		first, stack, _ = strings.Cut(fatalError+rest, "\n")
	}
	w.event(trace.Log, p.id, 1, 0, 0, first)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		w.addLog(p, line)
	}
	// The oracle's name says which of both it is.
	message := strings.TrimPrefix(strings.TrimPrefix(first, fatalError), "panic: ")
	w.violate(&run.Violation{Oracle: oracle, Message: message, Node: p.name, Stack: strings.TrimSpace(stack)})
	if p.id != 0 {
		w.endProcess(p)
	}
}

// stopGoroutines ends the goroutines of a process.
func (w *World) stopGoroutines(p *process) int { return rt.Kill(p.id) }
