// Package trace reads the events that a run recorded, and shows them as text and
// as lines of JSON. It is a leaf: it knows events, not what they are about.
package trace

// Event is one event of a run.
type Event struct {
	Kind    Kind
	Process uint32 // 0 is the test itself; of packets and disks, see [Kind]
	At      int64  // virtual nanoseconds since the run's start; 0 for a choice
	A, B, C uint64 // by kind
	Value   uint64 // that a choice has; 0 for other kinds
	Hash    uint64 // of the run up to and with this event; 0 for a choice

	// Stack holds program counters, innermost first, and Text what the event
	// says; both share the words that the event was read from.
	Stack []uint64
	Text  string
}

// start is when a run starts, as its events have it: 2000-01-01 UTC in
// nanoseconds since 1970.
const start = 946684800000000000

// headWords is the length of an event without stack and text.
const headWords = 6
