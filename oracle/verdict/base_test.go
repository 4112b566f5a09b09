package verdict

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// hardened is evidence of which nothing is missing: a PASS-hardening. Each test
// takes something from it.
func hardened() Evidence {
	e := Evidence{
		Name: "S1", Backend: Sim, Claims: []Category{Safety}, Checkers: []string{"linearizability"}, Asked: Hardening,
		Budgets: []Budget{
			{Smoke, 1, 10 * time.Second, 1, 1},
			{Hardening, 2, 20 * time.Second, 4, 3},
		},
		Surfaces: []string{"api", "admin"},
		Baseline: Baseline{BaselineUnused, "no claim compares"},
	}
	for seed := range uint64(4) {
		e.Cycles = append(e.Cycles, cycle(seed+1))
	}
	return e
}

func cycle(seed uint64) Cycle {
	nodes := 3 + 2*(seed%2)
	return Cycle{
		Seed: seed, Configuration: fmt.Sprintf("nodes=%d", nodes), Topology: fmt.Sprintf("%d nodes", nodes), Tier: Hardening, Duration: 20 * time.Second,
		Windows: windows(10),
		Oracles: []OracleRun{
			{"linearizability", SeesHistory, outcome.OK, "", 100, 100},
			{"health", SeesHealth, outcome.OK, "", 10, 10},
		},
		Faults: []Fault{
			{"at 3s kill n1 for 2s", "kill", Named, 3 * time.Second, 2 * time.Second, false, NoSides, Proven, "signal sent", "3 goroutines stopped"},
			{"at 9s cut n1>n2 for 2s", "cut", Named, 9 * time.Second, 2 * time.Second, false, OneSide, Proven, "rule set", "9 packets dropped"},
		},
		Errors: Errors{Counted: true}, Timing: TimingNone, Recovery: Recovery{Nominal, 50, 49}, Retries: RetriesRecorded, Timestamps: TimestampsVirtual,
		Surfaces: []string{"api", "admin"}, Controls: Controls{2, 3},
	}
}

// windows are n of 2s each.
func windows(n int) (out []Window) {
	for i := range n {
		out = append(out, Window{Span: Span{time.Duration(2*i) * time.Second, 2 * time.Second}, Invoked: 10, OK: 8, Failed: 1, Unknown: 1})
	}
	return out
}

// each changes every cycle.
func each(change func(*Cycle)) func(*Evidence) {
	return func(e *Evidence) {
		for i := range e.Cycles {
			change(&e.Cycles[i])
		}
	}
}

// one changes the second cycle.
func one(change func(*Cycle)) func(*Evidence) { return func(e *Evidence) { change(&e.Cycles[1]) } }

func all(changes ...func(*Evidence)) func(*Evidence) {
	return func(e *Evidence) {
		for _, c := range changes {
			c(e)
		}
	}
}

func decided(change func(*Evidence)) Decision {
	e := hardened()
	if change != nil {
		change(&e)
	}
	return Decide(e)
}

// told reports whether a reason of the kind and rule says the text.
func (d Decision) told(kind ReasonKind, rule Rule, text string) bool {
	for _, r := range d.Reasons {
		if r.Kind == kind && r.Rule == rule && strings.Contains(r.Text, text) {
			return true
		}
	}
	return false
}

func TestHardened(t *testing.T) {
	if err := hardened().Validate(); err != nil {
		t.Fatal(err)
	}
	d := decided(nil)
	if d.Verdict != PassHardening || d.TierMet != Hardening || len(d.Open()) > 0 {
		t.Fatalf("found %s, tier %s, open %v, reasons %v", d.Verdict, d.TierMet, d.Open(), d.Reasons)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	want := Measured{Cycles: 4, Counted: 4, Seeds: 4, Configurations: 2, Faults: 8, Longest: 20 * time.Second, Total: 80 * time.Second}
	if d.Measured != want {
		t.Errorf("found %+v, want %+v", d.Measured, want)
	}
}

// Nothing passes by omission.
func TestZero(t *testing.T) {
	d := Decide(Evidence{})
	if d.Verdict != NotRun || d.TierMet != "" {
		t.Errorf("no evidence is %s, tier %q", d.Verdict, d.TierMet)
	}
	for _, it := range append(d.Green, d.Weak...) {
		if it.Answer != ItemOpen && it.Name != ItemRepeated && it.Name != ItemSymmetric {
			t.Errorf("%s is %s without evidence: %s", it.Name, it.Answer, it.Text)
		}
	}
	if d := Decide(Evidence{Cycles: make([]Cycle, 5)}); d.Verdict != PartialSurface {
		t.Errorf("empty cycles are %s", d.Verdict)
	}
}
