package verdict

import "fmt"

// Exit is how the command ends.
type Exit struct {
	Status int    `json:"status"` // 0, 1 or 3
	Text   string `json:"text"`   // why, one line
}

// The statuses.
const (
	exitDone      = 0
	exitFail      = 1
	exitNoVerdict = 3
)

// ExitStatus is how a command that ran a session ends: 1 for any failure, 3 for whatever
// is inconclusive, partial or blocked, 0 for [SessionDone] alone. In a simulation the same
// seed gives the same run: a failure that was tried again and did not come back is a fault
// of the engine, and no verdict on the system: 3.
func ExitStatus(s SessionDecision, b Backend) Exit {
	stayed := listed(s.StayedAway)
	switch {
	case s.Verdict == SessionFail || s.count(FailReproducible) > 0:
		return Exit{exitFail, fmt.Sprintf("%s: %s failed, and the failure comes back", s.Verdict, counted(s.count(FailReproducible), "scenario"))}
	case len(s.Untried) > 0:
		return Exit{exitFail, fmt.Sprintf("%s: failed, and nobody tried to see it again: %s", s.Verdict, listed(s.Untried))}
	case len(s.StayedAway) > 0 && b == Sim:
		return Exit{exitNoVerdict, fmt.Sprintf("%s: a failure did not come back on the same seed, which is a fault of the engine, not of the system: %s", s.Verdict, stayed)}
	case len(s.StayedAway) > 0 || s.count(FailNondeterministic) > 0:
		return Exit{exitFail, fmt.Sprintf("%s: failed, and did not come back: %s", s.Verdict, stayed)}
	case s.Verdict == SessionDone:
		return Exit{exitDone, fmt.Sprintf("%s: all scenarios pass, with every audit item answered", s.Verdict)}
	}
	return Exit{exitNoVerdict, fmt.Sprintf("%s: %s", s.Verdict, orNone(listed(s.Reasons)))}
}
