package verdict

import (
	"strings"
	"testing"
)

// stayed is a FAIL-nondeterministic whose failure was tried again, and untried one that was not.
func stayed() Decision  { return decided(one(anomaly(2, 0))) }
func untried() Decision { return decided(one(anomaly(0, 0))) }

func TestSession(t *testing.T) {
	is := func(v Verdict) Decision { return arm(t, "S", v) }
	smokeAsked := decided(func(e *Evidence) { e.Asked = Smoke })
	releaseAsked := decided(func(e *Evidence) { e.Asked = Release; e.Exempt = nil })
	smokeClean := decided(all(func(e *Evidence) { e.Budgets, e.Asked = e.Budgets[:1], Smoke }, each(func(c *Cycle) { c.Tier = Smoke })))
	capped := decided(func(e *Evidence) { noFaults(&e.Cycles[0]); noFaults(&e.Cycles[1]) })
	for _, c := range []struct {
		name      string
		of        []Decision
		want      SessionVerdict
		sim, real int
		text      string // in the exit's text, in a simulation
	}{
		{"all pass", []Decision{is(PassHardening), smokeAsked}, SessionDone, 0, 0, "all scenarios pass"},
		{"a clean smoke that was asked for", []Decision{smokeClean}, SessionDone, 0, 0, "all scenarios pass"},
		{"a smoke for which hardening was asked", []Decision{is(PassHardening), is(PassSmoke)}, SessionConcerns, 3, 3, "DONE_WITH_CONCERNS"},
		{"a cap", []Decision{capped}, SessionConcerns, 3, 3, "a cap applies"},
		{"release asked for", []Decision{releaseAsked}, SessionConcerns, 3, 3, ""},
		{"an open item", []Decision{decided(one(func(c *Cycle) { c.Retries = "" }))}, SessionConcerns, 3, 3, "1 audit item open: hidden client retries"},
		{"reproducible", []Decision{is(PassHardening), is(FailReproducible)}, SessionFail, 1, 1, "1 scenario failed, and the failure comes back"},
		{"passes beside partial", []Decision{is(PassHardening), is(PartialModel)}, SessionConcerns, 3, 3, "S: PARTIAL-model"},
		{"passes beside surface", []Decision{is(PassHardening), is(PartialSurface)}, SessionConcerns, 3, 3, ""},
		{"passes beside inconclusive", []Decision{is(InconclusiveEnv), is(PassHardening)}, SessionConcerns, 3, 3, ""},
		{"passes beside not run", []Decision{is(NotRun), is(PassHardening)}, SessionConcerns, 3, 3, ""},
		{"passes beside one that stays away", []Decision{stayed(), is(PassHardening)}, SessionConcerns, 3, 1, "fault of the engine, not of the system: S1"},
		{"passes beside one that nobody tried", []Decision{untried(), is(PassHardening)}, SessionConcerns, 1, 1, "nobody tried"},
		{"one that stays away, alone", []Decision{stayed()}, SessionInconclusive, 3, 1, "fault of the engine"},
		{"one that stays away, and one that comes back", []Decision{stayed(), is(FailReproducible)}, SessionFail, 1, 1, ""},
		{"inconclusive", []Decision{is(InconclusiveFault), is(InconclusiveTooWeak)}, SessionInconclusive, 3, 3, "INCONCLUSIVE"},
		{"partial", []Decision{is(PartialModel)}, SessionInconclusive, 3, 3, ""},
		{"nothing ran", []Decision{is(NotRun), is(InconclusiveEnv)}, SessionBlocked, 3, 3, "BLOCKED"},
		{"no scenario", nil, SessionBlocked, 3, 3, "BLOCKED"},
		{"no verdict", []Decision{{Name: "S", Verdict: "green"}, is(PassHardening)}, SessionConcerns, 3, 3, ""},
	} {
		s := Session(c.of)
		if s.Verdict != c.want {
			t.Errorf("%s: found %s, want %s: %v", c.name, s.Verdict, c.want, s.Reasons)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		sim := ExitStatus(s, Sim)
		if sim.Status != c.sim || !strings.Contains(sim.Text, c.text) {
			t.Errorf("%s: in a simulation found %+v, want %d: %q", c.name, sim, c.sim, c.text)
		}
		for _, b := range []Backend{Real, Attach} {
			if exit := ExitStatus(s, b); exit.Status != c.real || strings.Contains(exit.Text, "engine") {
				t.Errorf("%s: on %s found %+v, want %d", c.name, b, exit, c.real)
			}
		}
		if (sim.Status == 0) != (s.Verdict == SessionDone) {
			t.Errorf("%s: %s ends with %d", c.name, s.Verdict, sim.Status)
		}
	}
}

func TestSessionCounts(t *testing.T) {
	s := Session([]Decision{arm(t, "a", PassSmoke), arm(t, "b", FailReproducible), arm(t, "c", PassSmoke)})
	if len(s.Counts) != 2 || s.Counts[0] != (Count{FailReproducible, 1}) || s.Counts[1] != (Count{PassSmoke, 2}) {
		t.Errorf("found %v, want them from the worst", s.Counts)
	}
}
