// Package kernel answers the system calls of simulated processes: files by the
// disk of their host, sockets by the network, time by the world's clock.
//
// It is a state machine that is called with a system call and answers at once,
// or later through [Runtime.Complete]; and it has one queue of timed events that
// the world advances. It knows nothing of goroutines but the handle of a caller.
// Everything here runs in one goroutine, so nothing is locked.
package kernel

import (
	"syscall"

	"github.com/orrery-sim/orrery/net"
	"github.com/orrery-sim/orrery/sim/choice"
)

// Runtime is the side of the world that has goroutines.
type Runtime interface {
	// PollReady wakes the goroutines that wait on a poll descriptor.
	PollReady(pd uintptr, m PollMode)
	// PollDrop frees the poll descriptor of a process that ended.
	PollDrop(pd uintptr)
	// Stop has the goroutines and timers of a process stand still until Continue.
	Stop(p ProcID)
	Continue(p ProcID)
	// Complete answers a call that was left pending, and makes its caller runnable.
	Complete(caller Caller, r1 uintptr, errno syscall.Errno)
}

// Caller is the handle of the goroutine that makes a call.
type Caller uintptr

// PollMode says which side of a descriptor became ready.
type PollMode int32

// The modes, with the values that the runtime's poller uses.
const (
	PollRead  PollMode = 'r'
	PollWrite PollMode = 'w'
	PollBoth  PollMode = 'r' + 'w'
)

// Kernel is the operating system of every host of one world.
type Kernel struct {
	rt     Runtime
	src    *choice.Source
	now    int64 // true virtual time, nanoseconds since 1970
	events eventQueue
	net    *net.Network
	procs  []*Process // by ProcID; nil where ended
	hosts  []*Host
	memory memory
	booted int64 // true time at which the first host was made

	// Exited, if not nil, is told that a process ended itself or died of a signal,
	// once the kernel has ended it. Its calls are never answered.
	Exited func(p *Process, e Ending)
	// Quits, if not nil, is told that a process is about to end with its stacks.
	Quits func(p *Process, sig syscall.Signal)
	// Refused, if not nil, is told of a call that the simulation does not do: one
	// that it has no answer for but ENOSYS, or that it answers with an error though
	// Linux would not.
	Refused func(nr uintptr, caller Caller)

	calls    uint64
	inos     uint64 // given to objects that have no file
	buf      []byte // scratch of calls that copy
	gathered []byte // scratch of messages in several buffers
	msg      message
	touched  byte     // the last that touch read
	spare    [][]byte // buffers of datagrams between Unix sockets, to be used again

	carriers   []*unixSocket // those that descriptors came to
	collecting bool          // in collectUnix
}

// New returns a kernel without hosts. Its files and network draw from src; the
// network may be nil if no host has sockets.
func New(rt Runtime, src *choice.Source, n *net.Network) *Kernel {
	return &Kernel{rt: rt, src: src, net: n}
}

// Call is one system call: its number, its arguments and who makes it.
type Call struct {
	Nr     uintptr
	Args   [6]uintptr
	Caller Caller
	proc   *Process
}

// pending, as an errno, says that the call is answered later, by Complete. It is
// no errno of Linux.
const pending = syscall.Errno(1 << 20)

// handler answers one system call; pending as errno leaves it open.
type handler func(k *Kernel, c *Call) (r1 uintptr, errno syscall.Errno)

// Syscall answers a call of process p. done is false if the answer comes later.
func (k *Kernel) Syscall(p *Process, c *Call) (r1 uintptr, errno syscall.Errno, done bool) {
	k.calls++
	c.proc = p
	if c.Nr >= uintptr(len(table)) || table[c.Nr] == nil {
		k.refused(c)
		return ^uintptr(0), syscall.ENOSYS, true
	}
	r1, errno = k.handle(c)
	switch errno {
	case 0:
		return r1, 0, true
	case pending:
		return 0, 0, false
	case syscall.EPIPE:
		if !c.quiet() {
			k.send(p, syscall.SIGPIPE)
		}
	}
	return ^uintptr(0), errno, true
}

// Now returns the true virtual time in nanoseconds since 1970.
func (k *Kernel) Now() int64 { return k.now }

// Next returns when the earliest timed event of the kernel or the network is
// due, or 0 if there is none.
func (k *Kernel) Next() int64 {
	t := k.events.next()
	if k.net == nil {
		return t
	}
	if n := k.net.Next(); n != 0 && (t == 0 || n < t) {
		t = n
	}
	return t
}

// Advance moves the kernel's time to now and runs the events due until then, in
// the order of their times, then in the order in which they were scheduled.
func (k *Kernel) Advance(now int64) {
	for {
		t := k.Next()
		if t == 0 || t > now {
			break
		}
		k.step(t)
		k.events.run(k.now)
	}
	k.step(now)
}

// step moves the time of kernel and network forward to now.
func (k *Kernel) step(now int64) {
	k.now = max(k.now, now)
	if k.net != nil {
		k.net.Advance(k.now)
	}
}

// Calls returns how many system calls were made.
func (k *Kernel) Calls() uint64 { return k.calls }
