package sim

import (
	"runtime"

	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/trace"
)

// symbols names the places that recorded stacks go through.
func symbols(words []uint64) trace.Symbols {
	out := trace.Symbols{}
	r := trace.NewReader(words)
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		for _, pc := range e.Stack {
			if _, ok := out[pc]; !ok {
				rt.Frames(uintptr(pc), func(name, file string, line int) {
					out[pc] = append(out[pc], trace.Frame{Func: name, File: file, Line: line})
				})
			}
		}
	}
	return out
}

// framesOf names the places of a stack as runtime.Callers has it, innermost first.
func framesOf(pcs ...uintptr) (out []trace.Frame) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" {
			out = append(out, trace.Frame{Func: f.Function, File: f.File, Line: f.Line})
		}
		if !more {
			return out
		}
	}
}
