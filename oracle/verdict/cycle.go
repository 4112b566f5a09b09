package verdict

import (
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// Cycle is one run: one seed in one configuration.
type Cycle struct {
	Seed          uint64        `json:"seed,string"`
	Configuration string        `json:"configuration"`  // "nodes=3,fsync=off"
	Topology      string        `json:"topology"`       // how the nodes stand to one another: "3 nodes, one site"
	Tier          Tier          `json:"tier"`           // that it was run for
	Duration      time.Duration `json:"duration"`       // nanoseconds, measured: virtual in a simulation
	Lost          string        `json:"lost,omitempty"` // why it ended without a result: a worker died, two runs of it differed

	Load       Span        `json:"load"`    // when the plan wants load; a length of 0 is the whole cycle
	Windows    []Window    `json:"windows"` // what load there was
	Oracles    []OracleRun `json:"oracles"`
	Faults     []Fault     `json:"faults,omitempty"`
	Anomalies  []Anomaly   `json:"anomalies,omitempty"`
	Errors     Errors      `json:"errors"`
	Timing     Timing      `json:"timing"`
	Recovery   Recovery    `json:"recovery"`
	Retries    Retries     `json:"retries"`
	Timestamps Timestamps  `json:"timestamps"`
	Surfaces   []string    `json:"surfaces,omitempty"` // that it exercised
	Controls   Controls    `json:"controls"`
}

// Span is a time of a cycle.
type Span struct {
	Start  time.Duration `json:"start"`  // nanoseconds since the cycle's
	Length time.Duration `json:"length"` // nanoseconds
}

// Window is the load in one part of a cycle.
type Window struct {
	Span
	Invoked int `json:"invoked"`           // calls that began in it
	Waiting int `json:"waiting,omitempty"` // calls that began before it and had no answer when it began
	OK      int `json:"ok"`                // of the calls that were answered in it
	Failed  int `json:"failed"`            // refused for certain
	Unknown int `json:"unknown"`           // no answer: it may have happened
}

// OracleRun is what one oracle said of a cycle.
type OracleRun struct {
	Name    string          `json:"name"`
	Sees    Sees            `json:"sees"`
	Verdict outcome.Verdict `json:"verdict"` // "": it did not run
	Reason  string          `json:"reason,omitempty"`
	Saw     int             `json:"saw"`   // calls, or samples, that it was given
	Calls   int             `json:"calls"` // that there are in the cycle
}

// Sees is what an oracle looks at.
type Sees string

// What oracles look at. The last four are not enough alone.
const (
	SeesUntold  Sees = ""
	SeesHistory Sees = "history"          // every call with its answer
	SeesSeries  Sees = "series"           // measurements over time
	SeesFinal   Sees = "final-state"      // what is there at the end
	SeesLogs    Sees = "logs"             // what the system wrote of itself
	SeesHealth  Sees = "health-checks"    // what it answers when asked how it is
	SeesErrors  Sees = "no-error-metrics" // counters of errors that stayed at 0
)

// Anomaly is a broken promise that was seen.
type Anomaly struct {
	Oracle   string `json:"oracle"`
	Message  string `json:"message"`
	Tried    int    `json:"tried"`     // runs of the same seed and faults that were made to see it again
	CameBack int    `json:"came_back"` // of these, those that failed the same way
}

// Repetition says whether an anomaly came back.
type Repetition string

// What a repetition came to.
const (
	NotTried   Repetition = "not tried"
	CameBack   Repetition = "yes"
	StayedAway Repetition = "no"
)

// Repeated says whether the anomaly came back.
func (a Anomaly) Repeated() Repetition {
	switch {
	case a.CameBack > 0:
		return CameBack
	case a.Tried > 0:
		return StayedAway
	}
	return NotTried
}

// Errors are those of a cycle that nobody accounts for.
type Errors struct {
	Counted     bool   `json:"counted"`     // they were looked for; else nothing is known
	Swallowed   int    `json:"swallowed"`   // dropped on their way to a result or a log
	Unexplained int    `json:"unexplained"` // reported, with no fault or refusal that explains them
	Example     string `json:"example,omitempty"`
}

// Timing is what clock the timing assertions of a cycle go by.
type Timing string

// The clocks of timing assertions.
const (
	TimingUntold Timing = ""
	TimingNone   Timing = "none"      // no timing is asserted
	TimingTrue   Timing = "true-time" // a clock that no fault moves
	TimingNodes  Timing = "node-time" // clocks of the system under test
)

// Recovery is what the system came back to once the faults had ended.
type Recovery struct {
	State  RecoveryState `json:"state"`
	Before float64       `json:"before"` // calls answered ok a second before the first fault
	After  float64       `json:"after"`  // and after the last had ended
}

// RecoveryState is how a system is after faults.
type RecoveryState string

// The states of a system after faults.
const (
	NotMeasured RecoveryState = ""
	Nominal     RecoveryState = "nominal"
	Degraded    RecoveryState = "degraded"
)

// Retries says what clients' retries are in the history.
type Retries string

// How retries show in the history.
const (
	RetriesUntold   Retries = ""
	RetriesNone     Retries = "none"
	RetriesRecorded Retries = "recorded" // each is a call of its own
	RetriesHidden   Retries = "hidden"   // several attempts stand as one call
)

// Timestamps says what clock the history's times are of.
type Timestamps string

// The clocks of a history.
const (
	TimestampsUntold    Timestamps = ""
	TimestampsVirtual   Timestamps = "virtual"   // a simulation's true time
	TimestampsMonotonic Timestamps = "monotonic" // one machine's
	TimestampsWall      Timestamps = "wall"      // may jump, and differ from machine to machine
)

// Controls counts the calls of known outcome that were made to see that the oracle
// can tell.
type Controls struct {
	Positive int `json:"positive"` // that must succeed and did
	Negative int `json:"negative"` // that must be denied and leave no trace, and were
}
