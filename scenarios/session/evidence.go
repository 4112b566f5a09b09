package session

import (
	"fmt"
	"slices"

	"github.com/orrery-sim/orrery/oracle/verdict"
)

// evidence is all that the verdict of a unit stands on.
func evidence(u Unit, kind verdict.Backend, tier verdict.Tier, needs []verdict.Need, ran []Ran) verdict.Evidence {
	e := verdict.Evidence{
		Name: u.ID, Backend: kind, Claims: u.Claims, Checkers: u.Checkers, Budgets: u.Budgets, Asked: tier,
		Surfaces: u.Surfaces, Exempt: u.Exempt, Needs: needs,
		Baseline: verdict.Baseline{State: verdict.BaselineUnused, Why: "no check tells of one that it compared with"},
	}
	seeds := map[uint64]bool{}
	for i, r := range ran {
		e.Cycles = append(e.Cycles, r.Cycle)
		if i == 0 || r.Grouping.Groups < e.Grouping.Groups {
			e.Grouping = r.Grouping // the weakest
		}
		if r.Baseline.Why != "" && (e.Baseline.State == verdict.BaselineUnused || r.Baseline.State == verdict.BaselineUntold) {
			e.Baseline = r.Baseline
		}
		if r.Cycle.Lost == "" {
			seeds[r.Cycle.Seed] = true
		}
	}
	e.Cycles = withUnseen(e.Cycles, u.Faults)
	if slices.Contains(u.Claims, verdict.Fairness) || slices.Contains(u.Claims, verdict.PerformanceSLO) {
		for _, id := range u.ClaimIDs {
			e.Statistics = append(e.Statistics, verdict.Statistic{Claim: id, Repetitions: len(seeds)})
		}
	}
	return e
}

// withUnseen adds the faults that the plan names and that no cycle had: they were
// wanted, and nothing shows that they landed.
func withUnseen(cycles []verdict.Cycle, kinds []string) []verdict.Cycle {
	if len(cycles) == 0 {
		return cycles
	}
	cycles = slices.Clone(cycles)
	for _, kind := range kinds {
		seen := slices.ContainsFunc(cycles, func(c verdict.Cycle) bool {
			return slices.ContainsFunc(c.Faults, func(f verdict.Fault) bool { return f.Kind == kind })
		})
		if !seen {
			cycles[0].Faults = append(slices.Clone(cycles[0].Faults), verdict.Fault{
				Text: fmt.Sprintf("%s, by the plan", kind), Kind: kind, Landing: verdict.NotProven,
			})
		}
	}
	return cycles
}
