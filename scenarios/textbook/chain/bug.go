package chain

// Planted bugs.
const (
	bugDirtyRead   = "dirty-read"
	bugAckAtHead   = "ack-at-head"
	bugNoReadLease = "no-read-lease"
	bugStaleConfig = "stale-config"
	bugSplice      = "splice-loses"
	bugJoinsWhole  = "joins-whole"
	bugUnsynced    = "log-unsynced"
)
