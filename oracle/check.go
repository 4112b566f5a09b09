package oracle

import "github.com/orrery-sim/orrery/sim/outcome"

// Verdict is what a check concluded.
type Verdict = outcome.Verdict

// The verdicts of a check. Only OK is a pass.
const (
	OK        = outcome.OK
	Violation = outcome.Violation
	Unknown   = outcome.Unknown
	Vacuous   = outcome.Vacuous
)

// Outcome is a verdict and what it stands on.
type Outcome struct {
	outcome.Outcome
	Ops []Op `json:"ops,omitempty"` // the evidence of a violation, as data
	// Steps is how many steps of the model the check took.
	Steps int `json:"steps,omitempty"`
}

// Checker judges the data that it was made with.
type Checker interface {
	outcome.Checker
	Check() Outcome // with the evidence as data
}

// CheckFunc makes a Checker of a function.
func CheckFunc(name string, check func() Outcome) Checker { return funcChecker{name, check} }

type funcChecker struct {
	name  string
	check func() Outcome
}

func (c funcChecker) Name() string              { return c.name }
func (c funcChecker) Check() Outcome            { return c.check() }
func (c funcChecker) Conclude() outcome.Outcome { return c.check().Outcome }

// bare is an outcome without evidence.
func bare(v Verdict, reason string) Outcome {
	return Outcome{Outcome: outcome.Outcome{Verdict: v, Reason: reason}}
}
