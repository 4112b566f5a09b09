package verdict

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// damages are what may be wrong with a cycle. Drawn evidence has a few.
var damages = []func(*Cycle){
	anomaly(1, 1), anomaly(1, 0), anomaly(0, 0), landing(NotProven), landing(Ambiguous), noCheck, noFaults, seesPart,
	answers(outcome.Unknown, "budget"), answers(outcome.Vacuous, ""), answers(outcome.Violation, "lost"),
	func(c *Cycle) { c.Lost = "died" }, func(c *Cycle) { c.Duration = 12 * time.Second },
	func(c *Cycle) { c.Faults[0].Origin = Drawn }, func(c *Cycle) { c.Errors.Counted = false },
	func(c *Cycle) { c.Recovery.State = Degraded }, func(c *Cycle) { c.Windows = c.Windows[3:] },
}

func drawCycle(t *rapid.T) Cycle {
	c := cycle(rapid.Uint64Range(1, 6).Draw(t, "seed"))
	if rapid.IntRange(0, 2).Draw(t, "sound") > 0 {
		return c
	}
	damage := rapid.SampledFrom(damages).Draw(t, "damage")
	damage(&c)
	return c
}

func drawEvidence(t *rapid.T) Evidence {
	e := hardened()
	e.Cycles = rapid.SliceOfN(rapid.Custom(drawCycle), 0, 7).Draw(t, "cycles")
	e.Claims = rapid.SliceOfN(rapid.SampledFrom(Categories), 1, 3).Draw(t, "claims")
	if rapid.IntRange(0, 5).Draw(t, "need") == 0 {
		e.Needs = []Need{{"tc", "absent", rapid.SampledFrom([]string{"", "a proxy"}).Draw(t, "substitute")}}
	}
	return e
}

func decide(e Evidence) Decision {
	e.Cycles = slices.Clone(e.Cycles)
	return Decide(e)
}

func TestMoreEvidenceNeverLiftsAFail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvidence(t)
		before := decide(e)
		e.Cycles = append(slices.Clone(e.Cycles), rapid.SliceOfN(rapid.Custom(drawCycle), 1, 4).Draw(t, "more")...)
		after := decide(e)
		if before.Verdict.Fail() && after.Verdict.Rank() > before.Verdict.Rank() {
			t.Fatalf("%s became %s with more cycles", before.Verdict, after.Verdict)
		}
	})
}

func TestAnAnomalyAlwaysFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvidence(t)
		e.Cycles = append(slices.Clone(e.Cycles), cycle(1))
		rapid.SampledFrom(damages[:3]).Draw(t, "anomaly")(&e.Cycles[len(e.Cycles)-1])
		if d := decide(e); !d.Verdict.Fail() {
			t.Fatalf("an anomaly is %s", d.Verdict)
		}
	})
}

func TestAnUnprovenFaultNeverPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvidence(t)
		c := cycle(1)
		c.Faults[rapid.IntRange(0, 1).Draw(t, "fault")].Landing = rapid.SampledFrom([]Landing{NotProven, Ambiguous, "", "landed"}).Draw(t, "landing")
		e.Cycles = append(slices.Clone(e.Cycles), c)
		if d := decide(e); d.Verdict.Rank() > InconclusiveFault.Rank() {
			t.Fatalf("a fault that is not proven is %s", d.Verdict)
		}
	})
}

func TestNoCapIsExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := decide(drawEvidence(t))
		if err := d.Validate(); err != nil { // of which this is a part
			t.Fatal(err)
		}
		for _, r := range d.Reasons {
			if r.Kind != Notes && d.Verdict.Rank() > r.At.Rank() {
				t.Fatalf("%s, and %q allows %s", d.Verdict, r.Rule, r.At)
			}
		}
		if d.Verdict == PassHardening && len(d.Open()) > 0 {
			t.Fatalf("%s with %v", d.Verdict, d.Open())
		}
	})
}

func TestOrderOfCyclesChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvidence(t)
		before := decide(e)
		e.Cycles = rapid.Permutation(e.Cycles).Draw(t, "permuted")
		if after := decide(e); !reflect.DeepEqual(before, after) {
			t.Fatalf("found\n%+v\nin another order\n%+v", before, after)
		}
	})
}

// Every row of the audits' table that opens an item, put on any evidence.
func TestAnOpenItemNeverRaises(t *testing.T) {
	var opens []func(*Evidence)
	for _, c := range audits {
		// Rows that take the cycles' faults or the cycles away take away what was wrong as well.
		if c.want == ItemOpen && c.change != nil && addsTo(c.change) {
			opens = append(opens, c.change)
		}
	}
	if len(opens) < 40 {
		t.Fatalf("%d rows open an item, want more", len(opens))
	}
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvidence(t)
		e.Claims = []Category{Safety}
		e.Cycles = slices.DeleteFunc(e.Cycles, func(c Cycle) bool { return !whole(c) }) // rows change what is in them
		good := cycle(7)
		e.Cycles = append([]Cycle{good, good}, e.Cycles...) // what the rows change
		before := decide(e)
		e.Cycles = append([]Cycle{cycle(7), cycle(7)}, cloneFaults(e.Cycles[2:])...)
		rapid.SampledFrom(opens).Draw(t, "open")(&e)
		if after := decide(e); after.Verdict.Rank() > before.Verdict.Rank() {
			t.Fatalf("%s became %s with an open item:\n%s", before.Verdict, after.Verdict, reasonLines(after))
		}
	})
}

// addsTo reports whether a row leaves cycles, faults and seeds as many as they were, and
// named faults named: of drawn ones some may miss, so that they excuse what was wrong.
func addsTo(change func(*Evidence)) bool {
	e := hardened()
	change(&e)
	if len(e.Cycles) != 4 || e.Cycles[1].Lost != "" {
		return false
	}
	return !slices.ContainsFunc(e.Cycles, func(c Cycle) bool {
		return len(c.Faults) < 2 || len(c.Oracles) < 2 || slices.ContainsFunc(c.Faults, func(f Fault) bool { return f.Origin == Drawn })
	})
}

func whole(c Cycle) bool { return len(c.Faults) == 2 && len(c.Oracles) == 2 && len(c.Windows) == 10 }

func cloneFaults(cycles []Cycle) []Cycle {
	out := slices.Clone(cycles)
	for i := range out {
		out[i].Faults, out[i].Oracles, out[i].Windows = slices.Clone(out[i].Faults), slices.Clone(out[i].Oracles), slices.Clone(out[i].Windows)
	}
	return out
}

func TestAScenarioIsNoBetterThanItsArms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var arms []Decision
		for i := range rapid.IntRange(1, 4).Draw(t, "arms") {
			d := decide(drawEvidence(t))
			d.Name = "S1/" + string(rune('a'+i))
			arms = append(arms, d)
		}
		d := Combine("S1", arms)
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		permuted := Combine("S1", rapid.Permutation(arms).Draw(t, "permuted"))
		if !reflect.DeepEqual(d, permuted) {
			t.Fatalf("found\n%+v\nin another order\n%+v", d, permuted)
		}
		for _, a := range arms {
			if d.Verdict.Rank() > a.Verdict.asArm().Rank() {
				t.Fatalf("%s with an arm %s", d.Verdict, a.Verdict)
			}
			if a.Verdict.Fail() && !d.Verdict.Fail() {
				t.Fatalf("%s with an arm %s", d.Verdict, a.Verdict)
			}
		}
	})
}

func TestZeroIsForDoneAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var of []Decision
		for range rapid.IntRange(0, 4).Draw(t, "scenarios") {
			of = append(of, decide(drawEvidence(t)))
		}
		s := Session(of)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		clean := len(of) > 0 && !slices.ContainsFunc(of, func(d Decision) bool { return !d.Verdict.Pass() || len(d.Open()) > 0 })
		for _, b := range Backends {
			if exit := ExitStatus(s, b); exit.Status == 0 && !clean || exit.Status == 0 && s.Verdict != SessionDone {
				t.Fatalf("%+v with %v", exit, s)
			}
		}
	})
}
