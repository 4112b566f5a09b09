package kernel

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/choice"
)

// testRuntime keeps the answers of calls that were left pending, by caller.
type testRuntime struct {
	dropped []uintptr // poll descriptors
	answers map[Caller]answer
	polled  []uintptr
	reports []report
	stopped map[ProcID]bool
}

// report is a poll descriptor that was told of a side.
type report struct {
	pd   uintptr
	mode PollMode
}

type answer struct {
	r1    uintptr
	errno syscall.Errno
}

func (r *testRuntime) PollDrop(pd uintptr) { r.dropped = append(r.dropped, pd) }

func (r *testRuntime) PollReady(pd uintptr, m PollMode) {
	r.polled = append(r.polled, pd)
	r.reports = append(r.reports, report{pd, m})
}

// woken reports whether a side of a poll descriptor was told of, and forgets it.
func (r *testRuntime) woken(pd uintptr, m PollMode) bool {
	found := false
	r.reports = slices.DeleteFunc(r.reports, func(p report) bool {
		hit := p.pd == pd && (p.mode == m || p.mode == PollBoth)
		found = found || hit
		return hit
	})
	return found
}

func (r *testRuntime) Stop(p ProcID)     { r.stopped[p] = true }
func (r *testRuntime) Continue(p ProcID) { delete(r.stopped, p) }

func (r *testRuntime) Complete(c Caller, r1 uintptr, errno syscall.Errno) {
	r.answers[c] = answer{r1, errno}
}

// machineUnderTest is a kernel with one host, driven by system calls.
type machineUnderTest struct {
	t    testing.TB
	rt   *testRuntime
	k    *Kernel
	h    *Host
	p    *Process
	last Caller
}

func newMachine(t testing.TB, seed uint64, cfg HostConfig) *machineUnderTest {
	t.Helper()
	m := &machineUnderTest{t: t, rt: &testRuntime{answers: map[Caller]answer{}, stopped: map[ProcID]bool{}}}
	m.k = New(m.rt, choice.New(seed), nil)
	m.k.Advance(1_000_000_000_000_000_000)
	if cfg.Name == "" {
		cfg.Name = "n1"
	}
	m.h = m.k.AddHost(cfg)
	m.p = m.start()
	return m
}

func (m *machineUnderTest) start() *Process {
	m.t.Helper()
	p, errno := m.k.StartProcess(m.h, Start{Args: []string{"prog", "-x"}, Env: []string{"A=1"}})
	if errno != 0 {
		m.t.Fatal(errno)
	}
	return p
}

// begin makes a call; done is false if it is pending, and then the answer comes
// under the caller that is returned.
func (m *machineUnderTest) begin(p *Process, nr uintptr, args ...any) (a answer, caller Caller, done bool) {
	m.last++
	c := &Call{Nr: nr, Caller: m.last}
	for i, arg := range terminated(args) {
		c.Args[i] = word(arg)
	}
	a.r1, a.errno, done = m.k.Syscall(p, c)
	runtime.KeepAlive(args)
	return a, m.last, done
}

// call makes a call and moves time on until it is answered.
func (m *machineUnderTest) call(nr uintptr, args ...any) (uintptr, syscall.Errno) {
	m.t.Helper()
	a, caller, done := m.begin(m.p, nr, args...)
	for !done {
		if a, done = m.rt.answers[caller]; done {
			break
		}
		next := m.k.Next()
		if next == 0 {
			m.t.Fatalf("system call %d is never answered", nr)
		}
		m.k.Advance(next)
	}
	runtime.KeepAlive(args)
	return a.r1, a.errno
}

// must is call of what has to succeed.
func (m *machineUnderTest) must(nr uintptr, args ...any) uintptr {
	m.t.Helper()
	r1, errno := m.call(nr, args...)
	if errno != 0 {
		m.t.Fatalf("system call %d: %v, want success", nr, errno)
	}
	return r1
}

// escaped has the memory of a call be of the heap: what it points to must not move
// with a stack that grows.
var escaped []any

// terminated makes bytes of the strings among args, in place.
func terminated(args []any) []any {
	escaped = args
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = append([]byte(s), 0)
		}
	}
	return args
}

// word is an argument as a system call takes it. Memory is that of the heap, which
// does not move.
func word(arg any) uintptr {
	switch a := arg.(type) {
	case nil:
		return 0
	case int:
		return uintptr(a)
	case int64:
		return uintptr(a)
	case uint32:
		return uintptr(a)
	case uintptr:
		return a
	case []byte:
		return uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	case unsafe.Pointer:
		return uintptr(a)
	}
	panic("an argument of an unknown type")
}
