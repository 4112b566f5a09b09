package verdict

import (
	"fmt"
	"slices"
	"strings"
)

// Combine is the verdict on a scenario from those on its arms, in any order. It is that
// of its worst arm, by [Verdict.Rank], where an arm that is NOT-RUN or PARTIAL stands as
// PARTIAL-surface: so any FAIL arm fails it, and an INCONCLUSIVE arm leaves it so, however
// many others pass. It is NOT-RUN if all arms are.
//
// The tier met is the least of any arm. Seeds and configurations are those of the arm that
// has least; cycles, faults and time are added up. An audit item is open if an arm's is.
func Combine(scenario string, arms []Decision) Decision {
	arms = slices.Clone(arms)
	slices.SortStableFunc(arms, func(a, b Decision) int { return strings.Compare(a.Name, b.Name) })
	d := Decision{Name: scenario, Verdict: NotRun, Reasons: []Reason{}, TierMissing: []Missing{}}
	d.Green, d.Weak = mergeItems(greenItems, arms, greenOf), mergeItems(weakItems, arms, weakOf)
	if len(arms) == 0 {
		d.Reasons = append(d.Reasons, Reason{Decides, RuleArm, NotRun, "it has no arm"})
		return d
	}
	d.armVerdict(arms)
	d.armTiers(arms)
	d.Measured = mergeMeasured(arms)
	d.Repeated = mergeRepeated(arms)
	return d
}

// asArm is what an arm's verdict lets its scenario be at most.
func (v Verdict) asArm() Verdict {
	if v.Partial() || v == NotRun || v.Rank() < 0 {
		return PartialSurface
	}
	return v
}

func (d *Decision) armVerdict(arms []Decision) {
	if !slices.ContainsFunc(arms, func(a Decision) bool { return a.Verdict != NotRun }) {
		d.Reasons = append(d.Reasons, Reason{Decides, RuleArm, NotRun, fmt.Sprintf("none of %s was reached", counted(len(arms), "arm"))})
		return
	}
	d.Verdict = PassHardening
	for _, a := range arms {
		d.Verdict = worse(d.Verdict, a.Verdict.asArm())
	}
	var rest []Reason
	for _, a := range arms {
		most := a.Verdict.asArm()
		r := Reason{Caps, RuleArm, most, armText(a)}
		switch {
		case most == d.Verdict && len(d.Reasons) == 0:
			r.Kind = Decides
			d.Reasons = append(d.Reasons, r)
		case most != PassHardening:
			rest = append(rest, r)
		}
	}
	d.Reasons = append(d.Reasons, rest...)
}

func armText(a Decision) string {
	text := fmt.Sprintf("%s: %s", a.Name, a.Verdict)
	if len(a.Reasons) > 0 {
		text += fmt.Sprintf(": %s: %s", a.Reasons[0].Rule, a.Reasons[0].Text)
	}
	return text
}

func (d *Decision) armTiers(arms []Decision) {
	d.TierMet, d.Asked = arms[0].TierMet, arms[0].Asked
	for _, a := range arms {
		if a.TierMet.rank() < d.TierMet.rank() {
			d.TierMet = a.TierMet
		}
		if a.Asked.rank() > d.Asked.rank() {
			d.Asked = a.Asked
		}
	}
	for _, t := range Tiers {
		var why []string
		for _, a := range arms {
			for _, m := range a.TierMissing {
				if m.Tier == t {
					why = append(why, a.Name+": "+m.Why)
				}
			}
		}
		if len(why) > 0 {
			d.TierMissing = append(d.TierMissing, Missing{t, listed(why)})
		}
	}
}

func mergeMeasured(arms []Decision) Measured {
	m := arms[0].Measured
	for _, a := range arms[1:] {
		m.Cycles += a.Measured.Cycles
		m.Counted += a.Measured.Counted
		m.Faults += a.Measured.Faults
		m.Total += a.Measured.Total
		m.Seeds = min(m.Seeds, a.Measured.Seeds)
		m.Configurations = min(m.Configurations, a.Measured.Configurations)
		m.Longest = max(m.Longest, a.Measured.Longest)
	}
	return m
}

// mergeRepeated is that of the worst failing arm; of several, one that nobody tried.
func mergeRepeated(arms []Decision) (r Repetition) {
	for _, want := range []Repetition{StayedAway, NotTried, CameBack} {
		if slices.ContainsFunc(arms, func(a Decision) bool { return a.Verdict.Fail() && a.Repeated == want }) {
			r = want
		}
	}
	return r
}

func greenOf(d Decision) []AuditItem { return d.Green }
func weakOf(d Decision) []AuditItem  { return d.Weak }

// mergeItems answers each item from the arms' answers: open if one is, or if an arm has
// none; else ok if one is; else not applicable.
func mergeItems(items []item, arms []Decision, of func(Decision) []AuditItem) []AuditItem {
	out := make([]AuditItem, len(items))
	for i, it := range items {
		texts := map[Answer][]string{}
		for _, a := range arms {
			found := AuditItem{Answer: ItemOpen, Text: "not asked"}
			if at := slices.IndexFunc(of(a), func(x AuditItem) bool { return x.Name == it.name }); at >= 0 {
				found = of(a)[at]
			}
			texts[found.Answer] = append(texts[found.Answer], a.Name+": "+found.Text)
		}
		out[i] = AuditItem{it.name, ItemOpen, "it has no arm"}
		for _, answer := range []Answer{ItemNone, ItemOK, ItemOpen} {
			if len(texts[answer]) > 0 {
				out[i].Answer, out[i].Text = answer, listed(texts[answer])
			}
		}
	}
	return out
}
