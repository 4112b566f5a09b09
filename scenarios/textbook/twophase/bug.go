package twophase

// Planted bugs.
const (
	bugVoteUnsynced   = "vote-unsynced"
	bugDecisionAfter  = "decision-after-telling"
	bugUnilateral     = "unilateral-abort"
	bugPresumeCommit  = "presume-commit"
	bugLocksForgotten = "locks-forgotten"
	bugPendingAbort   = "pending-is-abort"
	bugCommitTwice    = "commit-twice"
	bugReadSkew       = "read-skew"
)

func (p *participant) readsUnlocked(m Move) bool { return p.bug == bugReadSkew && m.Amount == 0 }
