package oracle

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

	// The rest is of a violation.

	Message string `json:"message,omitempty"` // one line
	Detail  string `json:"detail,omitempty"`  // the evidence, several lines
	Key     string `json:"key,omitempty"`     // the object that was wrong
	Node    string `json:"node,omitempty"`    // that gave the wrong answer, if known
	At      int64  `json:"at,omitempty"`      // nanoseconds from the history's start
	Ops     []Op   `json:"ops,omitempty"`     // the evidence, as data

	// Steps is how many steps of the model the check took.
	Steps int `json:"steps,omitempty"`
}

// Checker judges the data that it was made with.
type Checker interface {
	Name() string // of the promise that it checks: "linearizability"
	Check() Outcome
}

// CheckFunc makes a Checker of a function.
func CheckFunc(name string, check func() Outcome) Checker { return funcChecker{name, check} }

type funcChecker struct {
	name  string
	check func() Outcome
}

func (c funcChecker) Name() string   { return c.name }
func (c funcChecker) Check() Outcome { return c.check() }
