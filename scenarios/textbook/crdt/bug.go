package crdt

// Planted bugs.
const (
	bugMergeSum      = "merge-sum"
	bugMergeNet      = "merge-net"
	bugAddUnsynced   = "add-unsynced"
	bugMergeUnsynced = "merge-unsynced"
	bugNoAcks        = "no-acks"
	bugAddRetried    = "add-retried"
	bugAddRace       = "add-race"
)

// merge is Slot.merge, but for the bugs.
func (r *replica) merge(mine, other Slot) Slot {
	switch {
	case r.bug == bugMergeSum && mine != other:
		return Slot{mine.Up + other.Up, mine.Down + other.Down}
	case r.bug == bugMergeNet && other.Up-other.Down > mine.Up-mine.Down:
		return other
	case r.bug == bugMergeNet:
		return mine
	}
	return mine.merge(other)
}
