package verdict

import "fmt"

// greenItems is the first audit, in its order.
var greenItems = []item{
	{ItemLoad, inEachCycle(Cycle.idle, "calls in every window, and calls that were answered ok,")},
	{ItemOracle, (*Evidence).askOracle},
	{ItemShows, (*Evidence).askShows},
	{ItemNoOp, (*Evidence).askNoOp},
	{ItemSkew, inEachCycle(Cycle.skewed, "no timing is asserted on a clock that a fault moved")},
	{ItemDuration, (*Evidence).askDuration},
	{ItemErrors, inEachCycle(Cycle.swallowed, "errors were counted, and none was dropped or left unexplained")},
	{ItemNominal, (*Evidence).askNominal},
	{ItemBaseline, (*Evidence).askBaseline},
	{ItemRepeated, (*Evidence).askRepeated},
}

func (e *Evidence) askOracle() (Answer, string) {
	if len(e.Cycles) == 0 {
		return open("no cycle was run")
	}
	saw, runs := 0, 0
	e.eachDeclared(func(_ Cycle, o OracleRun) { runs++; saw += o.Saw })
	return okUnless(e.unchecked(), "%s: %s over %s", listed(e.Checkers), counted(runs, "run"), counted(saw, "call"))
}

func (e *Evidence) askShows() (Answer, string) {
	all := e.landed()
	if len(all) == 0 {
		return open("no fault landed")
	}
	var half []string
	for _, f := range all {
		switch {
		case f.Injector == "":
			half = append(half, f.Text+": nothing shows it at the injector")
		case f.Victim == "":
			half = append(half, f.Text+": nothing shows it at the victim")
		}
	}
	return okUnless(half, "%s at both, the first: %s: %s; %s", counted(len(all), "fault"), all[0].Text, all[0].Injector, all[0].Victim)
}

// askNoOp wants every fault to have landed, and while calls were under way: a fault
// that strikes an idle system does nothing that a client could have noticed.
func (e *Evidence) askNoOp() (Answer, string) {
	all := e.landed()
	if len(all) == 0 {
		return open("no fault landed")
	}
	wrong := append(unprovenFaults(e.Cycles), e.idleFaults()...)
	return okUnless(wrong, "%s landed under load: %s", counted(len(all), "fault"), listed(kinds(all)))
}

func (c Cycle) skewed() string {
	clocks := false
	for _, f := range c.Faults {
		clocks = clocks || f.Clock
	}
	switch c.Timing {
	case TimingNone, TimingTrue:
		return ""
	case TimingNodes:
		if !clocks {
			return ""
		}
		return "timing is asserted on clocks of nodes, and a fault moved one"
	}
	return "what clock timing is asserted on is not told"
}

func (e *Evidence) askDuration() (Answer, string) {
	ended := e.ended()
	if len(ended) == 0 {
		return open(noCycle)
	}
	shortest := ended[0].Duration
	var wrong []string
	for _, c := range ended {
		all := e.budgets(c.Tier)
		if len(all) == 0 {
			wrong = append(wrong, fmt.Sprintf("%s: was run for tier %q, which the plan gives no budget", c.name(), c.Tier))
		}
		for _, b := range all {
			if c.Duration < b.Duration {
				wrong = append(wrong, fmt.Sprintf("%s: took %v, want %v of %s", c.name(), c.Duration, b.Duration, b.Tier))
			}
		}
		shortest = min(shortest, c.Duration)
	}
	return okUnless(wrong, "%s, the shortest of %v", counted(len(ended), "cycle"), shortest)
}

func (c Cycle) swallowed() string {
	switch {
	case !c.Errors.Counted:
		return "nobody counted errors"
	case c.Errors.Swallowed != 0 || c.Errors.Unexplained != 0:
		return fmt.Sprintf("%s swallowed, %d unexplained, for example: %s", counted(c.Errors.Swallowed, "error"), c.Errors.Unexplained, orNone(c.Errors.Example))
	}
	return ""
}

func (e *Evidence) askBaseline() (Answer, string) {
	b := e.Baseline
	switch {
	case b.State == BaselineUnfair:
		return open("unfair: %s", orNone(b.Why))
	case b.State != BaselineFair && b.State != BaselineUnused:
		return open("whether there is a baseline is not told")
	case b.Why == "":
		return open("said to be %s, and not why", b.State)
	}
	return ok("%s: %s", b.State, b.Why)
}

// repetitionsMin is how many measurements a claim about a distribution stands on.
const repetitionsMin = 3

func (e *Evidence) askRepeated() (Answer, string) {
	if len(e.Statistics) == 0 {
		for _, c := range []Category{PerformanceSLO, Fairness} {
			if e.claims(c) {
				return open("a claim of %s is statistical, and no repetition is told", c)
			}
		}
		return ok("no statistical claim is made")
	}
	var wrong []string
	for _, s := range e.Statistics {
		if s.Repetitions < repetitionsMin {
			wrong = append(wrong, fmt.Sprintf("%s: %s, want %d", s.Claim, counted(s.Repetitions, "repetition"), repetitionsMin))
		}
	}
	return okUnless(wrong, "%s, each of %d repetitions at least", counted(len(e.Statistics), "claim"), repetitionsMin)
}
