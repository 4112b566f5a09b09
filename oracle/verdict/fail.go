package verdict

import (
	"fmt"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// seen is an anomaly and where it was seen.
type seen struct {
	Anomaly
	cycle Cycle
}

func (s seen) String() string {
	text := fmt.Sprintf("%s: %s: %s; ", s.cycle.name(), s.Oracle, orNone(s.Message))
	switch s.Repeated() {
	case NotTried:
		return text + "nobody tried to see it again"
	case StayedAway:
		return text + fmt.Sprintf("did not come back in %s of the same seed and faults", counted(s.Tried, "run"))
	}
	return text + fmt.Sprintf("came back in %d of %s of the same seed and faults", s.CameBack, counted(s.Tried, "run"))
}

// anomalies are all that were seen. A violation that an oracle told and that nobody
// wrote down as an anomaly is one, whichever oracle it was.
func (e *Evidence) anomalies() (out []seen) {
	for _, c := range e.Cycles {
		told := map[string]bool{}
		for _, a := range c.Anomalies {
			told[a.Oracle] = true
			out = append(out, seen{a, c})
		}
		for _, o := range c.Oracles {
			if o.Verdict == outcome.Violation && !told[o.Name] {
				out = append(out, seen{Anomaly{Oracle: o.Name, Message: o.Reason}, c})
			}
		}
	}
	return out
}

func (j *judge) fail() bool {
	all := j.e.anomalies()
	if len(all) == 0 {
		return false
	}
	by := map[Repetition][]string{}
	for _, s := range all {
		by[s.Repeated()] = append(by[s.Repeated()], s.String())
	}
	switch {
	case len(by[CameBack]) > 0:
		j.Repeated = CameBack
		j.decides(FailReproducible, RuleFail, listed(by[CameBack]))
	case len(by[NotTried]) > 0: // it counts before one that stayed away: it may come back
		j.Repeated = NotTried
		j.decides(FailNondeterministic, RuleFail, listed(by[NotTried]))
	default:
		j.Repeated = StayedAway
		j.decides(FailNondeterministic, RuleFail, listed(by[StayedAway]))
	}
	for _, r := range []Repetition{NotTried, StayedAway} {
		if r != j.Repeated && len(by[r]) > 0 {
			j.notes(RuleFail, listed(by[r]))
		}
	}
	j.notTheCause(all)
	return true
}

// notTheCause tells the faults of failing cycles that are not proven to have landed.
// The failure stands: it needed none of them.
func (j *judge) notTheCause(all []seen) {
	done := map[string]bool{}
	for _, s := range all {
		for _, f := range s.cycle.Faults {
			text := fmt.Sprintf("%s: %s: it is not the cause of the failure", s.cycle.name(), f.unproven())
			if !f.Landed() && !done[text] {
				done[text] = true
				j.notes(RuleFault, text)
			}
		}
	}
}
