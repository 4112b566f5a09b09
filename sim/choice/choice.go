// Package choice draws every random decision of a run.
//
// A choice is a pure function of the run's seed, the stream that draws it and
// how many choices that stream drew before: there is no state that one drawer
// could shift for another. Streams are named by who draws: "net/n1>n2",
// "disk/n1", "fault", "client/c1", "sched/n1/0.2", "rand/n1/0.2".
//
// Zero is dull: every choice is drawn so that 0 is its neutral value (first in
// first out, the least delay, no fault). A run is its seed and a sparse set of
// overrides.
package choice

import (
	"math/bits"
	"slices"
	"time"
)

// Override replaces one choice: the Index-th (from 0) that Stream draws is Value.
type Override struct {
	Stream string `json:"stream"`
	Index  uint64 `json:"index"`
	Value  uint64 `json:"value"`
}

// Source makes the streams of one run. It is not safe for concurrent use: inside
// a world one goroutine runs at a time.
type Source struct {
	seed   uint64
	over   []Keyed
	dull   []Key // of the names that Neutral was given
	alive  bool  // they draw again
	record func(Choice)
}

// Choice is one drawn decision. Value is below Bound; a Bound of 0 stands for 2^64.
type Choice struct {
	Stream string
	Key    Key // of the stream
	Index  uint64
	Bound  uint64
	Value  uint64
}

// New returns the source of a run: its seed and what is overridden in it.
func New(seed uint64, overrides ...Override) *Source { return NewKeyed(seed, ByKey(overrides)) }

// NewKeyed is [New] for overrides as [ByKey] makes them, which it keeps.
func NewKeyed(seed uint64, overrides []Keyed) *Source {
	return &Source{seed: seed, over: overrides}
}

// Redirect replaces the seed and the overrides, as [ByKey] makes them, for every
// choice that is drawn from now on: streams go on at the indices that they are at.
func (s *Source) Redirect(seed uint64, overrides []Keyed) { s.seed, s.over = seed, overrides }

// Enliven has streams that are neutral, but for those of [Source.NeutralStream], draw
// from now on as others do.
func (s *Source) Enliven() { s.alive = true }

// Neutral has the streams that are made from now on draw 0 wherever nothing is
// overridden, if their names, or the first parts of them, have one of these keys:
// that of "net" stands for all links, that of "net/n1>n2" for one.
func (s *Source) Neutral(names []Key) { s.dull = names }

func (s *Source) isNeutral(name string) bool {
	if len(s.dull) == 0 {
		return false
	}
	for i := range name {
		if name[i] == '/' && slices.Contains(s.dull, NameKey(name[:i])) {
			return true
		}
	}
	return slices.Contains(s.dull, NameKey(name))
}

// Record has f called with every choice drawn from now on; nil stops it.
func (s *Source) Record(f func(Choice)) { s.record = f }

// Seed returns the run's seed.
func (s *Source) Seed() uint64 { return s.seed }

// Stream returns a new stream of that name, at its first choice. Two streams of
// one name draw the same choices.
func (s *Source) Stream(name string) *Stream {
	return &Stream{src: s, name: name, key: KeyOf(name), dull: s.isNeutral(name)}
}

// NeutralStream returns a new stream that draws 0 wherever nothing is overridden:
// for what no seed does.
func (s *Source) NeutralStream(name string) *Stream {
	t := s.Stream(name)
	t.still = true
	return t
}

// Stream draws the choices of one drawer.
type Stream struct {
	src   *Source
	name  string
	key   Key
	next  uint64
	dull  bool // it draws 0, unless the source is enlivened
	still bool // it draws 0
}

// Name returns the name the stream was made with.
func (t *Stream) Name() string { return t.name }

// Draw returns the stream's next choice, uniform in [0, bound); a bound of 0
// stands for 2^64. An override at or above bound counts as bound-1.
func (t *Stream) Draw(bound uint64) uint64 {
	i := t.next
	t.next++
	v := uint64(0)
	if !t.still && (!t.dull || t.src.alive) {
		v = At(t.src.seed, t.key, i)
	}
	if bound != 0 {
		v, _ = bits.Mul64(v, bound)
	}
	if len(t.src.over) != 0 {
		if o, ok := find(t.src.over, t.key, i); ok {
			v = o
			if bound != 0 {
				v = min(v, bound-1)
			}
		}
	}
	if t.src.record != nil {
		t.src.record(Choice{t.name, t.key, i, bound, v})
	}
	return v
}

// Intn returns a choice in [0, n); it panics if n is not positive.
func (t *Stream) Intn(n int) int {
	if n <= 0 {
		panic("choice: Intn of a bound that is not positive")
	}
	return int(t.Draw(uint64(n)))
}

// Between returns a duration in [least, most], least being the neutral one.
func (t *Stream) Between(least, most time.Duration) time.Duration {
	if most <= least {
		return least
	}
	return least + time.Duration(t.Draw(uint64(most-least)+1))
}

// parts is the resolution of Chance: one in a million.
const parts = 1_000_000

// Chance reports true with probability p, in steps of one in a million; the
// neutral choice is false. A choice is drawn for every p, so that a change of p
// moves no later choice.
func (t *Stream) Chance(p float64) bool {
	v := t.Draw(parts)
	return v >= parts-uint64(min(max(p, 0), 1)*parts)
}
