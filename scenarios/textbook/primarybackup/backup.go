package primarybackup

import "github.com/orrery-sim/orrery/scenarios/internal/wire"

// A message is from the primary of a view to its backup: the whole state, or the
// next entry, or neither to ask whether the view still holds.
type message struct {
	View  View
	Entry *entry `json:",omitempty"`
	State *state `json:",omitempty"`
}

// forward takes the next entry of the primary of this server's view.
func (s *server) forward(m message) (struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(m.View); err != nil && s.bug != bugStaleView {
		return struct{}{}, err
	}
	if s.state.View != m.View.Num && s.bug != bugStaleView {
		return struct{}{}, wire.Refuse("%s has no copy of view %d", s.self, m.View.Num)
	}
	if m.Entry == nil {
		return struct{}{}, nil
	}
	if m.Entry.Seq != s.state.Seq+1 {
		return struct{}{}, wire.Refuse("entry %d follows %d", m.Entry.Seq, s.state.Seq)
	}
	s.append(*m.Entry)
	return struct{}{}, nil
}

// copy takes the primary's whole state. Within one view a state that is older than
// ours was long on its way, and must not undo what came since.
func (s *server) copy(m message) (struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(m.View); err != nil {
		return struct{}{}, err
	}
	if s.state.View == m.View.Num && m.State.Seq < s.state.Seq {
		return struct{}{}, wire.Refuse("state %d is older than %d", m.State.Seq, s.state.Seq)
	}
	m.State.View = m.View.Num
	s.append(entry{State: m.State})
	return struct{}{}, nil
}

// follow checks that a message is of the view in which this server is the backup.
func (s *server) follow(v View) error {
	s.adopt(v)
	if s.view != v || v.Backup != s.self {
		return wire.Refuse("view %d is over: %s knows %d", v.Num, s.self, s.view.Num)
	}
	return nil
}
