package kv

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"sync"

	"github.com/hashicorp/raft"
)

// A result is what a command found and did.
type result struct {
	value   string // before the command
	found   bool
	swapped bool
}

// A store is the replicated state: raft's FSM.
type store struct {
	mu     sync.RWMutex
	values map[string]string
	// Term of the last command applied since this process started, or 0. Once
	// it is the leader's own term, everything that earlier leaders committed
	// has been applied here.
	term uint64
}

func newStore() *store { return &store{values: make(map[string]string)} }

// Apply returns a result. A command that cannot be read would leave the
// replicas apart, so it ends the process.
func (s *store) Apply(entry *raft.Log) any {
	cmd, err := decodeCommand(entry.Data)
	if err != nil {
		panic(fmt.Sprintf("kv: entry %d of term %d: %v", entry.Index, entry.Term, err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.term = entry.Term
	return s.apply(cmd)
}

func (s *store) apply(cmd command) result {
	var res result
	res.value, res.found = s.values[cmd.key]
	switch cmd.op {
	case opPut:
		s.values[cmd.key] = cmd.new
	case opCAS:
		if res.value == cmd.old {
			s.values[cmd.key] = cmd.new
			res.swapped = true
		}
	}
	return res
}

func (s *store) get(key string) result {
	s.mu.RLock()
	defer s.mu.RUnlock()
	value, found := s.values[key]
	return result{value: value, found: found}
}

func (s *store) lastTerm() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.term
}

func (s *store) Snapshot() (raft.FSMSnapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return snapshot(maps.Clone(s.values)), nil
}

func (s *store) Restore(r io.ReadCloser) error {
	values := make(map[string]string)
	if err := json.NewDecoder(r).Decode(&values); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = values
	s.term = 0
	return nil
}

// A snapshot is written as one JSON object, its keys sorted.
type snapshot map[string]string

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if err := json.NewEncoder(sink).Encode(s); err != nil {
		sink.Cancel()
		return err
	}
	return sink.Close()
}

func (snapshot) Release() {}
