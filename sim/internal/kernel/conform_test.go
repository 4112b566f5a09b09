package kernel

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// caller makes system calls: of the simulated kernel or of this machine's Linux.
type caller interface {
	call(nr uintptr, args ...any) (uintptr, syscall.Errno)
}

type realLinux struct{}

func (realLinux) call(nr uintptr, args ...any) (uintptr, syscall.Errno) {
	var w [6]uintptr
	for i, arg := range terminated(args) {
		w[i] = word(arg)
	}
	r1, _, errno := syscall.Syscall6(nr, w[0], w[1], w[2], w[3], w[4], w[5])
	for errno == syscall.EINTR { // the Go runtime's signals
		r1, _, errno = syscall.Syscall6(nr, w[0], w[1], w[2], w[3], w[4], w[5])
	}
	runtime.KeepAlive(args)
	return r1, errno
}

// side is one of both kernels with descriptors, which are kept by slot.
type side struct {
	caller
	fds []uintptr
}

// pair is both kernels. What a step does to both has to answer the same.
type pair struct {
	sim, real *side
	slots     int
	done      []string // what was done, for the message of a failure
}

func (p *pair) close() {
	for _, fd := range p.real.fds {
		if fd != ^uintptr(0) {
			syscall.Close(int(fd))
		}
	}
}

// compare has rapid check prop, which returns how many calls it has made on both
// kernels, until there were so many. 0 stands for a sample that is the same in every
// run, so that a test of one commit has one answer; anything else explores, from a
// random seed or, for a run that can be repeated, from -rapid.seed.
func compare(t *testing.T, calls int, prop func(*rapid.T) int) {
	const sample, sampleSeed = 5000, 1
	name := "rapid.seed"
	given := flag.Lookup(name).Value.String()
	seed, _ := strconv.ParseUint(given, 10, 64)
	if calls == 0 {
		calls = sample
		if seed == 0 {
			seed = sampleSeed
		}
	}
	defer flag.Set(name, given)
	made := 0
	for round := uint64(0); made < calls && !t.Failed(); round++ {
		if seed != 0 {
			flag.Set(name, strconv.FormatUint(seed+round<<32, 10))
		}
		rapid.Check(t, func(rt *rapid.T) { made += prop(rt) })
	}
	t.Logf("%d calls compared with Linux, 0 differences", made)
}

// result is what a call answers, and what it left in a buffer.
type result struct {
	r1    uintptr
	errno syscall.Errno
	text  string
}

func (r result) String() string { return fmt.Sprintf("%d, %v, %q", int64(r.r1), r.errno, r.text) }

// step runs one call on both sides and compares.
func (p *pair) step(t rapid.TB, what string, do func(s *side) result) result {
	sim, real := do(p.sim), do(p.real)
	if real.errno != 0 {
		real.r1, sim.r1 = 0, sim.r1*0
	}
	if sim != real {
		t.Fatalf("%s: simulated %v, Linux %v\nafter %s", what, sim, real, strings.Join(p.done, "\n"))
	}
	p.done = append(p.done, fmt.Sprintf("%s: %v", what, real))
	return real
}

// slot draws a descriptor.
func (p *pair) slot(t *rapid.T) int { return rapid.IntRange(0, p.slots-1).Draw(t, "slot") }

// opened keeps the descriptor that a call made on each side.
func opened(s *side, r1 uintptr, errno syscall.Errno) result {
	if errno == 0 {
		s.fds = append(s.fds, r1)
	}
	return result{0, errno, ""}
}

func (p *pair) closeOne(t *rapid.T) {
	if i := p.slot(t); i != 0 {
		p.closeAt(t, i)
	}
}

func (p *pair) closeAt(t rapid.TB, i int) {
	p.step(t, fmt.Sprintf("close(%d)", i), func(s *side) result {
		if s.fds[i] == ^uintptr(0) {
			return result{0, syscall.EBADF, ""}
		}
		r1, errno := s.call(unix.SYS_CLOSE, s.fds[i])
		s.fds[i] = ^uintptr(0)
		return result{r1, errno, ""}
	})
}

func (p *pair) dup(t *rapid.T) {
	i := p.slot(t)
	r := p.step(t, fmt.Sprintf("dup(%d)", i), func(s *side) result {
		r1, errno := s.call(unix.SYS_FCNTL, s.fds[i], unix.F_DUPFD_CLOEXEC, 0)
		return opened(s, r1, errno)
	})
	if r.errno == 0 {
		p.slots++
	}
}
