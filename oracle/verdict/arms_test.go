package verdict

import (
	"strings"
	"testing"
)

// arm is a decision with a verdict, which one of the tables' rows comes to.
func arm(t *testing.T, name string, v Verdict) Decision {
	t.Helper()
	for _, c := range decisions {
		if c.want == v {
			d := decided(c.change)
			d.Name = name
			return d
		}
	}
	t.Fatalf("no row comes to %s", v)
	return Decision{}
}

func TestCombine(t *testing.T) {
	for _, c := range []struct {
		arms []Verdict
		want Verdict
	}{
		{[]Verdict{PassHardening, PassHardening}, PassHardening},
		{[]Verdict{PassHardening, PassSmoke}, PassSmoke},
		{[]Verdict{PassHardening, FailReproducible}, FailReproducible},
		{[]Verdict{FailNondeterministic, PassHardening}, FailNondeterministic},
		{[]Verdict{FailNondeterministic, FailReproducible}, FailReproducible},
		{[]Verdict{NotRun, FailNondeterministic}, FailNondeterministic},
		{[]Verdict{PassHardening, NotRun}, PartialSurface},
		{[]Verdict{PassHardening, PartialSurface}, PartialSurface},
		{[]Verdict{PassHardening, PartialModel}, PartialSurface},
		{[]Verdict{PartialModel, PartialModel}, PartialSurface},
		{[]Verdict{PassHardening, InconclusiveEnv}, InconclusiveEnv},
		{[]Verdict{PassHardening, InconclusiveFault}, InconclusiveFault},
		{[]Verdict{PassSmoke, InconclusiveTooWeak}, InconclusiveTooWeak},
		{[]Verdict{InconclusiveTooWeak, InconclusiveEnv}, InconclusiveEnv},
		{[]Verdict{InconclusiveTooWeak, NotRun}, PartialSurface},
		{[]Verdict{InconclusiveEnv, PartialModel}, InconclusiveEnv},
		{[]Verdict{NotRun, NotRun}, NotRun},
		{nil, NotRun},
	} {
		var arms, back []Decision
		for i, v := range c.arms {
			a := arm(t, "S5/"+string(rune('a'+i)), v)
			arms, back = append(arms, a), append([]Decision{a}, back...)
		}
		d := Combine("S5", arms)
		if d.Verdict != c.want {
			t.Errorf("%v: found %s, want %s\n%s", c.arms, d.Verdict, c.want, reasonLines(d))
		}
		if again := Combine("S5", back); reasonLines(again) != reasonLines(d) || again.Verdict != d.Verdict {
			t.Errorf("%v: another order gives\n%s\nnot\n%s", c.arms, reasonLines(again), reasonLines(d))
		}
		if err := d.Validate(); err != nil {
			t.Errorf("%v: %v", c.arms, err)
		}
	}
}

func TestCombineReasons(t *testing.T) {
	d := Combine("S5", []Decision{
		arm(t, "S5/a", PassSmoke), arm(t, "S5/b", NotRun), arm(t, "S5/c", FailReproducible), arm(t, "S5/d", PassHardening),
	})
	var told []string
	for _, r := range d.Reasons {
		name, _, _ := strings.Cut(r.Text, ":")
		told = append(told, string(r.Kind)+" "+name+" "+string(r.At))
	}
	want := "decides S5/c FAIL-reproducible, caps S5/a PASS-smoke, caps S5/b PARTIAL-surface"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	if d.Repeated != CameBack || d.TierMet != "" || d.Asked != Hardening {
		t.Errorf("repeated %q, tier %q of %q", d.Repeated, d.TierMet, d.Asked)
	}
	if d.Measured.Cycles != 12 || d.Measured.Seeds != 0 {
		t.Errorf("found %+v, want the cycles of three arms, and the seeds of the one that has none", d.Measured)
	}
}

// An item is open in a scenario if it is in one arm.
func TestCombineItems(t *testing.T) {
	good, bad := decided(nil), decided(one(func(c *Cycle) { c.Retries = RetriesHidden }))
	good.Name, bad.Name = "S5/a", "S5/b"
	d := Combine("S5", []Decision{good, bad})
	if it := d.find(t, ItemHiddenRetries); it.Answer != ItemOpen || !strings.HasPrefix(it.Text, "S5/b: seed 2") {
		t.Errorf("found %+v, want it open, and of the second arm", it)
	}
	if it := d.find(t, ItemOneSeed); it.Answer != ItemOK || it.Text != "S5/a: 4 seeds; S5/b: 4 seeds" {
		t.Errorf("found %+v, want it ok, by both", it)
	}
	if it := d.find(t, ItemAggregate); it.Answer != ItemNone {
		t.Errorf("found %+v, want it not applicable, as in both", it)
	}
	bad.Weak = nil
	if it := Combine("S5", []Decision{good, bad}).find(t, ItemOneSeed); it.Answer != ItemOpen {
		t.Errorf("found %+v, want it open: an arm has no answer", it)
	}
}
