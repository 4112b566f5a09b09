package primarybackup

import "github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"

// Planted bugs.
const (
	bugAckFirst     = "ack-before-replication"
	bugStaleView    = "stale-view"
	bugLocalRead    = "local-read"
	bugUnclean      = "unclean-election"
	bugReadAtBackup = "read-at-backup"
	bugCASRace      = "cas-race"
)

// casUnlocked compares before it takes its turn: another may change the value in
// between.
func (s *server) casUnlocked(op kv.Op) (kv.Result, error) {
	before := s.read(op.Key)
	if before.Value != op.Old {
		s.ops.Lock()
		defer s.ops.Unlock()
		return s.doLocked(op)
	}
	s.ops.Lock()
	defer s.ops.Unlock()
	_, err := s.doLocked(kv.Op{Type: "put", Key: op.Key, Value: op.Value})
	return kv.Result{Value: before.Value, Done: true}, err
}

// readsAlone reports whether this server answers a read without asking another.
func (s *server) readsAlone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.bug {
	case bugLocalRead:
		return s.view.Primary == s.self
	case bugReadAtBackup:
		return s.view.Backup == s.self
	}
	return false
}
