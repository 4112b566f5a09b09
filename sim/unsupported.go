package sim

import (
	"runtime"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/internal/callname"
	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

// refusedCall is a system call that there is not, and the stack of the first
// goroutine that made it.
type refusedCall struct {
	nr    uintptr
	count int
	pcs   []uintptr
}

// refused counts a call that the kernel does not do.
func (w *World) refused(nr uintptr, caller kernel.Caller) {
	for _, r := range w.refusals {
		if r.nr == nr {
			r.count++
			return
		}
	}
	pcs := make([]uintptr, 24)
	w.refusals = append(w.refusals, &refusedCall{nr, 1, pcs[:rt.Callers(uintptr(caller), pcs)]})
}

// unsupportedCalls is the report of them, by number.
func (w *World) unsupportedCalls() (out []run.Unsupported) {
	slices.SortFunc(w.refusals, func(a, b *refusedCall) int { return int(a.nr) - int(b.nr) })
	for _, r := range w.refusals {
		out = append(out, run.Unsupported{Nr: uint64(r.nr), Name: callname.Of(r.nr), Caller: firstCaller(r.pcs), Count: r.count})
	}
	return out
}

// firstCaller names the innermost function that is not of the packages through
// which every call goes.
func firstCaller(pcs []uintptr) string {
	if len(pcs) == 0 {
		return ""
	}
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		pkg, _, _ := strings.Cut(f.Function[strings.LastIndexByte(f.Function, '/')+1:], ".")
		if f.Function != "" && pkg != "runtime" && pkg != "syscall" && pkg != "unix" && pkg != "poll" || !more {
			return f.Function
		}
	}
}
