package generate

import (
	"maps"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/orrery-sim/orrery/sim"
	"pgregory.net/rapid"
)

// wordsOfAction is the length of an action's input. It cannot be made longer on
// demand: what an action has done is done.
const wordsOfAction = 4096

// Act makes an operation be one of a state machine's actions, as [rapid.T.Repeat]
// and [rapid.StateMachineActions] have them, then runs the check, which is the
// action of the empty name, and returns the action's name. An action that does not
// apply says so by Skip, before it does anything: another is chosen then. Without
// any that applies Act returns "".
//
// Choices of 0 choose the action whose name comes first. Each try takes the same
// number of choices. An action or check that fails, by Error or Fatal, fails t.
func Act(t *testing.T, op *sim.Op, actions map[string]func(*rapid.T)) string {
	names := slices.Sorted(maps.Keys(actions))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	for len(names) > 0 {
		i := op.Intn(len(names))
		if try(t, inputOf(op.Stream), names[i], actions) {
			return names[i]
		}
		names = slices.Delete(names, i, i+1)
	}
	return ""
}

// try runs an action and the check, and reports whether the action applies.
func try(t *testing.T, in input, name string, actions map[string]func(*rapid.T)) (applies bool) {
	t.Helper()
	var crash any
	var stack []byte
	rapid.MakeFuzz(func(t *rapid.T) {
		defer func() {
			r := recover()
			switch {
			case r == nil:
			case t.Failed():
				panic(r) // rapid fails the test
			case applies || !invalid(r):
				crash, stack = r, debug.Stack()
			}
		}()
		actions[name](t)
		applies = true
		if check := actions[""]; check != nil {
			check(t)
		}
	})(t, in.words(wordsOfAction))
	if crash != nil {
		// As a panic of the action's own, which the run reports as one.
		t.Logf("%s: %v\n%s", name, crash, stack)
		panic(crash)
	}
	return applies
}
