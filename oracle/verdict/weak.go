package verdict

import (
	"fmt"
	"slices"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// weakItems is the second audit, in its order.
var weakItems = []item{
	{ItemFinalState, notAlone(SeesFinal)},
	{ItemLogs, notAlone(SeesLogs)},
	{ItemHealth, notAlone(SeesHealth)},
	{ItemSingleFailover, (*Evidence).askFailovers},
	{ItemNoErrorMetrics, notAlone(SeesErrors)},
	{ItemShortRuns, (*Evidence).askShortRuns},
	{ItemSymmetric, (*Evidence).askSymmetric},
	{ItemHiddenRetries, inEachCycle(Cycle.hidesRetries, "clients' retries are calls of their own, or there are none,")},
	{ItemWallClock, inEachCycle(Cycle.onWallClock, "the history's times are of a clock that does not jump")},
	{ItemOneTopology, (*Evidence).askTopologies},
	{ItemOneSeed, (*Evidence).askSeeds},
	{ItemSingleSurface, (*Evidence).askSurfaces},
	{ItemPositiveControls, (*Evidence).askControls},
	{ItemAggregate, (*Evidence).askAggregate},
}

// notAlone asks whether a declared checker saw more than what is not enough alone.
func notAlone(sees Sees) func(*Evidence) (Answer, string) {
	return func(e *Evidence) (Answer, string) {
		var strong, by []string
		untold := false
		e.eachDeclared(func(_ Cycle, o OracleRun) {
			switch {
			case o.Verdict != outcome.OK:
			case o.Sees == SeesHistory || o.Sees == SeesSeries:
				strong = append(strong, fmt.Sprintf("%s saw %s", o.Name, o.Sees))
			case o.Sees == sees:
				by = append(by, o.Name)
			case o.Sees == SeesUntold:
				untold = true
			}
		})
		slices.Sort(by)
		slices.Sort(strong)
		switch {
		case len(strong) > 0:
			return ok("%s", listed(slices.Compact(strong)))
		case len(by) > 0:
			return open("%s alone: %s", sees, listed(slices.Compact(by)))
		case untold:
			return open("what the checkers look at is not told")
		case e.declaredOK() == 0:
			return open("no declared checker answered ok")
		}
		return ok("no checker goes by it")
	}
}

// declaredOK is how often a declared checker answered ok.
func (e *Evidence) declaredOK() (n int) {
	e.eachDeclared(func(_ Cycle, o OracleRun) {
		if o.Verdict == outcome.OK {
			n++
		}
	})
	return n
}

func (e *Evidence) askFailovers() (Answer, string) {
	n := e.measured().Faults
	if n < 2 {
		return open("%s landed in cycles that count, want 2 at least", counted(n, "fault"))
	}
	return ok("%s landed in cycles that count", counted(n, "fault"))
}

func (e *Evidence) askShortRuns() (Answer, string) {
	all := e.budgets(e.asked())
	if len(all) == 0 {
		return open("the plan gives no budget for tier %q", e.asked())
	}
	longest := Cycle{}.Duration
	for _, c := range e.ended() {
		longest = max(longest, c.Duration)
	}
	for _, b := range all {
		if b.Duration <= 0 || longest < b.Duration {
			return open("the longest cycle took %v, want %v of %s", longest, b.Duration, b.Tier)
		}
	}
	return ok("the longest cycle took %v, want %v of %s", longest, all[0].Duration, all[0].Tier)
}

// askSymmetric takes a partition whose sides are not told for a symmetric one.
func (e *Evidence) askSymmetric() (Answer, string) {
	var both, one []Fault
	for _, f := range e.landed() {
		switch {
		case f.Sides == OneSide:
			one = append(one, f)
		case f.Sides == BothSides || f.family() == KindPartition:
			both = append(both, f)
		}
	}
	switch {
	case len(one) > 0:
		return ok("%s asymmetric: %s", counted(len(one), "fault"), listed(kinds(one)))
	case len(both) > 0:
		return open("%s of the network landed, none asymmetric: %s", counted(len(both), "fault"), listed(kinds(both)))
	}
	return ok("no partition is among the faults that landed")
}

func (c Cycle) hidesRetries() string {
	switch c.Retries {
	case RetriesNone, RetriesRecorded:
		return ""
	case RetriesHidden:
		return "clients retry, and the history shows one call"
	}
	return "whether clients retry is not told"
}

func (c Cycle) onWallClock() string {
	switch c.Timestamps {
	case TimestampsVirtual, TimestampsMonotonic:
		return ""
	case TimestampsWall:
		return "the history's times are of wall clocks"
	}
	return "what clock the history's times are of is not told"
}

func (e *Evidence) askTopologies() (Answer, string) {
	all := e.distinct(func(c Cycle) []string { return []string{c.Topology} })
	if len(all) < 2 {
		return open("found %s, want 2 at least: %s", topologies(len(all)), orNone(listed(all)))
	}
	return ok("%s: %s", topologies(len(all)), listed(all))
}

func topologies(n int) string {
	if n == 1 {
		return "1 topology"
	}
	return fmt.Sprintf("%d topologies", n)
}

func (e *Evidence) askSeeds() (Answer, string) {
	all := e.distinct(func(c Cycle) []string { return []string{fmt.Sprint(c.Seed)} })
	if len(all) < 2 {
		return open("found %s, want 2 at least", counted(len(all), "seed"))
	}
	return ok("%s", counted(len(all), "seed"))
}
