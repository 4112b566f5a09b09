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
		Baseline: verdict.Baseline{State: verdict.BaselineUnused, Why: "no claim of it compares with a baseline"},
	}
	for _, r := range ran {
		e.Cycles = append(e.Cycles, r.Cycle)
		if r.Grouping.Groups > 0 {
			e.Grouping = r.Grouping
		}
	}
	e.Cycles = withUnseen(e.Cycles, u.Faults)
	if slices.Contains(u.Claims, verdict.Fairness) || slices.Contains(u.Claims, verdict.PerformanceSLO) {
		for _, id := range u.ClaimIDs {
			e.Statistics = append(e.Statistics, verdict.Statistic{Claim: id, Repetitions: len(ran)})
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
