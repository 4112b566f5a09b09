package shrink

import (
	"math/bits"
	"slices"

	"github.com/orrery-sim/orrery/sim/run"
)

// lower makes the values of overridden choices smaller that cannot be neutral: the
// fewest of their low bits, since much of what is drawn looks at those alone, then by
// halves between what fails and what does not.
func (s *search) lower(is func(stream string) bool) error {
	for i := range s.req.Overrides {
		if o := s.req.Overrides[i]; o.Value == 0 || !is(o.Stream) {
			continue
		}
		if err := s.lowerOne(i); err != nil {
			return err
		}
	}
	return nil
}

// lowerGrain is how exact a value is made: to the unit below 2 to this power, above
// it to so small a part.
const lowerGrain = 12

func (s *search) lowerOne(i int) error {
	valued := func(v uint64) run.Request {
		req := s.req
		req.Overrides = slices.Clone(req.Overrides)
		req.Overrides[i].Value = v
		return req
	}
	value, last := s.req.Overrides[i].Value, uint64(0)
	var candidates []run.Request
	for k := 1; k < bits.Len64(value); k++ {
		if low := value & (1<<k - 1); low != last {
			candidates, last = append(candidates, valued(low)), low
		}
	}
	if _, err := s.firstOf(candidates); err != nil {
		return err
	}
	fails, passes := s.req.Overrides[i].Value, uint64(0)
	for fails-passes > max(1, fails>>lowerGrain) {
		middle := passes + (fails-passes)/2
		smaller, err := s.fails(valued(middle))
		if err != nil {
			return err
		}
		if smaller {
			fails = middle
		} else {
			passes = middle
		}
	}
	return nil
}
