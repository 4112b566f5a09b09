package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim"
)

// The families are the verbs of faults that the engine reads.
func TestFamilies(t *testing.T) {
	var bad *sim.FaultError
	_, err := sim.ParseFault("at 1s x")
	if !errors.As(err, &bad) {
		t.Fatalf("got %v", err)
	}
	verbs := strings.Fields(strings.NewReplacer(",", " ", " or ", " ").Replace(bad.Want))
	if got := Families(); strings.Join(got, " ") == "" || !sameWords(got, verbs) {
		t.Errorf("got %v, the engine has %v", got, verbs)
	}
}

func sameWords(a, b []string) bool {
	in := map[string]int{}
	for _, w := range a {
		in[w]++
	}
	for _, w := range b {
		in[w]--
	}
	for _, n := range in {
		if n != 0 {
			return false
		}
	}
	return len(a) == len(b)
}
