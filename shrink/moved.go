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
func (s *search) moved(req run.Request) (out []run.Request) {
	if req.Safety > 0 {
		req.Safety += int64(moveMost)
	}
	for by := moveLeast; by <= moveMost; by *= 2 {
		for _, by := range []time.Duration{-by, by} {
			all := req
			all.Faults = nil
			for _, f := range req.Faults {
				all.Faults = append(all.Faults, shifted(f, by))
			}
			out = append(out, all)
			if len(req.Faults) == 1 {
				continue
			}
			for i, f := range req.Faults {
				one := req
				one.Faults = slices.Clone(req.Faults)
				one.Faults[i] = shifted(f, by)
				out = append(out, one)
			}
		}
	}
	return out
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
