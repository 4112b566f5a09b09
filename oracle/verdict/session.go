package verdict

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

// Exit is how the command ends.
type Exit struct {
	Status int    `json:"status"` // 0, 1 or 3
	Text   string `json:"text"`   // why, one line
}
