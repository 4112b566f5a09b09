package choice

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDrawIsAFunctionOfItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, bound := rapid.Uint64().Draw(t, "seed"), rapid.Uint64Range(1, 1000).Draw(t, "bound")
		a, b := New(seed).Stream("net/n1>n2"), New(seed).Stream("net/n1>n2")
		other := New(seed).Stream("net/n2>n1")
		for range 20 {
			other.Draw(bound) // moves nobody else's choices
			x, y := a.Draw(bound), b.Draw(bound)
			if x != y || x >= bound {
				t.Fatalf("%d and %d of a bound of %d", x, y, bound)
			}
		}
	})
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, name := range []string{"fault", "disk/n1", "disk/n2", "sched/n1/0", "rand/n1/0", "sched/n1/1", "sched/n1/0.0", "sched/n1/t0"} {
		for seed := range uint64(3) {
			v := New(seed).Stream(name).Draw(0)
			if was, ok := seen[v]; ok {
				t.Errorf("%s of seed %d draws what %s does", name, seed, was)
			}
			seen[v] = name
		}
	}
}

func TestUniform(t *testing.T) {
	s := New(1).Stream("x")
	var counts [10]int
	const n = 100_000
	for range n {
		counts[s.Intn(10)]++
	}
	for v, c := range counts {
		if c < n/10-600 || c > n/10+600 { // about six standard deviations
			t.Errorf("%d was drawn %d times of %d", v, c, n)
		}
	}
}

// A choice of zero is the neutral value, for every way to draw.
func TestZeroIsNeutral(t *testing.T) {
	var zero []Override
	for i := range uint64(4) {
		zero = append(zero, Override{"x", i, 0})
	}
	s := New(99, zero...).Stream("x")
	if got := s.Intn(100); got != 0 {
		t.Errorf("Intn: %d", got)
	}
	if got := s.Between(3*time.Second, time.Minute); got != 3*time.Second {
		t.Errorf("Between: %v", got)
	}
	if s.Chance(0.999999) {
		t.Error("Chance: true")
	}
	if got := s.Draw(0); got != 0 {
		t.Errorf("Draw: %d", got)
	}
}

func TestOverrides(t *testing.T) {
	free := New(5).Stream("x")
	bound := New(5, Override{"x", 1, 7}, Override{"x", 2, 1000}, Override{"y", 0, 3}).Stream("x")
	for i, want := range []uint64{free.Draw(50), 7, 49} {
		if got := bound.Draw(50); got != want {
			t.Errorf("choice %d: %d, want %d", i, got, want)
		}
		if i > 0 {
			free.Draw(50)
		}
	}
	if got, want := bound.Draw(50), free.Draw(50); got != want {
		t.Errorf("the choice after the overrides: %d, want %d", got, want)
	}
}

// A redirected source draws, from where each stream is, what a source of that seed
// and those overrides draws there.
func TestRedirect(t *testing.T) {
	over := []Override{{"x", 3, 1}, {"y", 0, 9}, {"x", 3, 2}, {"x", 1, 5}}
	src, other := New(1), New(2, over...)
	a, b := src.Stream("x"), other.Stream("x")
	a.Draw(10)
	b.Draw(10)
	src.Redirect(2, ByKey(over))
	var got []uint64
	for range 4 {
		x, y := a.Draw(10), b.Draw(10)
		if x != y {
			t.Errorf("drew %d, want %d", x, y)
		}
		got = append(got, x)
	}
	if got[0] != 5 || got[2] != 2 {
		t.Errorf("drew %v, want 5 first and 2 third: of two overrides the last counts", got)
	}
	if v := src.Stream("y").Draw(0); v != 9 || src.Seed() != 2 {
		t.Errorf("a new stream drew %d of seed %d, want 9 of seed 2", v, src.Seed())
	}
}

func TestChance(t *testing.T) {
	s := New(2).Stream("x")
	for _, p := range []float64{0, 0.1, 0.5, 1} {
		n := 0
		for range 20_000 {
			if s.Chance(p) {
				n++
			}
		}
		if got := float64(n) / 20_000; got < p-0.02 || got > p+0.02 {
			t.Errorf("a chance of %v came true in %v", p, got)
		}
	}
}

func TestRecord(t *testing.T) {
	src := New(1, Override{"x", 0, 2})
	var got []Choice
	src.Record(func(c Choice) { got = append(got, c) })
	src.Stream("x").Draw(10)
	if len(got) != 1 || got[0] != (Choice{"x", KeyOf("x"), 0, 10, 2}) {
		t.Errorf("recorded %+v", got)
	}
}

func TestPathKeys(t *testing.T) {
	root := NameKey("n1")
	for path, want := range map[string]Key{
		"n1/0":      root.Child(0),
		"n1/0.2.7":  root.Child(0).Child(2).Child(7),
		"n1/0.t3.0": root.Child(0).Child(3 | TimerChild).Child(0),
		"a/b/1":     NameKey("a/b").Child(1),
	} {
		if got, ok := PathKey(path); !ok || got != want {
			t.Errorf("%s: %x, %v, want %x", path, got, ok, want)
		}
	}
	for _, bad := range []string{"", "n1", "n1/", "n1/x", "n1/0..1", "n1/-1"} {
		if _, ok := PathKey(bad); ok {
			t.Errorf("%q was taken for a path", bad)
		}
	}
}
