package generate

import (
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/choice"
	"pgregory.net/rapid"
)

// opOf is an operation whose choices are those of a seed.
func opOf(seed uint64, over ...choice.Override) *sim.Op {
	return &sim.Op{Stream: choice.New(seed, over...).Stream("x")}
}

// neutral is an operation whose choices are all 0.
func neutral() *sim.Op { return &sim.Op{Stream: choice.New(1).NeutralStream("x")} }

func TestZerosAreSimplest(t *testing.T) {
	op := neutral()
	if n := Draw(op, "n", rapid.IntRange(3, 900)); n != 3 {
		t.Errorf("a number of 3 to 900: %d", n)
	}
	if n := Draw(op, "n", rapid.Int()); n != 0 {
		t.Errorf("a number: %d", n)
	}
	if s := Draw(op, "s", rapid.String()); s != "" {
		t.Errorf("a string: %q", s)
	}
	if l := Draw(op, "l", rapid.SliceOfN(rapid.Bool(), 2, 9)); !slices.Equal(l, []bool{false, false}) {
		t.Errorf("2 to 9 booleans: %v", l)
	}
	if v := Draw(op, "v", rapid.SampledFrom([]string{"first", "second"})); v != "first" {
		t.Errorf("one of two: %s", v)
	}
}

// A value is of its seed, and takes the same choices whatever it is.
func TestDrawsOfASeed(t *testing.T) {
	long, different := 0, 0
	for seed := range uint64(100) {
		a, b := opOf(seed), opOf(seed, choice.Override{Stream: "x", Index: 0, Value: 1 << 52})
		first, changed := Draw(a, "list", rapid.SliceOf(rapid.Uint8())), Draw(b, "list", rapid.SliceOf(rapid.Uint8()))
		if again := Draw(opOf(seed), "list", rapid.SliceOf(rapid.Uint8())); !slices.Equal(again, first) {
			t.Fatalf("seed %d: %v, then %v", seed, first, again)
		}
		if x, y := Draw(a, "n", rapid.Uint64()), Draw(b, "n", rapid.Uint64()); x != y {
			t.Fatalf("seed %d: after %v comes %d, after %v comes %d", seed, first, x, changed, y)
		}
		if !slices.Equal(first, changed) {
			different++
		}
		if len(first) > drawn {
			long++
		}
	}
	if long == 0 || different == 0 {
		t.Fatalf("%d lists are long, %d differ: this test tests nothing", long, different)
	}
}

// A value longer than any input that is tried at first is made of a longer one, and
// a filter may refuse many.
func TestLongInputs(t *testing.T) {
	if l := Draw(opOf(1), "list", rapid.SliceOfN(rapid.Uint64(), 1000, 1000)); len(l) != 1000 {
		t.Errorf("a list of 1000 has %d elements", len(l))
	}
	rare := rapid.Uint8().Filter(func(n uint8) bool { return n%64 == 63 })
	for seed := range uint64(20) {
		if n := Draw(opOf(seed), "n", rare); n%64 != 63 {
			t.Errorf("seed %d: %d", seed, n)
		}
	}
}

func TestDrawPanics(t *testing.T) {
	for _, c := range []struct {
		what string
		g    *rapid.Generator[int]
		want string
	}{
		{"a filter that refuses all", rapid.Int().Filter(func(int) bool { return false }), "generate: n: no value of "},
		{"a generator's own panic", rapid.Custom(func(t *rapid.T) int { rapid.Bool().Draw(t, "b"); panic("it is broken") }), "it is broken"},
	} {
		got, _ := caught(func() { Draw(opOf(1), "n", c.g) }).(string)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: panics with %q, want %q", c.what, got, c.want)
		}
	}
}

func TestAct(t *testing.T) {
	calls := []string{}
	add := func(name string) func(*rapid.T) {
		return func(*rapid.T) { calls = append(calls, name) }
	}
	actions := map[string]func(*rapid.T){"": add("check"), "b": add("b"), "c": add("c"), "a": func(t *rapid.T) {
		if rapid.IntRange(0, 9).Draw(t, "n") < 10 {
			t.Skip("it does not apply")
		}
	}}
	if name := Act(t, neutral(), actions); name != "b" || !slices.Equal(calls, []string{"b", "check"}) {
		t.Errorf("without choices: %s, calls %q; want the first that applies, then the check", name, calls)
	}
	seen := map[string]bool{}
	for seed := range uint64(50) {
		seen[Act(t, opOf(seed), actions)] = true
	}
	if len(seen) != 2 || !seen["b"] || !seen["c"] {
		t.Errorf("50 seeds: %v, want b and c", seen)
	}
	if name := Act(t, opOf(1), map[string]func(*rapid.T){"a": actions["a"], "": add("check")}); name != "" {
		t.Errorf("%s applies, want none", name)
	}
}

// What an action panics with is not taken for that it does not apply.
func TestActPanics(t *testing.T) {
	type own struct{}
	got := caught(func() {
		Act(t, opOf(1), map[string]func(*rapid.T){"a": func(*rapid.T) { panic(own{}) }})
	})
	if got != (own{}) {
		t.Errorf("panics with %v, want the action's own", got)
	}
}
