package verdict

import (
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
)

func anomaly(tried, back int) func(*Cycle) {
	return func(c *Cycle) { c.Anomalies = []Anomaly{{"linearizability", "stale read", tried, back}} }
}

func landing(l Landing) func(*Cycle) { return func(c *Cycle) { c.Faults[0].Landing = l } }

func need(substitute string) func(*Evidence) {
	return func(e *Evidence) { e.Needs = []Need{{"namespaces", "not permitted", substitute}} }
}

func answers(v outcome.Verdict, reason string) func(*Cycle) {
	return func(c *Cycle) { c.Oracles[0].Verdict, c.Oracles[0].Reason = v, reason }
}

func noCheck(c *Cycle)     { c.Oracles = c.Oracles[1:] }
func noFaults(c *Cycle)    { c.Faults = nil }
func seesPart(c *Cycle)    { c.Oracles[0].Saw = 60 }
func noCycles(e *Evidence) { e.Cycles = nil }

// drawn makes the kills drawn ones, of which that in the second cycle did not land.
func drawn(e *Evidence) {
	each(func(c *Cycle) { c.Faults[0].Origin = Drawn })(e)
	one(landing(NotProven))(e)
}

// smokeBudget leaves no budget but that of smoke, without faults.
func smokeBudget(e *Evidence) {
	e.Budgets, e.Asked = []Budget{{Smoke, 1, 10 * time.Second, 0, 1}}, Smoke
}

var decisions = []struct {
	name   string
	change func(*Evidence)
	want   Verdict
	kind   ReasonKind
	rule   Rule
	text   string
}{
	{"nothing is missing", nil, PassHardening, Decides, RulePass, "4 cycles, 4 seeds, 8 faults that landed"},

	// Every row of the table of verdicts.
	{"an anomaly that comes back", one(anomaly(2, 1)), FailReproducible, Decides, RuleFail, "seed 2 of nodes=3: linearizability: stale read; came back in 1 of 2 runs"},
	{"an anomaly that stays away", one(anomaly(2, 0)), FailNondeterministic, Decides, RuleFail, "did not come back in 2 runs"},
	{"an anomaly that nobody tried again", one(anomaly(0, 0)), FailNondeterministic, Decides, RuleFail, "nobody tried"},
	{"a violation that is no anomaly", one(answers(outcome.Violation, "lost write")), FailNondeterministic, Decides, RuleFail, "lost write; nobody tried"},
	{"a violation of a surface check", one(func(c *Cycle) { c.Oracles[1].Verdict = outcome.Violation }), FailNondeterministic, Decides, RuleFail, "health: no reason given"},
	{"one comes back, one stays away", all(one(anomaly(1, 1)), func(e *Evidence) { anomaly(3, 0)(&e.Cycles[0]) }), FailReproducible, Notes, RuleFail, "did not come back in 3 runs"},
	{"a need is missing", all(need(""), noCycles), InconclusiveEnv, Decides, RuleCapability, "namespaces: not permitted"},
	{"a need that has a substitute", need("a proxy"), PassHardening, Notes, RuleSubstitute, "a proxy in its place"},
	{"a landing that is not proven", one(landing(NotProven)), InconclusiveFault, Decides, RuleFault, "at 3s kill n1 for 2s: its landing is not proven"},
	{"a landing that is ambiguous", one(landing(Ambiguous)), InconclusiveFault, Decides, RuleFault, "ambiguous"},
	{"a landing that is not told", one(landing("")), InconclusiveFault, Decides, RuleFault, "not proven"},
	{"a landing without evidence", one(func(c *Cycle) { c.Faults[0].Injector, c.Faults[0].Victim = "", "" }), InconclusiveFault, Decides, RuleFault, "no evidence of it"},
	{"one of several drawn faults lands nowhere", drawn, PassHardening, Decides, RulePass, "7 faults"},
	{"no drawn fault of a kind lands", all(drawn, each(landing(NotProven))), InconclusiveFault, Decides, RuleFault, "kill: none of 4 that were drawn"},
	{"the checker answers unknown", one(answers(outcome.Unknown, "budget spent")), InconclusiveTooWeak, Decides, RuleHistory, "answered unknown: budget spent"},
	{"the checker had nothing to fail", one(answers(outcome.Vacuous, "no reads")), InconclusiveTooWeak, Decides, RuleHistory, "answered vacuous: no reads"},
	{"the checker was given no call", one(func(c *Cycle) { c.Oracles[0].Saw, c.Oracles[0].Calls = 0, 0 }), InconclusiveTooWeak, Decides, RuleHistory, "was given no call"},
	{"only surface checks ran", each(noCheck), PartialSurface, Decides, RuleChecker, "linearizability ran in none of 4 cycles; surface checks ran: health"},
	{"the checker missed a cycle", one(noCheck), PartialSurface, Decides, RuleChecker, "linearizability did not run in seed 2 of nodes=3"},
	{"one of two checkers never ran", func(e *Evidence) { e.Checkers = append(e.Checkers, "durability") }, PartialSurface, Decides, RuleChecker, "durability ran in none"},
	{"no checker is declared", func(e *Evidence) { e.Checkers = nil }, PartialSurface, Decides, RuleChecker, "no checker is declared"},
	{"an answer that is no verdict", one(answers("fine", "")), PartialSurface, Decides, RuleChecker, "did not run in seed 2"},
	{"a cycle has no result", one(func(c *Cycle) { c.Lost = "the worker died" }), PartialSurface, Decides, RuleChecker, "seed 2 of nodes=3 has no result: the worker died"},
	{"the checker saw a part", one(seesPart), PartialModel, Decides, RulePartial, "saw 60 of 100 calls"},
	{"no fault was active", all(each(noFaults), smokeBudget), PassSmoke, Decides, RuleNoFault, "none landed in 4 cycles"},
	{"only smoke was met", each(func(c *Cycle) { c.Duration = 15 * time.Second; c.Windows = windows(8) }), PassSmoke, Caps, RuleTier, "hardening not met: no cycle of 20s"},
	{"never reached", all(noCycles, func(e *Evidence) { e.NotRun = "the session was stopped" }), NotRun, Decides, RuleNotRun, "the session was stopped"},
	{"no cycle", noCycles, NotRun, Decides, RuleNotRun, "no cycle was run"},

	// Every cap.
	{"two seeds agree", all(func(e *Evidence) { e.Cycles = e.Cycles[:2] }, func(e *Evidence) { e.Budgets[1] = Budget{Hardening, 2, 20 * time.Second, 2, 2} }), PassSmoke, Caps, RuleSeeds, "found 2 seeds with a fault that landed, want 3"},
	{"three seeds, faults in two", func(e *Evidence) { noFaults(&e.Cycles[0]); noFaults(&e.Cycles[1]) }, PassSmoke, Caps, RuleSeeds, "found 2 seeds"},
	{"an open item, grave claim", one(func(c *Cycle) { c.Errors.Swallowed = 1 }), PassSmoke, Caps, RuleAudit, "no error was swallowed: seed 2 of nodes=3: 1 error swallowed, 0 unexplained, for example: no reason given (open on a claim of safety)"},
	{"an open item, other claim", all(func(e *Evidence) { e.Claims = []Category{Operational} }, one(func(c *Cycle) { c.Retries = "" })), PassSmoke, Caps, RuleAudit, "hidden client retries"},
	{"no tier was met", func(e *Evidence) { e.Budgets = []Budget{{Smoke, 3, 10 * time.Second, 1, 9}} }, PartialSurface, Caps, RuleTier, "smoke not met: 2 of 3 configurations; 4 of 9 seeds"},
	{"no fault, and no tier met", each(noFaults), PartialSurface, Caps, RuleTier, "smoke not met: 0 of 1 faults landed"},
	{"the plan gives no budget", func(e *Evidence) { e.Budgets = nil }, PartialSurface, Caps, RuleTier, "smoke not met: the plan gives no budget"},
	{"the release tier is missing", nil, PassHardening, Notes, RuleTier, "release not met"},

	// The order of decision: each line has also what the next would decide.
	{"failure before need", all(one(anomaly(1, 1)), need("")), FailReproducible, Decides, RuleFail, ""},
	{"need before fault", all(need(""), one(landing(NotProven))), InconclusiveEnv, Decides, RuleCapability, ""},
	{"fault before checker", all(one(landing(NotProven)), each(noCheck)), InconclusiveFault, Decides, RuleFault, ""},
	{"checker before history", all(one(noCheck), func(e *Evidence) { answers(outcome.Unknown, "")(&e.Cycles[0]) }), PartialSurface, Decides, RuleChecker, ""},
	{"history before partial", all(one(answers(outcome.Unknown, "")), func(e *Evidence) { seesPart(&e.Cycles[0]) }), InconclusiveTooWeak, Decides, RuleHistory, ""},
	{"partial before no fault", all(one(seesPart), each(noFaults)), PartialModel, Decides, RulePartial, ""},

	{"a failure under a fault that is not proven", one(func(c *Cycle) { anomaly(1, 1)(c); landing(NotProven)(c) }), FailReproducible, Notes, RuleFault, "seed 2 of nodes=3: at 3s kill n1 for 2s: its landing is not proven: it is not the cause of the failure"},
}

func TestDecide(t *testing.T) {
	decidedBy := map[Verdict]bool{}
	for _, c := range decisions {
		t.Run(c.name, func(t *testing.T) {
			d := decided(c.change)
			if d.Verdict != c.want || !d.told(c.kind, c.rule, c.text) {
				t.Errorf("found %s, want %s; found\n%v\nwant one that %s by %q: %q", d.Verdict, c.want, reasonLines(d), c.kind, c.rule, c.text)
			}
			if d.Reasons[0].Kind != Decides {
				t.Errorf("the first reason is %v, want the one that decided", d.Reasons[0])
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
			decidedBy[d.Verdict] = true
		})
	}
	for _, v := range Verdicts {
		if !decidedBy[v] {
			t.Errorf("no row of the table comes to %s", v)
		}
	}
}

func reasonLines(d Decision) string {
	var out []string
	for _, r := range d.Reasons {
		out = append(out, "  "+strings.Join([]string{string(r.Kind), string(r.Rule), string(r.At), r.Text}, " | "))
	}
	return strings.Join(out, "\n")
}

func TestRank(t *testing.T) {
	for i, v := range Verdicts {
		if v.Rank() != i {
			t.Errorf("%s has rank %d, want %d", v, v.Rank(), i)
		}
		if kinds := v.Fail() != v.Pass() != v.Inconclusive() != v.Partial(); kinds != (v != NotRun) {
			t.Errorf("%s is of no kind, or of two", v)
		}
	}
	if Verdict("green").Rank() >= 0 {
		t.Error("a word that is no verdict has a rank")
	}
}
