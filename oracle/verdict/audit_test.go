package verdict

import (
	"math"
	"strings"
	"testing"
	"time"
)

// find returns an audit item of a decision.
func (d Decision) find(t *testing.T, name string) AuditItem {
	t.Helper()
	for _, it := range append(append([]AuditItem{}, d.Green...), d.Weak...) {
		if it.Name == name {
			return it
		}
	}
	t.Fatalf("there is no item %q", name)
	return AuditItem{}
}

func sees(s Sees) func(*Evidence) { return each(func(c *Cycle) { c.Oracles[0].Sees = s }) }

func claims(cs ...Category) func(*Evidence) { return func(e *Evidence) { e.Claims = cs } }

func exempt(item string) func(*Evidence) {
	return func(e *Evidence) { e.Exempt = append(e.Exempt, Exempt{item, "the plan's reason"}) }
}

// group makes the claim one of fairness, judged by g.
func group(g Grouping) func(*Evidence) {
	return func(e *Evidence) {
		e.Claims, e.Grouping, e.Statistics = []Category{Fairness}, g, []Statistic{{"worst p99", 3}}
	}
}

func oneSurface(c *Cycle) { c.Surfaces = []string{"api"} }
func onlyAPI(e *Evidence) { e.Surfaces = []string{"api"}; each(oneSurface)(e) }
func noNegative(c *Cycle) { c.Controls.Negative = 0 }

var audits = []struct {
	item   string
	change func(*Evidence)
	want   Answer
	text   string
}{
	{ItemLoad, nil, ItemOK, "in each of 4 cycles"},
	{ItemLoad, one(func(c *Cycle) { c.Windows[4].Invoked = 0 }), ItemOpen, "no call was under way from 8s to 10s"},
	{ItemLoad, one(func(c *Cycle) { c.Windows[4].Invoked = 0; c.Windows[4].Waiting = 1 }), ItemOK, ""},
	{ItemLoad, one(func(c *Cycle) { c.Windows = append(c.Windows[:4:4], c.Windows[5:]...) }), ItemOpen, "no window tells of the load from 8s to 10s"},
	{ItemLoad, one(func(c *Cycle) { c.Windows = c.Windows[:9] }), ItemOpen, "no window tells of the load from 18s to 20s"},
	{ItemLoad, one(func(c *Cycle) { c.Windows = c.Windows[:9]; c.Load = Span{0, 18 * time.Second} }), ItemOK, ""},
	{ItemLoad, one(func(c *Cycle) { c.Windows = []Window{{Span: Span{0, 20 * time.Second}, Invoked: 9, OK: 9}} }), ItemOpen, "told in 1 window, want 4 at least"},
	{ItemLoad, one(func(c *Cycle) { c.Windows = nil }), ItemOpen, "told in 0 windows"},
	{ItemLoad, one(func(c *Cycle) {
		for i := range c.Windows {
			c.Windows[i].OK = 0
		}
	}), ItemOpen, "no call was answered ok"},

	{ItemOracle, nil, ItemOK, "linearizability: 4 runs over 400 calls"},
	{ItemOracle, one(noCheck), ItemOpen, "did not run in seed 2"},
	{ItemOracle, one(func(c *Cycle) { c.Lost = "it died" }), ItemOpen, "no result: it died"},
	{ItemOracle, noCycles, ItemOpen, "no cycle"},

	{ItemShows, nil, ItemOK, "8 faults at both, the first: at 3s kill n1 for 2s: signal sent; 3 goroutines stopped"},
	{ItemShows, one(func(c *Cycle) { c.Faults[0].Victim = "" }), ItemOpen, "nothing shows it at the victim"},
	{ItemShows, one(func(c *Cycle) { c.Faults[0].Injector = "" }), ItemOpen, "nothing shows it at the injector"},
	{ItemShows, each(noFaults), ItemOpen, "no fault landed"},

	{ItemNoOp, nil, ItemOK, "8 faults landed under load: cut; kill"},
	{ItemNoOp, one(func(c *Cycle) { c.Faults[0].At = time.Minute }), ItemOpen, "kill n1 for 2s landed while no call was under way"},
	{ItemNoOp, one(landing(Ambiguous)), ItemOpen, "ambiguous"},
	{ItemNoOp, all(drawn, func(e *Evidence) { e.Cycles[0].Faults[0].At = time.Minute }), ItemOK, "7 faults"},
	{ItemNoOp, all(drawn, each(func(c *Cycle) { c.Faults[0].At = time.Minute })), ItemOpen, "kill: none of 3 that landed did while"},
	{ItemNoOp, each(noFaults), ItemOpen, "no fault landed"},

	{ItemSkew, nil, ItemOK, "no timing is asserted"},
	{ItemSkew, one(func(c *Cycle) { c.Timing = "" }), ItemOpen, "not told"},
	{ItemSkew, one(func(c *Cycle) { c.Timing = TimingNodes }), ItemOK, ""},
	{ItemSkew, one(func(c *Cycle) { c.Timing = TimingNodes; c.Faults[0].Clock = true }), ItemOpen, "a fault moved one"},
	{ItemSkew, one(func(c *Cycle) { c.Timing = TimingTrue; c.Faults[0].Clock = true }), ItemOK, ""},

	{ItemDuration, nil, ItemOK, "4 cycles, the shortest of 20s"},
	{ItemDuration, one(func(c *Cycle) { c.Duration = 19 * time.Second }), ItemOpen, "took 19s, want 20s of hardening"},
	{ItemDuration, one(func(c *Cycle) { c.Duration = 19 * time.Second; c.Tier = Smoke }), ItemOK, "the shortest of 19s"},
	{ItemDuration, one(func(c *Cycle) { c.Tier = Release }), ItemOpen, `tier "release", which the plan gives no budget`},

	{ItemErrors, nil, ItemOK, "errors were counted"},
	{ItemErrors, one(func(c *Cycle) { c.Errors = Errors{} }), ItemOpen, "nobody counted"},
	{ItemErrors, one(func(c *Cycle) { c.Errors.Swallowed = 2 }), ItemOpen, "2 errors swallowed"},
	{ItemErrors, one(func(c *Cycle) { c.Errors.Unexplained = 1; c.Errors.Example = "EOF" }), ItemOpen, "1 unexplained, for example: EOF"},

	{ItemNominal, nil, ItemOK, "4 cycles with faults: 50.0 calls a second before, 49.0 after, on average"},
	{ItemNominal, one(func(c *Cycle) { c.Recovery = Recovery{Degraded, 50, 20} }), ItemOpen, "degraded: 50.0 calls a second before the faults, 20.0 after"},
	{ItemNominal, one(func(c *Cycle) { c.Recovery = Recovery{} }), ItemOpen, "not measured"},
	{ItemNominal, one(func(c *Cycle) { c.Recovery.After = 24 }), ItemOpen, "said to be nominal: 50.0"},
	{ItemNominal, one(func(c *Cycle) { c.Recovery.After = 40 }), ItemOK, ""},
	{ItemNominal, each(func(c *Cycle) { c.Recovery.After = 40 }), ItemOpen, "all cycles together: 200.0 calls a second before the faults, 160.0 after"},
	{ItemNominal, one(func(c *Cycle) { c.Recovery.Before = 0 }), ItemOpen, "no rate before"},
	{ItemNominal, one(func(c *Cycle) { c.Recovery.Before = math.NaN() }), ItemOpen, "no rate before"},
	{ItemNominal, each(noFaults), ItemOK, "no fault landed"},

	{ItemBaseline, nil, ItemOK, "unused: no claim compares"},
	{ItemBaseline, func(e *Evidence) { e.Baseline = Baseline{BaselineFair, "same load"} }, ItemOK, "fair: same load"},
	{ItemBaseline, func(e *Evidence) { e.Baseline = Baseline{BaselineUnfair, "half the load"} }, ItemOpen, "unfair: half the load"},
	{ItemBaseline, func(e *Evidence) { e.Baseline = Baseline{BaselineFair, ""} }, ItemOpen, "not why"},
	{ItemBaseline, func(e *Evidence) { e.Baseline = Baseline{} }, ItemOpen, "not told"},

	{ItemRepeated, nil, ItemOK, "no statistical claim"},
	{ItemRepeated, func(e *Evidence) { e.Statistics = []Statistic{{"p99 below 10ms", 3}} }, ItemOK, "1 claim, each of 3"},
	{ItemRepeated, func(e *Evidence) { e.Statistics = []Statistic{{"p99 below 10ms", 2}} }, ItemOpen, "p99 below 10ms: 2 repetitions, want 3"},
	{ItemRepeated, claims(PerformanceSLO), ItemOpen, "a claim of performance-SLO is statistical"},

	{ItemFinalState, nil, ItemOK, "linearizability saw history"},
	{ItemFinalState, sees(SeesFinal), ItemOpen, "final-state alone: linearizability"},
	{ItemFinalState, sees(SeesLogs), ItemOK, "no checker goes by it"},
	{ItemFinalState, sees(SeesUntold), ItemOpen, "not told"},
	{ItemLogs, sees(SeesSeries), ItemOK, "linearizability saw series"},
	{ItemLogs, sees(SeesLogs), ItemOpen, "logs alone"},
	{ItemHealth, nil, ItemOK, ""},
	{ItemHealth, sees(SeesHealth), ItemOpen, "health-checks alone"},
	{ItemNoErrorMetrics, nil, ItemOK, ""},
	{ItemNoErrorMetrics, sees(SeesErrors), ItemOpen, "no-error-metrics alone"},

	{ItemSingleFailover, nil, ItemOK, "8 faults landed"},
	{ItemSingleFailover, all(each(noFaults), one(func(c *Cycle) { c.Faults = cycle(1).Faults[:1] })), ItemOpen, "1 fault landed in cycles that count, want 2"},
	{ItemSingleFailover, func(e *Evidence) { // the same run, made again
		e.Cycles = []Cycle{cycle(1), cycle(1)}
		each(func(c *Cycle) { c.Faults = c.Faults[:1] })(e)
	}, ItemOpen, "1 fault landed"},

	{ItemShortRuns, nil, ItemOK, "took 20s, want 20s of hardening"},
	{ItemShortRuns, each(func(c *Cycle) { c.Duration = 19 * time.Second }), ItemOpen, "took 19s, want 20s of hardening"},
	{ItemShortRuns, func(e *Evidence) { e.Asked = Release }, ItemOpen, `no budget for tier "release"`},

	{ItemSymmetric, nil, ItemOK, "4 faults asymmetric: cut"},
	{ItemSymmetric, each(func(c *Cycle) { c.Faults[1].Sides = BothSides }), ItemOpen, "none asymmetric: cut"},
	{ItemSymmetric, each(func(c *Cycle) { c.Faults[1].Sides = NoSides }), ItemOpen, "none asymmetric: cut"},
	{ItemSymmetric, each(func(c *Cycle) { c.Faults = c.Faults[:1] }), ItemOK, "no partition"},

	{ItemHiddenRetries, nil, ItemOK, ""},
	{ItemHiddenRetries, one(func(c *Cycle) { c.Retries = RetriesHidden }), ItemOpen, "shows one call"},
	{ItemHiddenRetries, one(func(c *Cycle) { c.Retries = "" }), ItemOpen, "not told"},
	{ItemWallClock, nil, ItemOK, ""},
	{ItemWallClock, one(func(c *Cycle) { c.Timestamps = TimestampsWall }), ItemOpen, "wall clocks"},
	{ItemWallClock, one(func(c *Cycle) { c.Timestamps = "" }), ItemOpen, "not told"},

	{ItemOneTopology, nil, ItemOK, "2 topologies: 3 nodes; 5 nodes"},
	{ItemOneTopology, each(func(c *Cycle) { c.Topology = "3 nodes" }), ItemOpen, "found 1 topology, want 2 at least: 3 nodes"},
	{ItemOneTopology, each(func(c *Cycle) { c.Topology = "" }), ItemOpen, "found 0 topologies"},
	{ItemOneSeed, nil, ItemOK, "4 seeds"},
	{ItemOneSeed, each(func(c *Cycle) { c.Seed = 7 }), ItemOpen, "found 1 seed, want 2"},

	{ItemSingleSurface, nil, ItemOK, "2 surfaces: admin; api"},
	{ItemSingleSurface, onlyAPI, ItemOpen, "found 1 surface, want 2"},
	{ItemSingleSurface, all(onlyAPI, exempt(ItemSingleSurface)), ItemNone, "the plan's reason"},
	{ItemSingleSurface, all(each(oneSurface), exempt(ItemSingleSurface)), ItemOpen, "planned and not exercised: admin"},
	{ItemPositiveControls, nil, ItemOK, "8 positive, 12 negative"},
	{ItemPositiveControls, each(noNegative), ItemOpen, "8 positive, 0 negative, want both"},
	{ItemPositiveControls, all(each(noNegative), exempt(ItemPositiveControls)), ItemNone, "the plan's reason"},
	{ItemPositiveControls, all(each(noNegative), exempt(ItemPositiveControls), claims(Boundary)), ItemOpen, "want both"},
	{ItemAggregate, nil, ItemNone, "no claim is one of fairness"},
	{ItemAggregate, exempt(ItemAggregate), ItemNone, "the plan's reason"},
	{ItemAggregate, group(Grouping{"p99", PerGroup, 4}), ItemOK, "p99 of each of 4 groups"},
	{ItemAggregate, group(Grouping{"p99", PerGroup, 1}), ItemOpen, "found 1 group"},
	{ItemAggregate, group(Grouping{"p99", Aggregate, 4}), ItemOpen, "p99 is of all groups together"},
	{ItemAggregate, all(group(Grouping{}), exempt(ItemAggregate)), ItemOpen, "not told"},

	{ItemLoad, exempt(ItemLoad), ItemOK, ""}, // no other item can be let off
	{ItemErrors, all(exempt(ItemErrors), one(func(c *Cycle) { c.Errors = Errors{} })), ItemOpen, ""},
}

func TestAudits(t *testing.T) {
	answered := map[string]bool{}
	for _, c := range audits {
		d := decided(c.change)
		it := d.find(t, c.item)
		if it.Answer != c.want || !strings.Contains(it.Text, c.text) {
			t.Errorf("%s: found %s: %q, want %s: %q", c.item, it.Answer, it.Text, c.want, c.text)
		}
		if it.Answer == ItemOpen && d.Verdict.Rank() > PassSmoke.Rank() {
			t.Errorf("%s is open (%s), and the verdict is %s", c.item, it.Text, d.Verdict)
		}
		if c.item == ItemOracle && it.Answer == ItemOpen && d.Verdict.Rank() > PartialSurface.Rank() {
			t.Errorf("the checker did not do its work, and the verdict is %s", d.Verdict)
		}
		answered[string(it.Answer)+" "+c.item] = true
	}
	for _, it := range append(append([]item{}, greenItems...), weakItems...) {
		for _, a := range []Answer{ItemOK, ItemOpen} {
			if !answered[string(a)+" "+it.name] {
				t.Errorf("no row has %q %s", it.name, a)
			}
		}
	}
}
