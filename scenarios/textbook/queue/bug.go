package queue

import "time"

// Planted bugs.
const (
	bugSendUnsynced   = "send-unsynced"
	bugSeqReused      = "seq-reused"
	bugShortWindow    = "short-window"
	bugRetryNewID     = "retry-new-id"
	bugAckFirst       = "ack-first"
	bugErrorDropped   = "error-dropped"
	bugDedupInMemory  = "dedup-in-memory"
	bugRenameUnsynced = "rename-unsynced"
	bugDedupRace      = "dedup-race"
)

// lastWaiting is the newest Seq that is not acknowledged: older ones were forgotten.
func (b *broker) lastWaiting() (last int) {
	for _, d := range b.waiting {
		last = d.Seq
	}
	return last
}

// askOthers lets mu go for as long as a call to another service takes.
func (s *sink) askOthers() {
	s.mu.Unlock()
	defer s.mu.Lock()
	time.Sleep(callTimeout / 4)
}
