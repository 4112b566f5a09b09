package shrink

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// Line is a line of a story.
type Line struct {
	At   int64  `json:"at"`            // virtual nanoseconds since the run's start
	Who  string `json:"who,omitempty"` // a node, a client, or nobody
	What string `json:"what"`
	Why  string `json:"why,omitempty"` // what happens without it
}

// logMost is how many lines a node's log has in a story, its last ones.
const logMost = 5

// Story tells a small run, which was recorded with stacks: who did what in order,
// what each fault did, where the schedule departed from first in, first out, and
// what happens without each.
func Story(out run.Output, needs []Need) ([]Line, error) {
	if _, err := readRun(out); err != nil {
		return nil, err
	}
	lines, err := told(out, needs)
	if err != nil {
		return nil, err
	}
	for _, f := range out.Faults {
		what := f.Text
		if f.Evidence != "" {
			what += ": " + f.Evidence
		}
		lines = append(lines, Line{At: f.At, Who: "fault", What: what, Why: why(needs, func(n Need) bool { return n.Fault == f.Text })})
	}
	departures, err := trace.Departures(out.Events, out.Symbols)
	if err != nil {
		return nil, err
	}
	for _, d := range departures {
		node, _, _ := strings.Cut(d.Goroutine, "/")
		lines = append(lines, Line{At: d.At, Who: node, What: departed(d), Why: why(needs, func(n Need) bool {
			return n.Part == ChoicePart && n.Choice.Stream == d.Stream && n.Choice.Index == d.Index
		})})
	}
	lines = append(lines, logs(out.Log)...)
	slices.SortStableFunc(lines, func(a, b Line) int { return int(a.At - b.At) })
	if v := out.Violation; v != nil {
		lines = append(lines, Line{At: v.At, Who: v.Node, What: v.Oracle + ": " + v.Message})
	}
	return lines, nil
}

// told returns the lines of what the record tells: processes, calls, and choices of
// links, disks and clients that are not the neutral ones.
func told(out run.Output, needs []Need) (lines []Line, err error) {
	names, r := trace.NewNames(), trace.NewReader(out.Events)
	var at int64
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
		if e.Kind != trace.Choice {
			at = e.At
		}
		switch e.Kind {
		case trace.Started:
			lines = append(lines, Line{At: at, Who: e.Text, What: "starts" + again(e.A)})
		case trace.Ended:
			lines = append(lines, Line{At: at, Who: e.Text, What: "ends, with " + strconv.FormatUint(e.A, 10) + " goroutines"})
		case trace.Paused, trace.Resumed, trace.Signalled:
			lines = append(lines, Line{At: at, Who: e.Text, What: "is " + e.Kind.String()})
		case trace.Call:
			who, what, _ := strings.Cut(e.Text, " ")
			if last := len(lines) - 1; last >= 0 && lines[last] == begins(at, who, lines[last].Why) {
				lines[last].What = what // the operation is this call
				break
			}
			lines = append(lines, Line{At: at, Who: who, What: what})
		case trace.Choice:
			stream := names.Stream(e.A)
			reason := why(needs, func(n Need) bool {
				return n.Part == ChoicePart && n.Choice.Stream == stream && n.Choice.Index == e.B
			})
			if reason != "" && !of(scheduleFamilies)(stream) {
				lines = append(lines, Line{At: at, What: fmt.Sprintf("%s, choice %d: %d of %d", stream, e.B, e.Value, e.C), Why: reason})
			}
			if name, ok := strings.CutPrefix(stream, dropStream); ok && e.B > 0 && e.Value == 0 {
				if reason := why(needs, func(n Need) bool { return n.Part == CallPart && n.Choice.Stream == stream && n.Choice.Index == e.B }); reason != "" {
					lines = append(lines, begins(at, name, reason))
				}
			}
		}
	}
	return lines, r.Err()
}

// begins tells that a client begins an operation.
func begins(at int64, client, why string) Line {
	return Line{At: at, Who: client, What: "begins an operation", Why: why}
}

func again(starts uint64) string {
	if starts == 0 {
		return ""
	}
	return " again"
}

// why returns what happens without the first part that is meant.
func why(needs []Need, is func(Need) bool) string {
	if i := slices.IndexFunc(needs, is); i >= 0 {
		return needs[i].Without
	}
	return ""
}

// departed tells a departure of the schedule.
func departed(d trace.Departure) string {
	var b strings.Builder
	if strings.HasPrefix(d.Stream, "select/") {
		fmt.Fprintf(&b, "%s looks at another case first", d.Goroutine)
	} else {
		fmt.Fprintf(&b, "%s goes ahead of %d", d.Goroutine, d.Value)
	}
	if d.Waits.Func != "" {
		fmt.Fprintf(&b, ", in %s", placeOf(d.Waits))
	}
	if d.By != "" {
		fmt.Fprintf(&b, "; woken by %s in %s", d.By, placeOf(d.Woken))
	}
	return b.String()
}

// placeOf is a frame as "raft.run raft.go:88".
func placeOf(f trace.Frame) string {
	_, name, ok := cutLast(f.Func, "/")
	if !ok {
		name = f.Func
	}
	return fmt.Sprintf("%s %s:%d", name, filepath.Base(f.File), f.Line)
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// logs returns the last lines of each node's log.
func logs(all []run.LogLine) (lines []Line) {
	count := map[string]int{}
	for _, l := range slices.Backward(all) {
		if count[l.Node]++; count[l.Node] <= logMost {
			lines = append(lines, Line{At: int64(l.At), Who: l.Node, What: "logs " + strings.TrimSpace(l.Text)})
		}
	}
	slices.Reverse(lines)
	return lines
}
