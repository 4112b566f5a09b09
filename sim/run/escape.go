package run

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/orrery-sim/orrery/sim/internal/callname"
)

// exitEscaped is the exit status of a run whose system call the guard stopped;
// the patched runtime has the same.
const exitEscaped = 83

// escapeSyntax is what the runtime prints then, before the stack.
var escapeSyntax = regexp.MustCompile(`(?m)^orrery: system call (\d+) by (.*)\n`)

// escaped is the output of a run that made a system call by assembly of its own.
func (w *Worker) escaped(p *process, req Request) Output {
	out := w.noResult(p, req, Escaped, "")
	m := escapeSyntax.FindStringSubmatchIndex(out.Reason)
	if m == nil {
		return out
	}
	nr, by, stack := out.Reason[m[2]:m[3]], out.Reason[m[4]:m[5]], out.Reason[m[1]:]
	name := nr
	if n, err := strconv.ParseUint(nr, 10, 64); err == nil {
		name = callname.Of(uintptr(n))
	}
	out.Reason = fmt.Sprintf("system call %s (%s) past the world, by %s: want it through package syscall or golang.org/x/sys\n%s", nr, name, by, stack)
	return out
}
