package verdict

import "slices"

// The three items here are the only ones that may not apply, with a reason of the plan's.

// askSurfaces lets an arm be of one surface; one that is planned is never let off.
func (e *Evidence) askSurfaces() (Answer, string) {
	used := e.distinct(func(c Cycle) []string { return c.Surfaces })
	left := slices.DeleteFunc(slices.Clone(e.Surfaces), func(s string) bool { return slices.Contains(used, s) })
	reason := e.exempt(ItemSingleSurface)
	switch {
	case len(left) > 0:
		return open("planned and not exercised: %s", listed(left))
	case len(used) > 1:
		return ok("%s: %s", counted(len(used), "surface"), listed(used))
	case reason != "":
		return ItemNone, reason
	}
	return open("found %s, want 2 at least", counted(len(used), "surface"))
}

// askControls is not let off for a claim of a boundary: what is denied is the claim.
func (e *Evidence) askControls() (Answer, string) {
	var sum Controls
	for _, c := range e.ended() {
		sum.Positive += c.Controls.Positive
		sum.Negative += c.Controls.Negative
	}
	reason := e.exempt(ItemPositiveControls)
	switch {
	case sum.Positive > 0 && sum.Negative > 0:
		return ok("%d positive, %d negative", sum.Positive, sum.Negative)
	case reason != "" && !e.claims(Boundary):
		return ItemNone, reason
	}
	return open("%d positive, %d negative, want both", sum.Positive, sum.Negative)
}

func (e *Evidence) askAggregate() (Answer, string) {
	g, reason := e.Grouping, e.exempt(ItemAggregate)
	switch {
	case !e.claims(Fairness) && reason != "":
		return ItemNone, reason
	case !e.claims(Fairness) && len(e.Claims) > 0:
		return ItemNone, "no claim is one of fairness"
	case g.Scope == Aggregate:
		return open("%s is of all groups together", orNone(g.Percentile))
	case g.Scope != PerGroup || g.Percentile == "":
		return open("what percentile the oracle judges by, and of what, is not told")
	case g.Groups < 2:
		return open("found %s, want 2 at least", counted(g.Groups, "group"))
	}
	return ok("%s of each of %d groups", g.Percentile, g.Groups)
}
