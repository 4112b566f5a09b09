package verdict

import "fmt"

// SessionVerdict is what all scenarios of a session come to.
type SessionVerdict string

// The verdicts of a session.
const (
	SessionFail         SessionVerdict = "FAIL"               // a reproducible failure
	SessionConcerns     SessionVerdict = "DONE_WITH_CONCERNS" // passes beside something that is none, or that leaves a question
	SessionDone         SessionVerdict = "DONE"               // all pass, with every audit item answered
	SessionInconclusive SessionVerdict = "INCONCLUSIVE"       // there is no pass
	SessionBlocked      SessionVerdict = "BLOCKED"            // nothing ran
)

// SessionVerdicts are all of them.
var SessionVerdicts = []SessionVerdict{SessionFail, SessionConcerns, SessionDone, SessionInconclusive, SessionBlocked}

// SessionDecision is the verdict of a session and what it stands on.
type SessionDecision struct {
	Verdict SessionVerdict `json:"verdict"`
	Reasons []string       `json:"reasons"` // one for each scenario that keeps it from DONE, in order
	Counts  []Count        `json:"counts"`  // of verdicts that occur, from the worst

	// Of the scenarios that are FAIL-nondeterministic, by name: those whose failure was
	// tried again and did not come back, and those for which nobody tried.

	StayedAway []string `json:"stayed_away,omitempty"`
	Untried    []string `json:"untried,omitempty"`
}

// Count is how many scenarios came to a verdict.
type Count struct {
	Verdict Verdict `json:"verdict"`
	Count   int     `json:"count"`
}

// Session is the verdict on a session from those on its scenarios.
func Session(decisions []Decision) SessionDecision {
	s := SessionDecision{Reasons: []string{}, Counts: counts(decisions)}
	ran, passed := false, false
	for _, d := range decisions {
		ran = ran || d.ran()
		passed = passed || d.Verdict.Pass()
		if why := d.concern(); why != "" {
			s.Reasons = append(s.Reasons, fmt.Sprintf("%s: %s: %s", d.Name, d.Title(), why))
		}
		switch {
		case d.Verdict != FailNondeterministic:
		case d.Repeated == StayedAway:
			s.StayedAway = append(s.StayedAway, d.Name)
		default:
			s.Untried = append(s.Untried, d.Name)
		}
	}
	switch {
	case s.count(FailReproducible) > 0:
		s.Verdict = SessionFail
	case !ran:
		s.Verdict = SessionBlocked
	case !passed:
		s.Verdict = SessionInconclusive
	case len(s.Reasons) > 0:
		s.Verdict = SessionConcerns
	default:
		s.Verdict = SessionDone
	}
	return s
}

// ran reports whether anything of a scenario ran. A verdict other than these two says so.
func (d Decision) ran() bool {
	return d.Measured.Cycles > 0 || d.Verdict != NotRun && d.Verdict != InconclusiveEnv
}

// concern says what keeps a session with this scenario from DONE; "" is nothing.
func (d Decision) concern() string {
	open := d.Open()
	switch {
	case !d.Verdict.Pass() && len(d.Reasons) > 0:
		return fmt.Sprintf("%s: %s", d.Reasons[0].Rule, d.Reasons[0].Text)
	case !d.Verdict.Pass():
		return "no reason given"
	case len(open) > 0:
		names := make([]string, len(open))
		for i, it := range open {
			names[i] = it.Name
		}
		return fmt.Sprintf("%s open: %s", counted(len(open), "audit item"), listed(names))
	case d.TierMet.rank() < d.Asked.rank():
		return fmt.Sprintf("the %s tier was asked for, and %s met", d.Asked, d.TierMet)
	case d.Asked.rank() >= Hardening.rank() && d.Verdict != PassHardening:
		return fmt.Sprintf("the %s tier was asked for, and a cap applies", d.Asked)
	}
	return ""
}

func counts(decisions []Decision) []Count {
	out := []Count{}
	for _, v := range Verdicts {
		n := 0
		for _, d := range decisions {
			if d.Verdict == v {
				n++
			}
		}
		if n > 0 {
			out = append(out, Count{v, n})
		}
	}
	return out
}

func (s SessionDecision) count(v Verdict) int {
	for _, c := range s.Counts {
		if c.Verdict == v {
			return c.Count
		}
	}
	return 0
}
