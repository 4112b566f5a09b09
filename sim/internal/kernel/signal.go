package kernel

import (
	"math/bits"
	"syscall"

	"golang.org/x/sys/unix"
)

// sysSignalCall is the call of package os/signal, which is not Linux's; the
// overlay of that package has the same number.
const sysSignalCall = 504

// sigset is a set of signals; the numbers start at 1.
type sigset uint64

func (s sigset) has(sig syscall.Signal) bool { return s&(1<<(sig-1)) != 0 }
func (s *sigset) add(sig syscall.Signal)     { *s |= 1 << (sig - 1) }
func (s *sigset) remove(sig syscall.Signal)  { *s &^= 1 << (sig - 1) }

// take removes the lowest signal, 0 if there is none.
func (s *sigset) take() syscall.Signal {
	if *s == 0 {
		return 0
	}
	sig := syscall.Signal(bits.TrailingZeros64(uint64(*s)) + 1)
	s.remove(sig)
	return sig
}

// signals is what a process does with signals, and those that it has not seen yet.
type signals struct {
	caught  sigset // os/signal wants them
	ignored sigset
	pending sigset // caught, and not yet taken by os/signal
	held    sigset // sent while the process was stopped
	outside sigset // sent from outside the host
	handled sigset // taken by os/signal at least once

	stopped bool
	waiter  Caller   // the goroutine of os/signal that waits for one, 0 if none
	pausers []Caller // calls of pause
}

// reaction is what a signal does to a program of Go's that neither catches nor
// ignores it: package os/signal documents it.
type reaction int

const (
	nothing reaction = iota
	dies
	quits // with its stacks
	stops
)

// reactions to signals by default; to others it is nothing.
var reactions = [signalMost + 1]reaction{
	syscall.SIGHUP: dies, syscall.SIGINT: dies, syscall.SIGTERM: dies,
	syscall.SIGQUIT: quits, syscall.SIGILL: quits, syscall.SIGTRAP: quits, syscall.SIGABRT: quits, syscall.SIGSTKFLT: quits,
	syscall.SIGSYS: quits, syscall.SIGBUS: quits, syscall.SIGFPE: quits, syscall.SIGSEGV: quits,
	syscall.SIGTSTP: stops, syscall.SIGTTIN: stops, syscall.SIGTTOU: stops,
}

// Ending says how a process ended itself, or of which signal it died.
type Ending struct {
	Code    int            // exit status
	Signal  syscall.Signal // 0 unless it died of one
	Outside bool           // the signal came from outside the host
}

// statusQuit is the exit status of a program of Go's that quits with its stacks.
const statusQuit = 2

// Send sends a signal to a process from outside its host, as its operator does.
func (k *Kernel) Send(p *Process, sig syscall.Signal) {
	p.signals.outside.add(sig)
	k.send(p, sig)
}

// Handled reports whether the program's own handler got a signal.
func (p *Process) Handled(sig syscall.Signal) bool { return p.signals.handled.has(sig) }

// Stopped reports whether the process is stopped, as by SIGSTOP.
func (p *Process) Stopped() bool { return p.signals.stopped }

func (k *Kernel) send(p *Process, sig syscall.Signal) {
	s := &p.signals
	switch sig {
	case syscall.SIGKILL:
		k.die(p, sig)
		return
	case syscall.SIGSTOP:
		k.suspend(p)
		return
	case syscall.SIGCONT:
		k.resume(p)
	}
	if s.stopped {
		s.held.add(sig)
		return
	}
	k.react(p, sig)
}

// suspend stops a process until SIGCONT. The kernel goes on for it: packets are
// acknowledged, connections queue to be accepted, disks work.
func (k *Kernel) suspend(p *Process) {
	if p.signals.stopped {
		return
	}
	p.signals.stopped = true
	k.rt.Stop(p.ID)
}

// resume lets a stopped process go on, and gives it the signals that came meanwhile.
func (k *Kernel) resume(p *Process) {
	s := &p.signals
	if !s.stopped {
		return
	}
	s.stopped = false
	k.rt.Continue(p.ID)
	for _, sig := range []syscall.Signal{syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU} {
		s.held.remove(sig)
	}
	for !p.dead && !s.stopped && s.held != 0 {
		k.react(p, s.held.take())
	}
}

// react is what a process that runs does on a signal.
func (k *Kernel) react(p *Process, sig syscall.Signal) {
	s := &p.signals
	if s.ignored.has(sig) {
		return
	}
	for _, caller := range s.pausers {
		k.complete(p, caller, 0, syscall.EINTR)
	}
	s.pausers = nil
	if s.caught.has(sig) {
		s.pending.add(sig)
		k.notify(p)
		return
	}
	switch reactions[sig] {
	case dies:
		k.die(p, sig)
	case quits:
		if k.Quits != nil {
			k.Quits(p, sig)
		}
		k.end(p, Ending{Code: statusQuit, Signal: sig, Outside: s.outside.has(sig)})
	case stops:
		k.suspend(p)
	}
}

func (k *Kernel) die(p *Process, sig syscall.Signal) {
	k.end(p, Ending{Code: 128 + int(sig), Signal: sig, Outside: p.signals.outside.has(sig)})
}

// notify gives os/signal the next pending signal, if it waits for one.
func (k *Kernel) notify(p *Process) {
	s := &p.signals
	if s.waiter == 0 || s.pending == 0 {
		return
	}
	caller := s.waiter
	s.waiter = 0
	k.complete(p, caller, uintptr(k.taken(p)), 0)
}

func (k *Kernel) taken(p *Process) syscall.Signal {
	sig := p.signals.pending.take()
	p.signals.handled.add(sig)
	return sig
}

// What package os/signal asks for, as the first argument of its call.
const (
	signalNext    = iota // waits for a signal
	signalCatch          // the second argument, from now on
	signalDefault        // no longer
	signalIgnore
	signalIgnored // asks whether it is
	signalIdle    // asks whether every signal that came has been seen
	signalPipe    // a write to standard output or error found nobody who reads
)

func sysSignal(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	s, sig := &c.proc.signals, syscall.Signal(c.Args[1])
	switch c.Args[0] {
	case signalNext:
		if s.pending != 0 {
			return uintptr(k.taken(c.proc)), 0
		}
		s.waiter = c.Caller
		return 0, pending
	case signalIdle:
		return truth(s.waiter != 0 && s.pending == 0), 0
	case signalPipe:
		return k.brokenPipe(c.proc)
	}
	if sig < 1 || sig > signalMost {
		return 0, syscall.EINVAL
	}
	switch c.Args[0] {
	case signalCatch:
		s.caught.add(sig)
		s.ignored.remove(sig)
	case signalDefault:
		s.caught.remove(sig) // one that is ignored stays so, as with Go
	case signalIgnore:
		s.caught.remove(sig)
		s.ignored.add(sig)
	case signalIgnored:
		return truth(s.ignored.has(sig)), 0
	}
	return 0, 0
}

// brokenPipe ends a program that writes to a standard output that nobody reads,
// unless it wants to know or not to know.
func (k *Kernel) brokenPipe(p *Process) (uintptr, syscall.Errno) {
	s := &p.signals
	switch {
	case s.ignored.has(syscall.SIGPIPE):
	case s.caught.has(syscall.SIGPIPE):
		k.react(p, syscall.SIGPIPE)
	default:
		k.die(p, syscall.SIGPIPE)
		return 0, pending
	}
	return 0, 0
}

func truth(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}

// quiet reports whether a call wants no SIGPIPE when it finds nobody who reads.
func (c *Call) quiet() bool {
	switch c.Nr {
	case unix.SYS_SENDTO, unix.SYS_SENDMMSG:
		return c.Args[3]&unix.MSG_NOSIGNAL != 0
	case unix.SYS_SENDMSG:
		return c.Args[2]&unix.MSG_NOSIGNAL != 0
	}
	return false
}

// sysPause waits for a signal that the process does not ignore.
func sysPause(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	c.proc.signals.pausers = append(c.proc.signals.pausers, c.Caller)
	return 0, pending
}
