package verdict

import (
	"errors"
	"fmt"
)

// Validate says all that is malformed in the decision, and whether its verdict is more than its
// own audits, tier and counts allow.
func (d Decision) Validate() error {
	var p problems
	told(&p, "name", d.Name)
	word(&p, "verdict", d.Verdict, Verdicts...)
	word(&p, "asked", d.Asked, append([]Tier{""}, Tiers...)...)
	word(&p, "tier_met", d.TierMet, append([]Tier{""}, Tiers...)...)
	word(&p, "repeated", d.Repeated, "", NotTried, CameBack, StayedAway)
	for i, r := range d.Reasons {
		word(&p, fmt.Sprintf("reasons[%d].kind", i), r.Kind, Decides, Caps, Notes)
		if r.Kind != Notes {
			word(&p, fmt.Sprintf("reasons[%d].at", i), r.At, Verdicts...)
			if r.At.Rank() < d.Verdict.Rank() {
				p.add("verdict", "found %s, and reasons[%d] allows %s at most", d.Verdict, i, r.At)
			}
		}
	}
	if len(d.Reasons) == 0 || d.Reasons[0].Kind != Decides {
		p.add("reasons", "the first does not decide")
	}
	for i, m := range d.TierMissing {
		word(&p, fmt.Sprintf("tier_missing[%d].tier", i), m.Tier, Tiers...)
	}
	validateItems(&p, "green", d.Green, greenItems)
	validateItems(&p, "weak", d.Weak, weakItems)
	d.validatePass(&p)
	return errors.Join(p...)
}

func validateItems(p *problems, place string, got []AuditItem, want []item) {
	if len(got) != len(want) {
		p.add(place, "found %s, want %d", counted(len(got), "item"), len(want))
		return
	}
	for i, it := range got {
		at := fmt.Sprintf("%s[%d]", place, i)
		word(p, at+".name", it.Name, want[i].name)
		word(p, at+".answer", it.Answer, ItemOK, ItemOpen, ItemNone)
		told(p, at+".text", it.Text)
		if it.Answer == ItemNone {
			word(p, at+".name", it.Name, ItemSingleSurface, ItemPositiveControls, ItemAggregate)
		}
	}
}

// validatePass holds a pass to what it says it stands on.
func (d Decision) validatePass(p *problems) {
	if !d.Verdict.Pass() {
		return
	}
	if d.Measured.Counted <= 0 || d.TierMet == "" {
		p.add("verdict", "found %s with %s that count and tier met %q, want both", d.Verdict, counted(d.Measured.Counted, "cycle"), d.TierMet)
	}
	if d.Verdict != PassHardening {
		return
	}
	if d.Measured.Faults <= 0 || d.Measured.Seeds < seedsAgree || d.TierMet.rank() < Hardening.rank() {
		p.add("verdict", "found %s with %s, %s and tier met %q, want 1, %d and hardening at least", d.Verdict,
			counted(d.Measured.Faults, "fault"), counted(d.Measured.Seeds, "seed"), d.TierMet, seedsAgree)
	}
	if open := d.Open(); len(open) > 0 {
		p.add("verdict", "found %s with an open item: %s", d.Verdict, open[0].Name)
	}
}

// Validate says all that is malformed in the session's verdict, and whether it is another than its
// own counts allow.
func (s SessionDecision) Validate() error {
	var p problems
	word(&p, "verdict", s.Verdict, SessionVerdicts...)
	passes, others := 0, 0
	for i, c := range s.Counts {
		word(&p, fmt.Sprintf("counts[%d].verdict", i), c.Verdict, Verdicts...)
		least(&p, fmt.Sprintf("counts[%d].count", i), c.Count, 1)
		if c.Verdict.Pass() {
			passes += c.Count
		} else {
			others += c.Count
		}
	}
	if s.Verdict == SessionDone && (passes == 0 || others > 0 || len(s.Reasons) > 0) {
		p.add("verdict", "found %s with %d passes, %d others and %s, want passes alone", s.Verdict, passes, others, counted(len(s.Reasons), "reason"))
	}
	if (s.Verdict == SessionFail) != (s.count(FailReproducible) > 0) {
		p.add("verdict", "found %s with %d of %s", s.Verdict, s.count(FailReproducible), FailReproducible)
	}
	if n := s.count(FailNondeterministic); len(s.StayedAway)+len(s.Untried) != n {
		p.add("stayed_away", "found %d names there and in untried, want %d", len(s.StayedAway)+len(s.Untried), n)
	}
	return errors.Join(p...)
}

// Validate says all that is malformed in where a finding is placed.
func (a Axes) Validate() error {
	var p problems
	word(&p, "verdict", a.Verdict, Verdicts...)
	word(&p, "reduction_class", a.Class, ReductionClasses...)
	told(&p, "reduction.why", a.Reduction.Why)
	least(&p, "reduction.left", min(a.Reduction.Left, a.Reduction.Runs), 0)
	least(&p, "reduction.events", a.Reduction.Events, a.Reduction.Left)
	word(&p, "placing.taxonomy", a.Placing.Taxonomy, Taxonomies...)
	word(&p, "placing.severity", a.Placing.Severity, Severities...)
	for i, t := range a.Placing.Tags {
		word(&p, fmt.Sprintf("placing.tags[%d]", i), t, Tags...)
	}
	return errors.Join(p...)
}
