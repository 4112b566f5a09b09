package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// rank is the place of a tier, from 1 for the least; 0 is none.
func (t Tier) rank() int { return slices.Index(Tiers, t) + 1 }

// asked is the tier that was to be met.
func (e *Evidence) asked() Tier {
	if e.Asked != "" {
		return e.Asked
	}
	var highest Tier
	for _, b := range e.Budgets {
		if b.Tier.rank() > highest.rank() {
			highest = b.Tier
		}
	}
	return highest
}

// budgets are those that the plan gives a tier: one, in a plan that is right.
func (e *Evidence) budgets(t Tier) (out []Budget) {
	for _, b := range e.Budgets {
		if b.Tier == t {
			out = append(out, b)
		}
	}
	return out
}

// counts reports whether a cycle counts for tiers: each declared checker said ok.
func (e *Evidence) counts(c Cycle) bool {
	if c.Lost != "" || len(e.Checkers) == 0 {
		return false
	}
	for _, name := range e.Checkers {
		if !c.checkedBy(name) {
			return false
		}
	}
	return !slices.ContainsFunc(c.Oracles, func(o OracleRun) bool {
		return e.declared(o.Name) && (o.Verdict != outcome.OK || o.Saw <= 0 || o.Saw < o.Calls)
	})
}

// measured is what the cycles that count come to.
func (e *Evidence) measured() Measured { return e.measuredOf(0) }

// again is what makes two cycles the same run, made again: its faults count once.
type again struct {
	seed                    uint64
	configuration, topology string
}

// landings is how many faults landed in each.
type landings map[again]int

// more is how many faults a cycle has beyond those of the same run.
func (l landings) more(c Cycle) int {
	k := again{c.Seed, c.Configuration, c.Topology}
	n := max(len(c.landed())-l[k], 0)
	l[k] += n
	return n
}

// measuredOf is what those of at least a duration come to.
func (e *Evidence) measuredOf(least time.Duration) Measured {
	m := Measured{Cycles: len(e.Cycles)}
	seeds, configurations, faults := map[uint64]bool{}, map[string]bool{}, landings{}
	for _, c := range e.Cycles {
		if !e.counts(c) || c.Duration < least {
			continue
		}
		m.Counted++
		m.Faults += faults.more(c)
		m.Longest = max(m.Longest, c.Duration)
		m.Total += c.Duration
		seeds[c.Seed] = true
		if c.Configuration != "" { // one that is not told is none
			configurations[c.Configuration] = true
		}
	}
	m.Seeds, m.Configurations = len(seeds), len(configurations)
	return m
}

// seedsWithFault is how many distinct seeds agree in a cycle that counts and in which a fault landed.
func (e *Evidence) seedsWithFault() int {
	seeds := map[uint64]bool{}
	for _, c := range e.Cycles {
		if e.counts(c) && len(c.landed()) > 0 {
			seeds[c.Seed] = true
		}
	}
	return len(seeds)
}

// tiers is the highest tier that was met, with all below it, and what the others lack.
func (e *Evidence) tiers() (met Tier, missing []Missing) {
	missing = []Missing{}
	for _, t := range Tiers {
		lacks := e.lacks(t)
		if len(lacks) == 0 && len(missing) > 0 {
			lacks = []string{fmt.Sprintf("%s below it was not met", missing[len(missing)-1].Tier)}
		}
		if len(lacks) == 0 {
			met = t
			continue
		}
		missing = append(missing, Missing{t, strings.Join(lacks, "; ")})
	}
	return met, missing
}

// lacks says what a tier lacks; nothing if it was met.
func (e *Evidence) lacks(t Tier) (out []string) {
	all := e.budgets(t)
	if len(all) == 0 {
		return []string{"the plan gives no budget for it"}
	}
	for _, b := range all {
		if wrong := e.wrong(b); wrong != "" {
			out = append(out, wrong)
			continue
		}
		out = append(out, e.short(b)...)
	}
	return out
}

// short says what was measured too little of for a budget.
func (e *Evidence) short(b Budget) (out []string) {
	m := e.measuredOf(b.Duration)
	if m.Counted == 0 {
		return []string{fmt.Sprintf("no cycle of %v that counts: the longest took %v", b.Duration, e.measured().Longest)}
	}
	for _, c := range []struct {
		found, want int
		what        string
	}{
		{m.Configurations, b.Configurations, "configurations"}, {m.Faults, b.Faults, "faults landed"}, {m.Seeds, b.Seeds, "seeds"},
	} {
		if c.found < c.want {
			out = append(out, fmt.Sprintf("%d of %d %s", c.found, c.want, c.what))
		}
	}
	return out
}

// wrong says why a budget is none: an empty one would be met by nothing, and one of
// hardening that is not above smoke is smoke by another name.
func (e *Evidence) wrong(b Budget) string {
	if b.Seeds < 1 || b.Configurations < 1 || b.Duration <= 0 || b.Faults < 0 {
		return "its budget is empty: want a duration, and 1 seed and configuration at least"
	}
	for _, low := range e.Budgets {
		switch {
		case b.Tier == Hardening && low.Tier == Smoke && !b.above(low):
			return "its budget is not above that of smoke on every count"
		case b.Tier == Release && low.Tier != Release && low.exceeds(b):
			return fmt.Sprintf("its budget is below that of %s", low.Tier)
		}
	}
	return ""
}

// above reports whether b is above another budget on every count.
func (b Budget) above(low Budget) bool {
	return b.Configurations > low.Configurations && b.Duration > low.Duration && b.Faults > low.Faults && b.Seeds > low.Seeds
}

// exceeds reports whether b is above another budget on some count.
func (b Budget) exceeds(high Budget) bool {
	return b.Configurations > high.Configurations || b.Duration > high.Duration || b.Faults > high.Faults || b.Seeds > high.Seeds
}
