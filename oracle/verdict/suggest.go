package verdict

import (
	"fmt"
	"slices"
	"strings"
)

// Symptom is what a failure looks like.
type Symptom struct {
	Oracle   string        `json:"oracle"` // that found it
	Claims   []Category    `json:"claims"` // of the scenario
	Faults   []Fault       `json:"faults"` // that it needs, or all there were if it was not made small
	Recovery RecoveryState `json:"recovery"`
}

// The words by which an oracle's name tells what it looks after.
var (
	speedWords  = []string{"latency", "throughput", "slo", "service level", "percentile", "p99", "baseline", "trend", "leak"}
	liveWords   = []string{"liveness", "deadlock", "livelock", "progress", "recover"}
	endWords    = []string{"panic", "fatal", "race"}
	safetyWords = []string{
		"lineariz", "serializ", "isolation", "durab", "exactly", "duplicate", "lost", "order", "prefix", "mutual", "mutex",
		"lock", "lease", "membership", "agreement", "read-your-writes", "monotonic", "all or nothing", "safety",
	}
)

// says reports whether a word of the oracle's name begins with one of words: a clock is no lock.
func says(oracle string, words []string) bool {
	name := strings.ToLower(oracle)
	for i := range name {
		if i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
			continue
		}
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(name[i:], w) }) {
			return true
		}
	}
	return false
}

// Suggest places a failure by its oracle, claims and faults. It is a first guess by fixed
// rules, which docs/verdicts.md lists; a person may overrule it.
func Suggest(s Symptom) Placing {
	taxonomy, kind := s.taxonomy()
	severity, how := s.severity()
	return Placing{taxonomy, s.tags(), severity, []string{kind, how}}
}

func (s Symptom) taxonomy() (Taxonomy, string) {
	if says(s.Oracle, speedWords) {
		return KindPerformance, fmt.Sprintf("oracle %q measures speed or use", s.Oracle)
	}
	if says(s.Oracle, []string{"race"}) {
		return KindTiming, fmt.Sprintf("oracle %q goes by the order of accesses", s.Oracle)
	}
	if t, f := s.byFault(); t != "" {
		return t, "it comes with " + f
	}
	switch {
	case says(s.Oracle, liveWords):
		return KindTiming, fmt.Sprintf("oracle %q, with no fault that landed", s.Oracle)
	case says(s.Oracle, safetyWords) || slices.ContainsFunc(s.Claims, Category.Grave):
		return KindOrdering, "a promise about data is broken with no fault that landed: the order of calls is enough"
	case slices.Contains(s.Claims, PerformanceSLO) || slices.Contains(s.Claims, Fairness):
		return KindPerformance, "the claim is about speed, with no fault that landed"
	case slices.Contains(s.Claims, Boundary) || slices.Contains(s.Claims, Operational):
		return KindConfig, "the claim is about what is allowed or set up, with no fault that landed"
	}
	return KindFaultHandling, "nothing points elsewhere"
}

// byFault is the kind that the faults point to: the first of [families], or fault-handling.
func (s Symptom) byFault() (Taxonomy, string) {
	landed := Cycle{Faults: s.Faults}.landed()
	for _, fam := range families {
		for _, f := range landed {
			if f.family() == fam.taxonomy {
				return fam.taxonomy, f.Kind
			}
		}
	}
	if len(landed) > 0 {
		return KindFaultHandling, landed[0].Kind
	}
	return "", ""
}

func (s Symptom) severity() (Severity, string) {
	switch {
	case says(s.Oracle, safetyWords):
		return P0, fmt.Sprintf("oracle %q: loss, corruption or broken safety", s.Oracle)
	case says(s.Oracle, speedWords):
		return s.ifNominal(P3, P2)
	case says(s.Oracle, liveWords) || says(s.Oracle, endWords):
		return s.ifNominal(P2, P1)
	case slices.ContainsFunc(s.Claims, Category.Grave):
		return P0, "the claim is about loss, corruption or safety"
	case slices.Contains(s.Claims, Boundary):
		return P0, "the claim is about what must not be reached"
	case slices.Contains(s.Claims, Liveness):
		return s.ifNominal(P2, P1)
	case len(s.Claims) > 0:
		return s.ifNominal(P3, P2)
	}
	return P3, "no claim is told"
}

func (s Symptom) ifNominal(nominal, otherwise Severity) (Severity, string) {
	if s.Recovery == Nominal {
		return nominal, "it came back to nominal by itself"
	}
	return otherwise, "it is not known to have come back to nominal"
}

// tags follow from the claims, and from words in the oracle's name.
func (s Symptom) tags() []Tag {
	out := []Tag{}
	for _, t := range []struct {
		tag    Tag
		claims []Category
		words  []string
	}{
		{TagReplication, nil, []string{"replica", "agreement", "prefix", "log"}},
		{TagLeadership, []Category{Membership}, []string{"leader", "lease", "lock", "mutual", "mutex", "membership", "election"}},
		{TagIdempotency, []Category{Idempotency}, []string{"exactly", "duplicate", "idempoten"}},
		{TagDurability, []Category{Durability}, []string{"durab", "lost", "acked"}},
		{TagLiveness, []Category{Liveness}, liveWords},
		{TagSafety, []Category{Safety, Isolation, Ordering, Boundary}, []string{"lineariz", "serializ", "isolation", "order", "safety"}},
	} {
		claimed := slices.ContainsFunc(t.claims, func(c Category) bool { return slices.Contains(s.Claims, c) })
		if claimed || says(s.Oracle, t.words) {
			out = append(out, t.tag)
		}
	}
	return out
}
