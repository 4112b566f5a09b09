package verdict

import (
	"fmt"

	"github.com/orrery-sim/orrery/sim/outcome"
)

// seedsAgree is how many distinct seeds with a fault that landed a PASS-hardening
// stands on.
const seedsAgree = 3

// Decide is the verdict on one arm, or on a scenario without arms. It is total: what is
// malformed in the evidence (see [Evidence.Validate]) proves nothing. The order of cycles
// does not matter.
func Decide(e Evidence) Decision {
	e.Cycles = sorted(e.Cycles)
	j := judge{e: &e}
	j.Decision = Decision{
		Name: e.Name, Reasons: []Reason{}, Asked: e.asked(), Measured: e.measured(),
		Green: answer(&e, greenItems), Weak: answer(&e, weakItems),
	}
	j.TierMet, j.TierMissing = e.tiers()
	for _, rule := range order {
		if rule(&j) {
			break
		}
	}
	j.substitutes()
	return j.Decision
}

// judge is a decision in the making.
type judge struct {
	Decision
	e *Evidence
}

// order is the order of decision: the first rule that applies decides. The last always does.
var order = []func(*judge) bool{
	(*judge).fail, (*judge).capability, (*judge).notRun, (*judge).fault, (*judge).checker, (*judge).history, (*judge).partial, (*judge).pass,
}

func (j *judge) decides(v Verdict, rule Rule, text string) bool {
	j.Verdict = v
	j.Reasons = append(j.Reasons, Reason{Decides, rule, v, text})
	return true
}

func (j *judge) caps(most Verdict, rule Rule, text string) {
	j.Verdict = worse(j.Verdict, most)
	j.Reasons = append(j.Reasons, Reason{Caps, rule, most, text})
}

func (j *judge) notes(rule Rule, text string) {
	j.Reasons = append(j.Reasons, Reason{Kind: Notes, Rule: rule, Text: text})
}

func (j *judge) capability() bool {
	var missing []string
	for _, n := range j.e.Needs {
		if n.Substitute == "" {
			missing = append(missing, fmt.Sprintf("%s: %s", n.Name, n.Found))
		}
	}
	return len(missing) > 0 && j.decides(InconclusiveEnv, RuleCapability, listed(missing))
}

func (j *judge) notRun() bool {
	switch {
	case len(j.e.Cycles) > 0:
		return false
	case j.e.NotRun != "":
		return j.decides(NotRun, RuleNotRun, j.e.NotRun)
	}
	return j.decides(NotRun, RuleNotRun, "no cycle was run")
}

func (j *judge) fault() bool {
	unproven := unprovenFaults(j.e.Cycles)
	return len(unproven) > 0 && j.decides(InconclusiveFault, RuleFault, listed(unproven))
}

func (j *judge) checker() bool {
	unchecked := j.e.unchecked()
	return len(unchecked) > 0 && j.decides(PartialSurface, RuleChecker, listed(unchecked)+j.e.surfaceChecks())
}

func (j *judge) history() bool {
	var weak []string
	j.e.eachDeclared(func(c Cycle, o OracleRun) {
		switch {
		case o.Verdict != outcome.OK:
			weak = append(weak, fmt.Sprintf("%s: %s answered %s: %s", c.name(), o.Name, o.Verdict, orNone(o.Reason)))
		case o.Saw <= 0:
			weak = append(weak, fmt.Sprintf("%s: %s was given no call%s", c.name(), o.Name, after(o.Reason)))
		}
	})
	return len(weak) > 0 && j.decides(InconclusiveTooWeak, RuleHistory, listed(weak))
}

func (j *judge) partial() bool {
	var part []string
	j.e.eachDeclared(func(c Cycle, o OracleRun) {
		if o.Saw < o.Calls {
			part = append(part, fmt.Sprintf("%s: %s saw %d of %d calls", c.name(), o.Name, o.Saw, o.Calls))
		}
	})
	return len(part) > 0 && j.decides(PartialModel, RulePartial, listed(part))
}

// pass is asked last: nothing is wrong, and caps say how much that is worth.
func (j *judge) pass() bool {
	m := j.Measured
	if m.Faults == 0 {
		j.decides(PassSmoke, RuleNoFault, fmt.Sprintf("none landed in %s", counted(m.Cycles, "cycle")))
	} else {
		j.decides(PassHardening, RulePass, fmt.Sprintf("%s, %s, %s that landed", counted(m.Cycles, "cycle"), counted(m.Seeds, "seed"), counted(m.Faults, "fault")))
	}
	j.tierCaps()
	if seeds := j.e.seedsWithFault(); seeds < seedsAgree {
		j.caps(PassSmoke, RuleSeeds, fmt.Sprintf("found %s with a fault that landed, want %d", counted(seeds, "seed"), seedsAgree))
	}
	for _, it := range j.Open() {
		j.caps(PassSmoke, RuleAudit, fmt.Sprintf("%s: %s%s", it.Name, it.Text, j.e.graveClaim()))
	}
	return true
}

func (j *judge) tierCaps() {
	most := PassHardening
	switch j.TierMet {
	case "":
		most = PartialSurface
	case Smoke:
		most = PassSmoke
	}
	for _, m := range j.TierMissing {
		if most != PassHardening && m.Tier != Release {
			j.caps(most, RuleTier, fmt.Sprintf("%s not met: %s", m.Tier, m.Why))
		} else {
			j.notes(RuleTier, fmt.Sprintf("%s not met: %s", m.Tier, m.Why))
		}
	}
}

func (j *judge) substitutes() {
	for _, n := range j.e.Needs {
		if n.Substitute != "" {
			j.notes(RuleSubstitute, fmt.Sprintf("%s is missing (%s): %s in its place, as the plan names", n.Name, n.Found, n.Substitute))
		}
	}
}

// graveClaim names the claims for which an open item weighs most.
func (e *Evidence) graveClaim() string {
	var grave []string
	for _, c := range e.Claims {
		if c.Grave() {
			grave = append(grave, string(c))
		}
	}
	if len(grave) == 0 {
		return ""
	}
	return fmt.Sprintf(" (open on a claim of %s)", listed(grave))
}

// after is a text behind another one; "" is none.
func after(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
