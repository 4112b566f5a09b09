// Package outcome is what a check concludes. It is a leaf: worlds, oracles and
// reports share it.
package outcome

// Verdict is what a check concluded.
type Verdict string

// The verdicts of a check. Only OK is a pass.
const (
	OK        Verdict = "ok"
	Violation Verdict = "violation"
	Unknown   Verdict = "unknown" // it could not decide: Outcome.Reason says why
	Vacuous   Verdict = "vacuous" // it was given nothing that could have failed
)

// Outcome is a verdict and what it stands on.
type Outcome struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // of unknown and vacuous, one line
	Calls   int     `json:"calls,omitempty"`  // of clients that it judged; 0 if it does not say, and a test plan wants it said

	// Covered is what a check of a boundary or of fairness was given.
	Covered Coverage `json:"covered,omitzero"`

	// The rest is of a violation.

	Message string `json:"message,omitempty"` // one line
	Detail  string `json:"detail,omitempty"`  // the evidence, several lines
	Key     string `json:"key,omitempty"`     // the object that was wrong
	Node    string `json:"node,omitempty"`    // that gave the wrong answer, if known
	At      int64  `json:"at,omitempty"`      // nanoseconds from the history's start
}

// Checker judges the data that it was made with.
type Checker interface {
	Name() string // of the promise that it checks: "linearizability"
	Conclude() Outcome
}

// Func makes a Checker of a function.
func Func(name string, conclude func() Outcome) Checker { return funcChecker{name, conclude} }

type funcChecker struct {
	name     string
	conclude func() Outcome
}

func (c funcChecker) Name() string      { return c.name }
func (c funcChecker) Conclude() Outcome { return c.conclude() }

// Doubt is an experiment on a check itself, made when it finds a violation.
type Doubt struct {
	Experiment string `json:"experiment"` // what was done
	Found      string `json:"found"`      // what came of it
	Made       bool   `json:"made"`       // it could tell
	Wrong      bool   `json:"wrong"`      // it shows that the check is wrong
}

// Doubter is a Checker that can be put to the test.
type Doubter interface {
	Checker
	// Doubts makes the experiments. It is called after a violation.
	Doubts() []Doubt
}
