package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// What the program says: of each writer, the last transaction that a loss of power
// must not take any more, or the last that there was when the store opened.
const (
	acked  = "acked "
	opened = "opened at "
)

func counts(done []uint64) string {
	words := make([]string, len(done))
	for i, n := range done {
		words[i] = strconv.FormatUint(n, 10)
	}
	return strings.Join(words, " ")
}

// parse reads a line that the program wrote with such a prefix.
func parse(line, prefix string) (done []uint64, ok bool) {
	rest, ok := strings.CutPrefix(line, prefix)
	if !ok {
		return nil, false
	}
	for _, word := range strings.Fields(rest) {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return nil, false
		}
		done = append(done, n)
	}
	return done, true
}

// Watch adds the promises about a node that runs the program: whatever happened to
// it, the store opens again, with all that it has acknowledged.
func Watch(w *sim.World, n *sim.Node) {
	Reopens(w, n, opened, 20*time.Second)
	w.Check(outcome.Func("durability", func() outcome.Outcome { return durable(n.Name(), w.Log(n.Name())) }))
}

// Reopens adds the promise that the node's program, killed and started once more when
// faults have stopped, logs within a time a line that begins with opened.
func Reopens(w *sim.World, n *sim.Node, opened string, within time.Duration) {
	opens := func() (count int) {
		for _, line := range w.Log(n.Name()) {
			if strings.HasPrefix(line, opened) {
				count++
			}
		}
		return count
	}
	before := -1
	w.Recovers("the store opens", within, func() error {
		if before < 0 {
			before = opens()
			n.Kill()
			n.Restart()
		}
		if opens() == before {
			return errors.New("it has not")
		}
		return nil
	})
}

// durable checks that every start of the program found what was acknowledged
// before it.
func durable(node string, lines []string) outcome.Outcome {
	var last []uint64
	opens := 0
	for _, line := range lines {
		if done, ok := parse(line, acked); ok {
			last = latest(last, done)
		}
		done, ok := parse(line, opened)
		if !ok {
			continue
		}
		opens++
		for i, n := range last {
			if done[i] < n {
				return outcome.Outcome{Verdict: outcome.Violation, Node: node, Message: fmt.Sprintf(
					"transaction %d of writer %d was acknowledged, but %d is the last after a restart", n, i, done[i])}
			}
		}
	}
	if opens < 2 || last == nil {
		return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "the program never restarted, or acknowledged nothing"}
	}
	return outcome.Outcome{Verdict: outcome.OK}
}

// latest returns, of each writer, the later of two transactions.
func latest(a, b []uint64) []uint64 {
	out := slices.Clone(b)
	for i, n := range a {
		out[i] = max(out[i], n)
	}
	return out
}
