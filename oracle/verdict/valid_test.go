package verdict

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// What is written is read back as it was, and to the same bytes.
func TestRead(t *testing.T) {
	readBack(t, hardened())
	for _, c := range decisions {
		readBack(t, decided(c.change))
	}
	readBack(t, Combine("S5", []Decision{decided(nil), decided(one(noCheck))}))
	readBack(t, Session([]Decision{decided(nil), stayed()}))
	readBack(t, Axes{Verdict: FailReproducible, Class: ClassUnknown, Reduction: Reduction{Why: "not tried"}, Placing: Suggest(Symptom{Oracle: "race"})})
}

func readBack[T interface{ Validate() error }](t *testing.T, v T) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read[T](text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	again, err := json.Marshal(got)
	if err != nil || string(again) != string(text) {
		t.Errorf("%v: found\n%s\nwant\n%s", err, again, text)
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("found %+v, want %+v", got, v)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"name":"S1","colour":"green"}`, `unknown field "colour"`},
		{`{"name":"S1"} {}`, "more text after byte 13"},
		{`{"name":`, "unexpected EOF"},
		{`{"name":"S1"}`, `backend: found "", want one of ["sim" "real" "attach"]`},
	} {
		if _, err := Read[Evidence]([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: found %v, want %q", c.text, err, c.want)
		}
	}
}

func TestValidateEvidence(t *testing.T) {
	for _, c := range []struct {
		change func(*Evidence)
		want   string
	}{
		{func(e *Evidence) { e.Name = "" }, "name: is empty"},
		{func(e *Evidence) { e.Asked = "all" }, `asked: found "all"`},
		{func(e *Evidence) { e.Claims = nil }, "claims: there is none"},
		{claims("speed"), `claims[0]: found "speed"`},
		{func(e *Evidence) { e.Checkers = []string{""} }, "checkers[0]: is empty"},
		{budget(Budget{Hardening, 2, 10 * time.Second, 4, 3}), "budgets[1]: its budget is not above that of smoke"},
		{func(e *Evidence) { e.Budgets = append(e.Budgets, e.Budgets[0]) }, "budgets[2]: a second budget of smoke"},
		{exempt(ItemLoad), `exempt[0].item: found "load was produced throughout"`},
		{func(e *Evidence) { e.Exempt = []Exempt{{ItemAggregate, ""}} }, "exempt[0].reason: is empty"},
		{func(e *Evidence) { e.NotRun = "stopped" }, "it ran or it did not"},
		{func(e *Evidence) { e.Baseline.State = "good" }, "baseline.state"},
		{func(e *Evidence) { e.Grouping.Scope = "some" }, "grouping.scope"},
		{func(e *Evidence) { e.Needs = []Need{{}} }, "needs[0].name"},
		{func(e *Evidence) { e.Statistics = []Statistic{{"x", -1}} }, "statistics[0].repetitions: found -1"},
		{one(func(c *Cycle) { c.Tier = "" }), `cycles[1].tier: found ""`},
		{one(func(c *Cycle) { c.Duration = -1 }), "cycles[1].duration: found -1ns, want 0s at least"},
		{one(func(c *Cycle) { c.Windows[2].OK = -1 }), "cycles[1].windows[2].calls"},
		{one(func(c *Cycle) { c.Windows[2].Length = -1 }), "cycles[1].windows[2].length"},
		{one(func(c *Cycle) { c.Oracles[0].Saw = 101 }), "cycles[1].oracles[0].calls: found 100, want 101 at least"},
		{one(answers("fine", "")), "cycles[1].oracles[0].verdict"},
		{one(func(c *Cycle) { c.Oracles[0].Sees = "all" }), "cycles[1].oracles[0].sees"},
		{one(landing("landed")), "cycles[1].faults[0].landing"},
		{one(func(c *Cycle) { c.Faults[0].Injector, c.Faults[0].Victim = "", "" }), "want evidence at the injector or the victim"},
		{one(func(c *Cycle) { c.Faults[0].Origin = "plan" }), "cycles[1].faults[0].origin"},
		{one(func(c *Cycle) { c.Faults[0].Sides = "left" }), "cycles[1].faults[0].sides"},
		{one(anomaly(1, 2)), "cycles[1].anomalies[0].tried: found 1, want 2 at least"},
		{one(func(c *Cycle) { c.Timing = "clock" }), "cycles[1].timing"},
		{one(func(c *Cycle) { c.Recovery.State = "fine" }), "cycles[1].recovery.state"},
		{one(func(c *Cycle) { c.Recovery.After = -1 }), "cycles[1].recovery: found rates"},
		{one(func(c *Cycle) { c.Retries = "some" }), "cycles[1].retries"},
		{one(func(c *Cycle) { c.Timestamps = "utc" }), "cycles[1].timestamps"},
		{one(func(c *Cycle) { c.Controls.Positive = -1 }), "cycles[1].controls"},
		{one(func(c *Cycle) { c.Errors.Swallowed = -1 }), "cycles[1].errors"},
	} {
		e := hardened()
		c.change(&e)
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("found %v, want %q", err, c.want)
		}
	}
}

// A decision that was changed by hand is refused.
func TestValidateDecision(t *testing.T) {
	for _, c := range []struct {
		change func(*Decision)
		want   string
	}{
		{func(d *Decision) { d.Verdict = "PASS" }, `verdict: found "PASS"`},
		{func(d *Decision) { d.Reasons = nil }, "the first does not decide"},
		{func(d *Decision) { d.Reasons = append(d.Reasons, Reason{Caps, RuleSeeds, PassSmoke, ""}) }, "allows PASS-smoke at most"},
		{func(d *Decision) { d.TierMet = "" }, "want both"},
		{func(d *Decision) { d.TierMet = Smoke }, "hardening at least"},
		{func(d *Decision) { d.Measured.Seeds = 2 }, "hardening at least"},
		{func(d *Decision) { d.Measured.Faults = 0 }, "hardening at least"},
		{func(d *Decision) { d.Measured.Counted = 0 }, "want both"},
		{func(d *Decision) { d.Weak[2].Answer = ItemOpen }, "with an open item: health checks"},
		{func(d *Decision) { d.Green[2].Answer = ItemNone }, "green[2].name"},
		{func(d *Decision) { d.Green[2].Text = "" }, "green[2].text: is empty"},
		{func(d *Decision) { d.Green = d.Green[1:] }, "green: found 9 items, want 10"},
		{func(d *Decision) { d.TierMissing[0].Tier = "all" }, "tier_missing[0].tier"},
		{func(d *Decision) { d.Repeated = "maybe" }, "repeated"},
	} {
		d := decided(nil)
		c.change(&d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("found %v, want %q", err, c.want)
		}
	}
}

func TestValidateSession(t *testing.T) {
	for _, c := range []struct {
		s    SessionDecision
		want string
	}{
		{SessionDecision{Verdict: "OK"}, `verdict: found "OK"`},
		{SessionDecision{Verdict: SessionDone}, "want passes alone"},
		{SessionDecision{Verdict: SessionDone, Counts: []Count{{PassSmoke, 1}, {PartialModel, 1}}}, "want passes alone"},
		{SessionDecision{Verdict: SessionConcerns, Counts: []Count{{FailReproducible, 1}}}, "found DONE_WITH_CONCERNS with 1 of FAIL-reproducible"},
		{SessionDecision{Verdict: SessionInconclusive, Counts: []Count{{FailNondeterministic, 1}}}, "found 0 names there and in untried, want 1"},
		{SessionDecision{Verdict: SessionBlocked, Counts: []Count{{NotRun, 0}}}, "counts[0].count"},
	} {
		if err := c.s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("found %v, want %q", err, c.want)
		}
	}
}
