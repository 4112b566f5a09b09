package trace

// Drawn is a choice that a run drew.
type Drawn struct {
	Stream string // its name: "sched/n1/0.2", "net/n1>n2"
	Index  uint64 // in the stream, from 0
	Bound  uint64 // that Value is below; 0 stands for 2^64
	Value  uint64
	At     int64 // virtual nanoseconds since the run's start
	// Since is how many events entered the run's hash before the decision of the
	// schedule that comes last before the choice; 0 if none does. A run that parts
	// after so many draws the choice anew.
	Since uint64
}

// Choices returns the choices of recorded events, in the order in which they were
// drawn.
func Choices(words []uint64) ([]Drawn, error) {
	names, r := NewNames(), NewReader(words)
	var out []Drawn
	var p place
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
		if e.Kind == Choice {
			out = append(out, p.drawn(names, e))
		}
		p.pass(e)
	}
	return out, r.Err()
}

// place is how far a record was read.
type place struct {
	at            int64
	hashed, since uint64
}

// pass moves the place behind an event.
func (p *place) pass(e Event) {
	if e.Kind == Choice {
		return // it has no time
	}
	p.at = e.At
	if e.Kind == Run {
		p.since = p.hashed
	}
	if e.Kind.Hashed() {
		p.hashed++
	}
}

// drawn is the choice that an event here tells of.
func (p *place) drawn(names *Names, e Event) Drawn {
	return Drawn{names.Stream(e.A), e.B, e.C, e.Value, p.at, p.since}
}
