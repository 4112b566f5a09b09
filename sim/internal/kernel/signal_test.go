package kernel

import (
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// signalled is what became of a machine's process.
type signalled struct {
	ended []Ending
	quits []syscall.Signal
}

func (m *machineUnderTest) watchSignals() *signalled {
	s := &signalled{}
	m.k.Exited = func(_ *Process, e Ending) { s.ended = append(s.ended, e) }
	m.k.Quits = func(_ *Process, sig syscall.Signal) { s.quits = append(s.quits, sig) }
	return s
}

func TestSignalsByDefault(t *testing.T) {
	for _, c := range []struct {
		sig     syscall.Signal
		end     *Ending
		stopped bool
	}{
		{syscall.SIGTERM, &Ending{143, syscall.SIGTERM, false}, false},
		{syscall.SIGHUP, &Ending{129, syscall.SIGHUP, false}, false},
		{syscall.SIGINT, &Ending{130, syscall.SIGINT, false}, false},
		{syscall.SIGKILL, &Ending{137, syscall.SIGKILL, false}, false},
		{syscall.SIGQUIT, &Ending{2, syscall.SIGQUIT, false}, false},
		{syscall.SIGSEGV, &Ending{2, syscall.SIGSEGV, false}, false},
		{syscall.SIGUSR1, nil, false},
		{syscall.SIGPIPE, nil, false},
		{syscall.SIGCHLD, nil, false},
		{syscall.SIGCONT, nil, false},
		{syscall.Signal(64), nil, false},
		{syscall.SIGSTOP, nil, true},
		{syscall.SIGTSTP, nil, true},
	} {
		m := newMachine(t, 1, HostConfig{})
		got := m.watchSignals()
		_, _, done := m.begin(m.p, unix.SYS_KILL, m.p.PID, int(c.sig))
		if c.end != nil && (done || len(got.ended) != 1 || got.ended[0] != *c.end || m.p.Alive()) {
			t.Errorf("%v: answered %v, ended %+v; want an end with %+v", c.sig, done, got.ended, *c.end)
		}
		if c.end == nil && (!done || len(got.ended) != 0 || m.p.Stopped() != c.stopped || m.rt.stopped[m.p.ID] != c.stopped) {
			t.Errorf("%v: answered %v, ended %+v, stopped %v; want stopped %v and no end", c.sig, done, got.ended, m.p.Stopped(), c.stopped)
		}
		if wantQuit := c.end != nil && c.end.Code == statusQuit; (len(got.quits) == 1) != wantQuit {
			t.Errorf("%v: quits %v", c.sig, got.quits)
		}
	}
}

func TestSignalsCaught(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	got := m.watchSignals()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGHUP} {
		m.must(sysSignalCall, signalCatch, int(sig))
	}
	if m.must(sysSignalCall, signalIdle) != 0 {
		t.Error("idle before os/signal waits")
	}
	_, next, done := m.begin(m.p, sysSignalCall, signalNext)
	if done || m.must(sysSignalCall, signalIdle) != 1 {
		t.Error("a wait for signals that have not come is answered, or not idle")
	}
	m.k.Send(m.p, syscall.SIGTERM)
	if a := m.rt.answers[next]; a.r1 != uintptr(syscall.SIGTERM) || !m.p.Handled(syscall.SIGTERM) {
		t.Errorf("the wait answered %v, want SIGTERM", a)
	}
	// Those that come while nobody waits are kept, each once, lowest first.
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGTERM, syscall.SIGHUP} {
		m.must(unix.SYS_TGKILL, m.p.PID, m.p.PID, int(sig))
	}
	for _, want := range []syscall.Signal{syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGTERM} {
		if sig := m.must(sysSignalCall, signalNext); sig != uintptr(want) {
			t.Errorf("got signal %d, want %v", sig, want)
		}
	}
	if len(got.ended) != 0 {
		t.Fatalf("ended %+v of signals that it caught", got.ended)
	}
	m.must(sysSignalCall, signalDefault, int(syscall.SIGTERM))
	m.k.Send(m.p, syscall.SIGTERM)
	if len(got.ended) != 1 || !got.ended[0].Outside {
		t.Errorf("ended %+v, want one end by a signal from outside", got.ended)
	}
}

func TestSignalsIgnored(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	got := m.watchSignals()
	m.must(sysSignalCall, signalIgnore, int(syscall.SIGINT))
	m.must(sysSignalCall, signalDefault, int(syscall.SIGINT)) // does not undo it
	if m.must(sysSignalCall, signalIgnored, int(syscall.SIGINT)) != 1 || m.must(sysSignalCall, signalIgnored, int(syscall.SIGTERM)) != 0 {
		t.Error("it does not know what it ignores")
	}
	m.must(unix.SYS_KILL, 0, int(syscall.SIGINT))
	m.must(sysSignalCall, signalCatch, int(syscall.SIGINT))
	if m.must(sysSignalCall, signalIgnored, int(syscall.SIGINT)) != 0 {
		t.Error("a signal that is caught is ignored")
	}
	if _, errno := m.call(sysSignalCall, signalCatch, 65); errno != syscall.EINVAL {
		t.Errorf("signal 65: %v, want EINVAL", errno)
	}
	if _, errno := m.call(unix.SYS_KILL, m.p.PID, 65); errno != syscall.EINVAL {
		t.Errorf("kill with signal 65: %v, want EINVAL", errno)
	}
	if _, errno := m.call(unix.SYS_KILL, 9999, 0); errno != syscall.ESRCH {
		t.Errorf("kill of nobody: %v, want ESRCH", errno)
	}
	if len(got.ended) != 0 {
		t.Errorf("ended %+v", got.ended)
	}
}

// While a process is stopped it gets no signal but SIGKILL and SIGCONT.
func TestSignalsOfStopped(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	got := m.watchSignals()
	m.k.Send(m.p, syscall.SIGSTOP)
	m.k.Send(m.p, syscall.SIGTSTP)
	m.k.Send(m.p, syscall.SIGTERM)
	if len(got.ended) != 0 || !m.rt.stopped[m.p.ID] {
		t.Fatalf("a stopped process ended: %+v", got.ended)
	}
	m.k.Send(m.p, syscall.SIGCONT)
	if len(got.ended) != 1 || got.ended[0].Signal != syscall.SIGTERM || m.rt.stopped[m.p.ID] {
		t.Errorf("after SIGCONT: ended %+v, stopped %v; want the end by SIGTERM", got.ended, m.rt.stopped[m.p.ID])
	}
	m.p = m.start()
	m.k.Send(m.p, syscall.SIGSTOP)
	m.k.Send(m.p, syscall.SIGKILL)
	if len(got.ended) != 2 || m.p.Alive() {
		t.Errorf("SIGKILL to a stopped process: ended %+v", got.ended)
	}
}

func TestSignalsInterruptPause(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	const caller = 1000
	if _, errno := sysPause(m.k, &Call{Caller: caller, proc: m.p}); errno != pending {
		t.Fatal("pause returned without a signal")
	}
	m.must(unix.SYS_KILL, m.p.PID, int(syscall.SIGUSR2))
	if a := m.rt.answers[caller]; a.errno != syscall.EINTR {
		t.Errorf("pause answered %+v, want EINTR", a)
	}
}

func TestSIGPIPE(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	got := m.watchSignals()
	fds := new([2]int32)
	m.must(unix.SYS_PIPE2, unsafe.Pointer(fds), 0)
	m.must(unix.SYS_CLOSE, int(fds[0]))
	write := func() {
		if _, errno := m.call(unix.SYS_WRITE, int(fds[1]), []byte("x"), 1); errno != syscall.EPIPE {
			t.Errorf("write: %v, want EPIPE", errno)
		}
	}
	write() // by default Go's program goes on
	m.must(sysSignalCall, signalCatch, int(syscall.SIGPIPE))
	write()
	if sig := m.must(sysSignalCall, signalNext); sig != uintptr(syscall.SIGPIPE) {
		t.Errorf("got signal %d, want SIGPIPE", sig)
	}
	m.must(sysSignalCall, signalPipe)
	if sig := m.must(sysSignalCall, signalNext); sig != uintptr(syscall.SIGPIPE) {
		t.Errorf("got signal %d of a broken standard output, want SIGPIPE", sig)
	}
	m.must(sysSignalCall, signalDefault, int(syscall.SIGPIPE))
	if _, _, done := m.begin(m.p, sysSignalCall, signalPipe); done || len(got.ended) != 1 || got.ended[0].Signal != syscall.SIGPIPE {
		t.Errorf("a broken standard output: answered %v, ended %+v; want the end by SIGPIPE", done, got.ended)
	}
}
