package chain

import (
	"errors"
	"fmt"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"
)

// A message has entries of a server's log for its successor.
type message struct {
	Config  Config
	From    int // the index of the first
	Entries []kv.Op
	// All is set if these are the whole log: what the successor has beyond it was
	// never acknowledged.
	All bool
}

var errLate = errors.New("the config has changed")

// passUpTo passes entries on until the successor of a config holds so many of them.
func (s *server) passUpTo(config, size int) error {
	if err := s.passOn(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bug == bugSplice && s.passed >= size {
		return nil
	}
	if s.config.Num != config || s.passedIn != config || s.passed < size {
		return errLate // it may be passed on yet
	}
	return nil
}

// passOn passes all entries on that the successor may not have. When it returns
// without an error, all servers down the chain hold what this one held before.
func (s *server) passOn() error {
	s.pass.Lock()
	defer s.pass.Unlock()
	s.mu.Lock()
	m, to := s.message()
	s.mu.Unlock()
	if m.Config.place(s.self) < 0 || s.waits(m.Config) {
		return errLate
	}
	size := m.From + len(m.Entries)
	if to != "" && (len(m.Entries) > 0 || m.All) {
		if _, err := wire.Call[struct{}](to, "/append", m, callTimeout); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.passedIn = 0
			// No refusal even if err is one: it may take the entries later.
			return fmt.Errorf("the successor: %v", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed, s.passedIn = size, m.Config.Num
	return nil
}

// waits reports whether this server has not received its predecessor's log yet.
func (s *server) waits(c Config) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole != c.Num
}

// message is what the successor may not have, and who it is. A new one gets all.
func (s *server) message() (m message, to wire.Addr) {
	m.Config = s.config.clone()
	if s.passedIn == s.config.Num {
		m.From = s.passed
	} else if s.bug == bugSplice && s.passed > 0 {
		m.From, m.All = s.log.len(), true
	} else {
		m.All = true
	}
	m.Entries = s.log.from(m.From)
	return m, s.config.next(s.self)
}

// append takes entries of the predecessor, and answers once all down the chain hold
// them.
func (s *server) append(m message) (struct{}, error) {
	config, err := s.take(m)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, s.passUpTo(config, m.From+len(m.Entries))
}

func (s *server) take(m message) (config int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.adopt(m.Config)
	if m.Config.Num != s.config.Num && s.bug != bugStaleConfig {
		return 0, wire.Refuse("config %d is over: %s knows %d", m.Config.Num, s.self, s.config.Num)
	}
	if m.All && s.whole != s.config.Num {
		if m.From == 0 {
			s.log.reset(m.Entries)
		}
		s.whole = s.config.Num
		return s.config.Num, nil
	}
	if s.whole != s.config.Num || m.From > s.log.len() && s.bug != bugSplice {
		return 0, wire.Refuse("%s holds %d entries, and needs those before %d", s.self, s.log.len(), m.From)
	}
	if skip := s.log.len() - m.From; skip < len(m.Entries) {
		s.log.extend(m.Entries[max(0, skip):])
	}
	return s.config.Num, nil
}
