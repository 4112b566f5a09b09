package run

import (
	"fmt"
	"strconv"
	"strings"
)

// Seeds is an ordered list of seeds, as ranges that are never expanded.
type Seeds struct {
	ranges []seedRange
	index  uint64 // of the first seed, and the step to the next: for a shard
	step   uint64
}

type seedRange struct{ first, last uint64 }

// ParseSeeds reads "1-1000" or "1,7,10-99".
func ParseSeeds(text string) (Seeds, error) {
	s := Seeds{step: 1}
	column := 1
	for part := range strings.SplitSeq(text, ",") {
		r, err := parseRange(part)
		if err != nil {
			return Seeds{}, fmt.Errorf("seeds %q: column %d: found %q, want %w", text, column, part, err)
		}
		s.ranges = append(s.ranges, r)
		column += len(part) + 1
	}
	if s.total() == 0 {
		return Seeds{}, fmt.Errorf("seeds %q: more than 2^64 seeds: give a smaller range", text)
	}
	return s, nil
}

func parseRange(part string) (seedRange, error) {
	first, last, isRange := strings.Cut(part, "-")
	a, err := strconv.ParseUint(first, 10, 64)
	if err != nil {
		return seedRange{}, fmt.Errorf("a seed or a range, as in 1-1000")
	}
	if !isRange {
		return seedRange{a, a}, nil
	}
	b, err := strconv.ParseUint(last, 10, 64)
	if err != nil {
		return seedRange{}, fmt.Errorf("a seed or a range, as in 1-1000")
	}
	if b < a || b-a == 1<<64-1 {
		return seedRange{}, fmt.Errorf("a range whose end is not before its start")
	}
	return seedRange{a, b}, nil
}

// total is how many seeds there are before sharding; 0 if they overflow.
func (s Seeds) total() (n uint64) {
	for _, r := range s.ranges {
		size := r.last - r.first + 1
		if n+size < n {
			return 0
		}
		n += size
	}
	return n
}

// Len returns how many seeds there are.
func (s Seeds) Len() uint64 {
	n := s.total()
	if n <= s.index {
		return 0
	}
	return (n-s.index-1)/s.step + 1
}

// At returns the i-th seed, from 0; i must be below Len.
func (s Seeds) At(i uint64) uint64 {
	i = s.index + i*s.step
	for _, r := range s.ranges {
		size := r.last - r.first + 1
		if i < size {
			return r.first + i
		}
		i -= size
	}
	panic("run: no seed of that index")
}

// Shard returns every n-th seed, from the i-th on, i from 1 to n.
func (s Seeds) Shard(i, n uint64) (Seeds, error) {
	if n == 0 || i == 0 || i > n {
		return Seeds{}, fmt.Errorf("shard %d/%d: want I/N with I from 1 to N", i, n)
	}
	s.index += (i - 1) * s.step
	s.step *= n
	return s, nil
}
