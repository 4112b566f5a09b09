package trace

// Drawn is a choice that a run drew.
type Drawn struct {
	Stream string // its name: "sched/n1/0.2", "net/n1>n2"
	Index  uint64 // in the stream, from 0
	Bound  uint64 // that Value is below; 0 stands for 2^64
	Value  uint64
	At     int64 // virtual nanoseconds since the run's start
}

// Choices returns the choices of recorded events, in the order in which they were
// drawn.
func Choices(words []uint64) ([]Drawn, error) {
	names, r := NewNames(), NewReader(words)
	var out []Drawn
	var at int64
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
		if e.Kind == Choice {
			out = append(out, Drawn{names.Stream(e.A), e.B, e.C, e.Value, at})
		} else {
			at = e.At
		}
	}
	return out, r.Err()
}
