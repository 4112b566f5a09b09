package oracle

import "fmt"

// Model is the sequential specification of an object: what it answers when calls
// come one at a time.
type Model struct {
	Name  string
	Scope Scope
	Init  string // the state at first
	// Types lists the calls that the model knows.
	Types []string
	// Apply runs a call on a state: it returns the state after it and the answer.
	// It is pure, and must not look at op's times. Only when op.Status is StatusOK
	// may it look at op.Output, to word its answer.
	Apply func(state string, op *Op) (next string, a Answer)
	// Moot reports whether leaving out a call that may have taken effect changes
	// no verdict about the others: it changes nothing, or nobody saw what it did.
	// Without it the search is exponential in such calls. Nil: none is moot.
	Moot func(op *Op, ops []*Op) bool
}

// Scope says how far one object of a model reaches.
type Scope int

// The scopes.
const (
	PerKey Scope = iota // every key is an object of its own
	Whole               // all keys together are one object
)

// Answer is what an object answers to a call in some state.
type Answer struct {
	kind   answerKind
	output string
}

type answerKind byte

const (
	answerAny answerKind = iota
	answerAllowed
	answerExactly
	answerBlocked
)

var (
	// Any is every answer, in every state: it can never be wrong.
	Any = Answer{kind: answerAny}
	// Allowed is every answer, in a state that lets the call take effect.
	Allowed = Answer{kind: answerAllowed}
	// Blocked says that the call cannot take effect in this state.
	Blocked = Answer{kind: answerBlocked}
)

// Exactly is one answer and no other.
func Exactly(output string) Answer { return Answer{answerExactly, output} }

// accepts reports whether the answer a client got can be this one.
func (a Answer) accepts(output string) bool {
	return a.kind == answerAny || a.kind == answerAllowed || a.kind == answerExactly && a.output == output
}

// said is the answer to a call that says whether it was done: only "false" says
// that it was not.
func said(op *Op, done bool) Answer {
	switch {
	case !done:
		return Exactly("false")
	case op.Output == "false":
		return Exactly("true")
	}
	return Allowed
}

// knows checks that the model can judge the call.
func (m *Model) knows(op *Op) error {
	for _, t := range m.Types {
		if t == op.Type {
			return nil
		}
	}
	return fmt.Errorf("call %d is %q, model %s knows %q: leave such calls out, or choose another model",
		op.ID, op.Type, m.Name, m.Types)
}
