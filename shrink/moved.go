package shrink

import (
	"slices"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

// moves are how far faults are moved in time, either way.
const (
	moveLeast = time.Millisecond
	moveMost  = 2 * time.Second
)

// moved returns forms of a request in which all faults come a little earlier or
// later, or one does. Other delays and another schedule move what happens, so that a
// fault which struck at the right moment comes too early or too late.
func moved(req run.Request) []run.Request {
	out := movedTogether(req)
	if len(req.Faults) < 2 {
		return out
	}
	for by := range offsets {
		for i, f := range req.Faults {
			one := longer(req)
			one.Faults = slices.Clone(req.Faults)
			one.Faults[i] = shifted(f, by)
			out = append(out, one)
		}
	}
	return out
}

// movedTogether returns the forms in which the safety phase is longer, and all
// faults come earlier or later.
func movedTogether(req run.Request) (out []run.Request) {
	if req.Safety > 0 {
		out = append(out, longer(req))
	}
	if len(req.Faults) == 0 {
		return out
	}
	for by := range offsets {
		all := longer(req)
		all.Faults = make([]string, len(req.Faults))
		for i, f := range req.Faults {
			all.Faults[i] = shifted(f, by)
		}
		out = append(out, all)
	}
	return out
}

// offsets are by how much a fault is moved, the least first.
func offsets(yield func(time.Duration) bool) {
	for by := moveLeast; by <= moveMost; by *= 2 {
		if !yield(-by) || !yield(by) {
			return
		}
	}
}

// longer returns a request whose safety phase has room for what is moved.
func longer(req run.Request) run.Request {
	if req.Safety > 0 {
		req.Safety += int64(moveMost)
	}
	return req
}

// shifted returns the line of a fault that begins with "at T" with another time,
// not before the run's start.
func shifted(line string, by time.Duration) string {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "at" {
		return line
	}
	at, err := time.ParseDuration(words[1])
	if err != nil {
		return line
	}
	return withWord(words, 1, max(at+by, 0).String())
}
