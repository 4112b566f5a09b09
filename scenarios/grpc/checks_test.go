package grpc

import (
	"fmt"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// journal is what the backends say that they did: the lines of each kind by id.
type journal map[string]map[string][]entry

// entry is a line of a backend.
type entry struct {
	backend string
	number  string
}

func (e entry) String() string { return e.backend + " " + e.number }

// read reads the lines of a backend. One that a crash cut short has no end, and
// is none.
func (j journal) read(backend string, lines []string) {
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) != 3 {
			continue
		}
		if j[words[0]] == nil {
			j[words[0]] = map[string][]entry{}
		}
		j[words[0]][words[1]] = append(j[words[0]][words[1]], entry{backend, words[2]})
	}
}

func journalOf(w *sim.World) journal {
	j := journal{}
	for _, b := range backendNames {
		j.read(b, w.Log(b))
	}
	return j
}

func violation(format string, args ...any) outcome.Outcome {
	return outcome.Outcome{Verdict: outcome.Violation, Message: fmt.Sprintf(format, args...)}
}

var fine = outcome.Outcome{Verdict: outcome.OK}

// first concludes what the first call that is wrong says. Without an acknowledged
// call there was nothing to judge.
func first(callers []*caller, judge func(c *call) outcome.Outcome) outcome.Outcome {
	acknowledged := false
	for _, cl := range callers {
		for _, c := range cl.calls {
			acknowledged = acknowledged || c.err == nil
			if o := judge(c); o.Verdict != outcome.OK {
				return o
			}
		}
	}
	if !acknowledged {
		return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "no call was acknowledged"}
	}
	return fine
}

// executed checks that a call is executed once at most, and one that is
// acknowledged just as its answer says.
func executed(w *sim.World, callers []*caller) outcome.Checker {
	return outcome.Func("execution", func() outcome.Outcome {
		done := journalOf(w)[lineDone]
		return first(callers, func(c *call) outcome.Outcome { return judgeDo(c, done[c.id]) })
	})
}

func judgeDo(c *call, done []entry) outcome.Outcome {
	switch {
	case c.method != methodDo:
		return fine
	case len(done) > 1:
		return violation("call %s was executed %d times: %v", c.id, len(done), done)
	case c.err != nil:
		return fine
	case len(done) == 0:
		return violation("call %s was acknowledged as %q, and never executed", c.id, c.answer)
	case c.answer != c.id+" "+done[0].String():
		return violation("call %s was acknowledged as %q, and executed as %q", c.id, c.answer, done[0])
	}
	return fine
}

// streams checks that the messages of a stream come in order without gaps, at
// either end, and all of them if the stream is acknowledged.
func streams(w *sim.World, callers []*caller) outcome.Checker {
	return outcome.Func("streams", func() outcome.Outcome {
		j := journalOf(w)
		return first(callers, func(c *call) outcome.Outcome { return judgeStream(c, j) })
	})
}

func judgeStream(c *call, j journal) outcome.Outcome {
	taken := map[string]string{methodCollect: lineCollected, methodEcho: lineEchoed}[c.method]
	entries := j[taken][c.id]
	for i, e := range entries {
		if e.backend != entries[0].backend || e.number != fmt.Sprint(i) {
			return violation("message %d of call %s reached a backend as %s, after %v", i, c.id, e, entries[:i])
		}
	}
	for i, n := range c.got {
		if n != i {
			return violation("answer %d of call %s is number %d, after %v", i, c.id, n, c.got[:i])
		}
	}
	switch {
	case c.err != nil:
		return fine
	case taken != "" && len(entries) != c.want:
		return violation("call %s was acknowledged, and %d of its %d messages reached a backend", c.id, len(entries), c.want)
	case c.method == methodCollect && c.answer != fmt.Sprint("collected ", c.want):
		return violation("call %s sent %d messages, and was answered %q", c.id, c.want, c.answer)
	case (c.method == methodList || c.method == methodEcho) && len(c.got) != c.want:
		return violation("call %s was acknowledged with %d of %d answers", c.id, len(c.got), c.want)
	}
	return fine
}

// deadlineSlack is how late a call may return: only its own goroutines need to run.
const deadlineSlack = 60 * time.Millisecond

// deadlines checks that every call ends by its deadline, whatever became of the
// servers.
func deadlines(callers []*caller) outcome.Checker {
	return outcome.Func("deadlines", func() outcome.Outcome {
		return first(callers, func(c *call) outcome.Outcome {
			if c.took > c.deadline+deadlineSlack {
				return violation("call %s had a deadline of %v, and took %v", c.id, c.deadline, c.took)
			}
			return fine
		})
	})
}
