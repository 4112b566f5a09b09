package run

import (
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// LoadWindow is the length of the windows that a run's load is counted in, in virtual
// time.
const LoadWindow = time.Second

// Measures is what was measured in a run beside its verdict: what somebody needs who
// has to say how far a pass can be trusted.
type Measures struct {
	Nodes    int  `json:"nodes"`    // machines of the system under test
	Clients  Span `json:"clients"`  // from the clients' start to their end
	Safety   Span `json:"safety"`   // in which faults can come; all have ended at its end
	Liveness Span `json:"liveness"` // from the clients' end to what had to recover
	// Load counts what clients began and ended in each window from the run's start.
	// It is nil if no client told of its calls, as oracle.History does.
	Load       []Ops      `json:"load,omitempty"`
	Recoveries []Recovery `json:"recoveries,omitempty"`
	Checks     []Check    `json:"checks,omitempty"` // that were asked, in order
}

// Span is a time of a run, in virtual nanoseconds since its start. To is 0 if the run
// ended before.
type Span struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Recovery is a promise of the liveness phase and what became of it.
type Recovery struct {
	What   string `json:"what"`
	Within int64  `json:"within"` // nanoseconds that it may take
	Took   int64  `json:"took"`   // nanoseconds since the last fault's end
	Kept   bool   `json:"kept"`
}

// Check is a check that was asked and what it concluded.
type Check struct {
	Name    string           `json:"name"`
	Verdict outcome.Verdict  `json:"verdict"`
	Reason  string           `json:"reason,omitempty"` // of unknown and vacuous
	Calls   int              `json:"calls,omitempty"`  // that it judged; 0 if it does not say
	Covered outcome.Coverage `json:"covered,omitzero"`
}
