package sim

import (
	"cmp"
	"slices"
)

// levels is what faults set on things, such as the loss of a link. Of several
// faults that are on at once the strongest counts, so that they may end in any
// order, and one of magnitude zero changes nothing.
type levels[K comparable, V cmp.Ordered] map[K][]*V

// raise adds a fault's level to a thing, and returns what takes it away. apply
// sets the level that counts, the zero value if there is none.
func (l levels[K, V]) raise(of K, level V, apply func(V)) (undo func()) {
	mine := &level
	l[of] = append(l[of], mine)
	apply(l.top(of))
	return func() {
		i := slices.Index(l[of], mine)
		l[of] = slices.Delete(l[of], i, i+1)
		apply(l.top(of))
	}
}

func (l levels[K, V]) top(of K) (most V) {
	for _, v := range l[of] {
		most = max(most, *v)
	}
	return most
}
