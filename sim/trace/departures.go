package trace

import "strings"

// Departure is a decision of the schedule that is not the first-in-first-out one.
type Departure struct {
	Drawn
	Goroutine string // that is put ahead of others, or whose select takes another case first
	Waits     Frame  // where it waited, or is; zero if that was not recorded
	Woken     Frame  // where it was woken, by another goroutine; zero if by none
	By        string // that goroutine
}

// Departures returns the departures of a run that was recorded with stacks.
func Departures(words []uint64, symbols Symbols) ([]Departure, error) {
	names, r := NewNames(), NewReader(words)
	waits, woken := map[uint64][]uint64{}, map[uint64]Event{}
	var out []Departure
	var p place
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
		switch e.Kind {
		case Choice:
			drawn := p.drawn(names, e)
			family, goroutine, _ := strings.Cut(drawn.Stream, "/")
			if e.Value == 0 || family != "sched" && family != "select" {
				continue
			}
			d := Departure{Drawn: drawn, Goroutine: goroutine}
			if path, ok := names.goroutine(goroutine); ok {
				d.Waits = ownFrame(symbols, waits[path])
				if w, ok := woken[path]; ok && family == "sched" && w.B != 0 {
					d.Woken, d.By = ownFrame(symbols, w.Stack), names.Goroutine(w.B)
				}
			}
			out = append(out, d)
		case Block:
			waits[e.A] = e.Stack
			delete(woken, e.A)
		case Go:
			waits[e.A] = e.Stack
		case Wake:
			woken[e.A] = e
		}
		p.pass(e)
	}
	return out, r.Err()
}

// ownFrame is the innermost frame of a stack that is a program's own.
func ownFrame(symbols Symbols, stack []uint64) Frame {
	frames := symbols.Frames(stack)
	for _, f := range frames {
		if !inLibrary(f) {
			return f
		}
	}
	if len(frames) > 0 {
		return frames[0]
	}
	return Frame{}
}

// inLibrary reports whether a frame is the standard library's, whose packages have
// no dot before their first slash.
func inLibrary(f Frame) bool {
	first, _, _ := strings.Cut(f.Func, "/")
	if strings.Contains(f.Func, "/") {
		return !strings.Contains(first, ".")
	}
	pkg, _, _ := strings.Cut(f.Func, ".")
	return pkg != "main"
}
