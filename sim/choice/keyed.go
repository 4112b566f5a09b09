package choice

import (
	"cmp"
	"slices"
)

// Keyed is an [Override] by the key of its stream, as runs look it up.
type Keyed struct {
	Key   Key
	Index uint64
	Value uint64
}

// ByKey returns overrides in the order of their keys and indices, one for each
// choice: of several for one choice the last.
func ByKey(overrides []Override) []Keyed {
	out := make([]Keyed, 0, len(overrides))
	for _, o := range slices.Backward(overrides) {
		out = append(out, Keyed{KeyOf(o.Stream), o.Index, o.Value})
	}
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Keyed) bool { return compare(a, b) == 0 })
}

func compare(a, b Keyed) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index))
}

// find returns the value that replaces a choice, in a list as [ByKey] makes it.
func find(list []Keyed, key Key, index uint64) (uint64, bool) {
	i, ok := slices.BinarySearchFunc(list, Keyed{key, index, 0}, compare)
	if !ok {
		return 0, false
	}
	return list[i].Value, true
}
