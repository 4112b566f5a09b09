package shrink

import (
	"slices"

	"github.com/orrery-sim/orrery/sim/run"
)

// least goes down from all of n items to few that still fail: delta debugging
// (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002).
// build makes the request with some of the items, which are given in order. Without
// any one of the items that are left, the failure does not come back. That with all
// of them is known to fail, as the smallest request so far.
func (s *search) least(n int, build func(keep []int) run.Request) ([]int, error) {
	keep := make([]int, n)
	for i := range keep {
		keep[i] = i
	}
	if n == 0 {
		return keep, nil
	}
	if fails, err := s.fails(build(nil)); err != nil || fails {
		return nil, err
	}
	parts := min(2, n)
	for n := len(keep); n >= 2; n = len(keep) {
		i, err := s.first(divisions(parts), func(i int) run.Request { return build(divided(keep, parts, i)) })
		switch {
		case err != nil:
			return keep, err
		case i < 0 && parts >= n:
			return keep, nil
		case i < 0:
			parts = min(2*parts, n)
		case i < parts:
			keep, parts = divided(keep, parts, i), 2
		default:
			keep, parts = divided(keep, parts, i), max(parts-1, 2)
		}
	}
	return keep, nil
}

// divisions is how many lists come of dividing one into parts: the parts, and the
// list without each; of two parts these are the same.
func divisions(parts int) int {
	if parts == 2 {
		return parts
	}
	return 2 * parts
}

// divided returns division i of a list.
func divided(list []int, parts, i int) []int {
	lo, hi := i%parts*len(list)/parts, (i%parts+1)*len(list)/parts
	if i < parts {
		return slices.Clone(list[lo:hi])
	}
	return slices.Concat(list[:lo], list[hi:])
}
