package verdict

import "time"

// Fault is one that was scheduled, and what became of it.
type Fault struct {
	Text     string        `json:"text"`             // as the plan or the world writes it
	Kind     string        `json:"kind"`             // its verb: "crash", "partition"
	Origin   Origin        `json:"origin,omitempty"` // who chose it
	At       time.Duration `json:"at"`               // nanoseconds since the cycle's start
	Length   time.Duration `json:"length"`           // nanoseconds; 0 if it is over at once
	Clock    bool          `json:"clock,omitempty"`  // it moves a clock
	Sides    Sides         `json:"sides,omitempty"`  // of a fault of the network
	Landing  Landing       `json:"landing"`
	Injector string        `json:"injector"` // what shows, where it was injected, that it was
	Victim   string        `json:"victim"`   // what shows, at its victim, that it landed
}

// Origin says who chose a fault.
type Origin string

// The origins of a fault.
const (
	// Named by the plan: each has to land.
	Named Origin = ""
	// Drawn from the seed, as a swarm's are. Some strike where there is nothing left to
	// strike, so each kind has to land in some cycle, and those that did not are no faults
	// of their cycle.
	Drawn Origin = "drawn"
)

// Sides says whom a fault of the network stops.
type Sides string

// The sides of a fault of the network.
const (
	NoSides   Sides = ""          // it is none of the network
	BothSides Sides = "symmetric" // neither hears the other
	OneSide   Sides = "asymmetric"
)

// Landing says whether a fault had its effect.
type Landing string

// What is known of a landing. Any other value is not proven.
const (
	Proven    Landing = "proven"
	Ambiguous Landing = "ambiguous" // the evidence would be there without the fault as well
	NotProven Landing = "not proven"
)

// Landed reports whether f is proven to have landed, with evidence of where it was
// injected or of its victim: a claim without evidence proves nothing.
func (f Fault) Landed() bool {
	return f.Landing == Proven && (f.Injector != "" || f.Victim != "")
}
