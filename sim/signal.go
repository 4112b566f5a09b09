package sim

import (
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// Signal sends a signal to the node's process, as its operator would. What the
// program does about it is as on Linux: without a handler it dies of SIGTERM,
// SIGINT or SIGHUP. That is no violation, since the test asked for it. It reports
// whether there was a process.
func (n *Node) Signal(sig syscall.Signal) (sent bool) {
	n.w.inKernel(func() { sent = n.w.signal(n, sig) })
	return sent
}

// Pause stops the node's process where it is, as SIGSTOP does, until
// [Node.Resume]. Its machine goes on: packets are acknowledged as far as buffers
// reach, connections queue to be accepted, disks work. Clocks go on too, and
// timers that come due fire when the process resumes.
func (n *Node) Pause() { n.Signal(syscall.SIGSTOP) }

// Resume lets a paused process go on.
func (n *Node) Resume() { n.Signal(syscall.SIGCONT) }

// Drained is how a process ended that was asked to.
type Drained struct {
	Running bool          // there was a process
	Handled bool          // its own handler got the signal
	Killed  bool          // it had not ended after the grace
	Took    time.Duration // virtual time until its end
}

func (d Drained) String() string {
	how := "it has no handler"
	if d.Handled {
		how = "its handler ran"
	}
	switch {
	case !d.Running:
		return "no process"
	case d.Killed:
		return fmt.Sprintf("%s, killed after %v", how, d.Took)
	}
	return fmt.Sprintf("%s, ended by itself after %v", how, d.Took)
}

// Drain asks the node's process to end by SIGTERM, waits for it at most grace of
// virtual time, and then kills it.
func (n *Node) Drain(grace time.Duration) Drained {
	var d *draining
	n.w.inKernel(func() { d = n.w.drain(n, grace) })
	<-d.done
	return d.Drained
}

// draining is a process that was asked to end.
type draining struct {
	Drained
	began int64
	done  chan struct{} // closed when it has ended
}

// drain asks the node's process to end, and has it killed after grace.
func (w *World) drain(n *Node, grace time.Duration) *draining {
	p := n.proc
	d := &draining{began: rt.Now(), done: make(chan struct{})}
	if p == nil {
		close(d.done)
		return d
	}
	d.Running = true
	p.onEnd = append(p.onEnd, func() {
		d.Took = time.Duration(rt.Now() - d.began)
		d.Handled = p.kern.Handled(syscall.SIGTERM)
		close(d.done)
	})
	w.kern.After(grace, func() { w.expire(p, d) })
	w.kern.Send(p.kern, syscall.SIGTERM)
	return d
}

// expire kills a process that did not end in its grace.
func (w *World) expire(p *process, d *draining) {
	if p.kern.Alive() {
		d.Killed = true
		w.endProcess(p)
	}
}

// signal sends a signal to the node's process, and reports whether there is one.
func (w *World) signal(n *Node, sig syscall.Signal) bool {
	if n.proc == nil {
		return false
	}
	w.event(trace.Signalled, n.proc.id, uint64(sig), 0, 0, n.name)
	w.kern.Send(n.proc.kern, sig)
	return true
}

// exited is told by the kernel that a process ended itself or died of a signal. It
// is a violation unless the exit status is 0, or the test sent the signal.
func (w *World) exited(kp *kernel.Process, e kernel.Ending) {
	p := w.procs[kp.ID]
	w.flush(p)
	switch {
	case e.Outside, e.Code == 0:
	case e.Signal != 0:
		w.violate(&run.Violation{Oracle: "exit", Message: "died of " + signalName(e.Signal), Node: p.name, Stack: p.stacks})
	default:
		w.violate(&run.Violation{Oracle: "exit", Message: fmt.Sprintf("exit status %d%s", e.Code, w.lastWords(p)), Node: p.name})
	}
	if p.id == 0 {
		w.finish(run.Unknown, "the test ended its own process", nil)
		return
	}
	n := w.stopGoroutines(p)
	w.ended(p)
	w.event(trace.Ended, p.id, uint64(n), uint64(e.Code), 0, p.name)
}

// lastWords is the last line of the log, if it is the process's.
func (w *World) lastWords(p *process) string {
	if n := len(w.log); n > 0 && w.log[n-1].Node == p.name {
		return ": " + w.log[n-1].Text
	}
	return ""
}

// quits writes what a program of Go's writes when it quits on a signal: the stacks
// of its goroutines.
func (w *World) quits(kp *kernel.Process, sig syscall.Signal) {
	p := w.procs[kp.ID]
	w.flush(p)
	p.stacks = rt.Stacks(p.id)
	w.output(p, []byte(signalName(sig)+": "+sig.String()+"\n"))
	w.output(p, []byte(p.stacks))
}

func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(sig))
}

// Stop has a process stand still.
func (b bridge) Stop(p kernel.ProcID) {
	b.w.event(trace.Paused, uint32(p), 0, 0, 0, b.w.procs[p].name)
	rt.Pause(uint32(p))
}

// Continue has it go on.
func (b bridge) Continue(p kernel.ProcID) {
	if n := b.w.procs[p].node; n != nil {
		n.missed = b.w.missed(n)
	}
	b.w.event(trace.Resumed, uint32(p), 0, 0, 0, b.w.procs[p].name)
	rt.Resume(uint32(p))
}

// missed is what the processes of a node could have done while they were paused.
type missed struct {
	goroutines int // that could run
	timers     int // that came due
}

func (m missed) plus(o missed) missed {
	return missed{m.goroutines + o.goroutines, m.timers + o.timers}
}
func (m missed) minus(o missed) missed {
	return missed{m.goroutines - o.goroutines, m.timers - o.timers}
}

// missed is what they could have done so far.
func (w *World) missed(n *Node) missed {
	if n.proc == nil {
		return n.missed
	}
	goroutines, timers := rt.Missed(n.proc.id)
	return n.missed.plus(missed{goroutines, timers})
}
