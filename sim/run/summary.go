package run

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Summary is what a sweep saw. All but Wall is the same however many workers
// there were.
type Summary struct {
	Scenario    string
	Seeds       uint64             // that were run
	Verdicts    map[Verdict]uint64 // seeds by verdict
	Virtual     int64              // nanoseconds, all runs together, at most 292 years
	Calls       uint64             // system calls
	Steps       uint64
	Events      uint64
	Ops         Ops
	Faults      []FaultCount // by kind
	Unsupported []Unsupported
	Warnings    []string  // different ones, at most warningsMax of them
	Buckets     []Bucket  // failures by signature, in the order of their first seeds
	Known       []Known   // what was said to be known
	Findings    []Tracked // the folder's of the scenario, if there is one
	Troubles    []Item    // runs without a verdict, at most troublesMax of them
	Verified    uint64    // seeds that were run twice
	MaxVacuous  float64
	Interrupted bool // it was stopped before its last seed
	Wall        time.Duration
}

// FaultCount says how often a kind of fault was scheduled, and how often it landed.
type FaultCount struct {
	Kind      string `json:"kind"`
	Scheduled uint64 `json:"scheduled"`
	Landed    uint64 `json:"landed"`
}

// Bucket is the failures of one signature.
type Bucket struct {
	Signature string
	First     Item // of the lowest place in the sweep
	Count     uint64
	Known     *Known // nil if it is new
}

// NewSummary returns the summary of a sweep that has run no seed.
func NewSummary(c SweepConfig) Summary {
	return Summary{Scenario: c.Scenario.Name, Verdicts: map[Verdict]uint64{}, MaxVacuous: c.MaxVacuous, Known: c.Known}
}

const (
	troublesMax = 20
	warningsMax = 100
	// neverLanded is how often a kind must have been scheduled before its never
	// landing is held against the sweep.
	neverLanded = 100
)

// Add counts a run.
func (s *Summary) Add(it Item) {
	r := it.Output.Result
	s.Seeds++
	s.Verdicts[r.Verdict]++
	if s.Virtual += r.Virtual; s.Virtual < 0 {
		s.Virtual = math.MaxInt64
	}
	s.Calls += r.Calls
	s.Steps += r.Steps
	s.Events += r.Events
	s.Ops = s.Ops.Plus(r.Ops)
	if it.Verified {
		s.Verified++
	}
	for _, f := range r.Faults {
		s.addFault(f)
	}
	for _, u := range r.Unsupported {
		s.addUnsupported(u)
	}
	for _, w := range r.Warnings {
		if i, found := slices.BinarySearch(s.Warnings, w); !found && len(s.Warnings) < warningsMax {
			s.Warnings = slices.Insert(s.Warnings, i, w)
		}
	}
	switch {
	case r.Verdict == Violated && r.Violation != nil:
		s.addViolation(it)
	case r.Verdict != Pass && r.Verdict != Vacuous && len(s.Troubles) < troublesMax:
		s.Troubles = append(s.Troubles, it)
	}
}

func (s *Summary) addFault(f Fault) {
	i, found := slices.BinarySearchFunc(s.Faults, f.Kind, func(c FaultCount, k string) int { return cmp.Compare(c.Kind, k) })
	if !found {
		s.Faults = slices.Insert(s.Faults, i, FaultCount{Kind: f.Kind})
	}
	s.Faults[i].Scheduled++
	if f.Landed {
		s.Faults[i].Landed++
	}
}

func (s *Summary) addUnsupported(u Unsupported) {
	i, found := slices.BinarySearchFunc(s.Unsupported, u.Nr, func(c Unsupported, nr uint64) int { return cmp.Compare(c.Nr, nr) })
	if !found {
		s.Unsupported = slices.Insert(s.Unsupported, i, u)
		return
	}
	s.Unsupported[i].Count += u.Count
}

func (s *Summary) addViolation(it Item) {
	sig := Signature(*it.Output.Violation)
	for i := range s.Buckets {
		if s.Buckets[i].Signature == sig {
			s.Buckets[i].Count++
			return
		}
	}
	s.Buckets = append(s.Buckets, Bucket{sig, it, 1, FindKnown(s.Known, sig)})
}

// NewFailures returns how many seeds failed as it is not known.
func (s Summary) NewFailures() uint64 {
	n := s.Verdicts[Violated]
	for _, b := range s.Buckets {
		if b.Known != nil {
			n -= b.Count
		}
	}
	return n
}

// NotSeen returns the known failures that no seed, and no reproducer, had.
func (s Summary) NotSeen() (out []Known) {
	for _, k := range s.Known {
		seen := slices.ContainsFunc(s.Buckets, func(b Bucket) bool { return b.Signature == k.Signature }) ||
			slices.ContainsFunc(s.Findings, func(t Tracked) bool { return t.Signature == k.Signature && t.Fails() })
		if !seen {
			out = append(out, k)
		}
	}
	return out
}

// IsKnown reports whether failures of a signature are known.
func (s Summary) IsKnown(signature string) bool { return FindKnown(s.Known, signature) != nil }

// reproduced reports whether the reproducer of a failure that is not known fails.
func (s Summary) reproduced() bool {
	return slices.ContainsFunc(s.Findings, func(t Tracked) bool { return t.Fails() && !s.IsKnown(t.Signature) })
}

// Landed returns how many faults landed, of all kinds.
func (s Summary) Landed() (n uint64) {
	for _, f := range s.Faults {
		n += f.Landed
	}
	return n
}

// TooVacuous reports whether more than the allowed share of the seeds was vacuous.
func (s Summary) TooVacuous() bool {
	return float64(s.Verdicts[Vacuous]) > s.MaxVacuous*float64(s.Seeds)
}

// NeverLanded returns the kinds of faults that were scheduled often and never landed.
func (s Summary) NeverLanded() (kinds []string) {
	for _, f := range s.Faults {
		if f.Scheduled >= neverLanded && f.Landed == 0 {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds
}

// Exit is the exit status that the sweep calls for: 0 if all passed or failed as is
// known, 1 if a promise was broken otherwise, 3 if there is no verdict. Nondeterminism is worse than a
// violation: no result of such a system can be trusted.
func (s Summary) Exit() int {
	switch {
	case s.Verdicts[Nondeterministic] > 0:
		return 3
	case s.NewFailures() > 0, s.reproduced():
		return 1
	case s.Verdicts[Died]+s.Verdicts[Escaped]+s.Verdicts[NoProgress]+s.Verdicts[Unknown] > 0,
		s.Seeds == 0, s.Interrupted, s.TooVacuous(), len(s.NeverLanded()) > 0:
		return 3
	}
	return 0
}
