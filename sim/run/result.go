package run

import (
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// Verdict says how one run ended.
type Verdict string

// The verdicts of a run. Only Pass is a pass.
const (
	Pass             Verdict = "pass"
	Violated         Verdict = "violation"
	Vacuous          Verdict = "vacuous"          // nothing that was scheduled landed, or a check was given nothing
	Unknown          Verdict = "unknown"          // an oracle could not decide, or a budget ran out
	Died             Verdict = "died"             // the process of the run ended without a result
	Escaped          Verdict = "escaped"          // it made a system call that no world answers, past the kernel
	NoProgress       Verdict = "no-progress"      // the watchdog ended it
	Nondeterministic Verdict = "nondeterministic" // two runs of it differed
	Stopped          Verdict = "stopped"          // at the moment that the request named; see State
)

// Lost reports whether a run of this verdict ended without a result of its own.
func (v Verdict) Lost() bool { return v == Died || v == Escaped || v == NoProgress }

// Request asks a worker for one run.
type Request struct {
	Seed      uint64            `json:"seed,string"`
	Params    map[string]string `json:"params,omitempty"`    // what --set gave
	Overrides []choice.Override `json:"overrides,omitempty"` // choices that are replaced
	// Neutral names streams, or the first parts of their names, whose choices are 0
	// but for overrides: "sched" is the schedule, "net" the links, "net/n1>n2" one.
	Neutral []string `json:"neutral,omitempty"`
	// Faults, if not nil, is the plan of faults, one a line of text, in place of
	// the one that the scenario draws from the seed.
	Faults []string `json:"faults"`
	// Safety, if not 0, ends the safety phase earlier than the scenario does: virtual
	// nanoseconds after it began. Faults whose time comes later are not injected.
	Safety int64 `json:"safety,omitempty"`
	// Calm is how long clients make calls before the first fault can come, and again
	// after the last has ended: virtual nanoseconds, 0 for not at all. What the system
	// does without faults can be compared then.
	Calm   int64  `json:"calm,omitempty"`
	Record Record `json:"record,omitempty"`
	// Until, if not nil, is the moment at which the run ends, to be looked at.
	Until *Moment `json:"until,omitempty"`
}

// Record says what a run keeps beside its result. Keeping more never changes the run.
type Record string

// What a run may keep.
const (
	RecordNone   Record = ""       // the hash, and checkpoints of it
	RecordEvents Record = "events" // every event
	RecordStacks Record = "stacks" // every event, with the stack of the goroutine it is of
)

// Result is the outcome of one run. Everything in it is a function of the
// request and the program: no wall time, no process numbers.
type Result struct {
	Scenario  string     `json:"scenario"`
	Seed      uint64     `json:"seed,string"`
	Verdict   Verdict    `json:"verdict"`
	Reason    string     `json:"reason,omitempty"` // why it is no pass, for verdicts other than violation
	Violation *Violation `json:"violation,omitempty"`
	Hash      string     `json:"hash"`    // 16 hex digits: of every event
	Events    uint64     `json:"events"`  // hashed
	Steps     uint64     `json:"steps"`   // scheduling decisions
	Virtual   int64      `json:"virtual"` // virtual nanoseconds that passed
	Calls     uint64     `json:"calls"`   // system calls answered
	Ops       Ops        `json:"ops"`
	Faults    []Fault    `json:"faults,omitempty"`

	Measures Measures `json:"measures"`
	// Doubts are experiments on the check that found the violation.
	Doubts      []outcome.Doubt `json:"doubts,omitempty"`
	Unsupported []Unsupported   `json:"unsupported,omitempty"`
	Warnings    []string        `json:"warnings,omitempty"`
	// Checkpoints is the rolling hash after every CheckpointEvery events.
	Checkpoints []uint64 `json:"-"`
	// Log is what the nodes wrote, in order.
	Log []LogLine `json:"-"`
}

// CheckpointEvery is how many events lie between two checkpoints of the hash.
const CheckpointEvery = 1024

// Violation is a broken promise of the system under test.
type Violation struct {
	Oracle  string   `json:"oracle"`           // which check: "linearizability", "panic", "test" ...
	Message string   `json:"message"`          // one line
	Node    string   `json:"node,omitempty"`   // where, if at a node
	Names   []string `json:"names,omitempty"`  // nodes and clients that the message names
	At      int64    `json:"at"`               // virtual nanoseconds since the run's start
	Stack   string   `json:"stack,omitempty"`  // of a panic or fatal error, or the place of t.Fatal
	Detail  string   `json:"detail,omitempty"` // evidence, several lines
}

// Oracles that are not a check's.
const (
	OraclePanic    = "panic"    // a program panicked
	OracleFatal    = "fatal"    // a program ended by a fatal error of Go's runtime
	OracleRace     = "race"     // Go's race detector found a data race
	OracleLiveness = "liveness" // what should have come true in time did not
)

// Ops counts what the clients did.
type Ops = outcome.Ops

// Fault is one line of a run's plan and what became of it.
type Fault struct {
	Text     string `json:"text"` // as it is typed and read back
	Kind     string `json:"kind"` // its verb: "crash", "cut" ...
	At       int64  `json:"at"`   // virtual nanoseconds since the run's start, when it was injected
	Landed   bool   `json:"landed"`
	Beyond   bool   `json:"beyond,omitempty"`   // what the environment promises rules it out
	Evidence string `json:"evidence,omitempty"` // what shows that it landed, or why it did not
}

// Unsupported is a system call that there is not in the simulation.
type Unsupported struct {
	Nr     uint64 `json:"nr"`
	Name   string `json:"name"`
	Caller string `json:"caller,omitempty"` // the first function that made it
	Count  int    `json:"count"`
}

// LogLine is a line that a node wrote to its standard output or error.
type LogLine struct {
	At   time.Duration // since the run's start
	Node string
	Text string
}
