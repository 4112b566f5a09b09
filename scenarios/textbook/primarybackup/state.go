package primarybackup

import "maps"

// state is the data of a replica.
type state struct {
	Seq  int // of the last entry
	View int // in which it was copied from a primary
	Data map[string]string
}

// An entry of the log sets a key, or the whole state.
type entry struct {
	Seq        int
	Key, Value string
	State      *state `json:",omitempty"`
}

func (s *state) apply(e entry) {
	if e.State != nil {
		*s = e.State.clone()
		return
	}
	if s.Data == nil {
		s.Data = map[string]string{}
	}
	s.Seq = e.Seq
	s.Data[e.Key] = e.Value
}

func (s *state) clone() state { return state{s.Seq, s.View, maps.Clone(s.Data)} }
