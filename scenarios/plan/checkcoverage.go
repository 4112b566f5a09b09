package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// coverage tells of claims and hypotheses that the plan leaves alone without a
// word, and of arguments that do not fit.
func (c *checker) coverage() {
	p := c.p
	for i, row := range p.Coverage {
		at := place{fmt.Sprintf("coverage-matrix.%d", i), fmt.Sprintf("coverage-matrix %d", i+1)}
		if slices.ContainsFunc(p.Coverage[:i], func(o Coverage) bool { return o.Claim == row.Claim && o.Hypothesis == row.Hypothesis }) && !silent(row.Claim) {
			c.fail(at, fmt.Sprintf("%s by %s a second time", row.Claim, row.Hypothesis), "each pair once", "take one of them out")
		}
		if row.Covered == CoveredFully && row.Gap != GapNone && row.Gap != "" {
			c.fail(at.field("gap"), quote(string(row.Gap)), "none, since it is covered", "make it partial, or the gap none")
		}
		if (row.Covered == CoveredPart || row.Covered == CoveredNot) && row.Gap == GapNone {
			c.fail(at.field("gap"), "none", fmt.Sprintf("what is missing, since it is %s", shown(row.Covered)), "name the gap")
		}
	}
	for i, claim := range p.Claims {
		c.claim(claim.ID, place{fmt.Sprintf("claims.%d", i), claim.ID})
	}
	for i, claim := range p.Unstated.Items {
		c.claim(claim.ID, place{fmt.Sprintf("unstated-claims.%d", i), claim.ID})
	}
	for i, h := range p.Hypotheses {
		c.hypothesis(h.ID, place{fmt.Sprintf("hypotheses.%d", i), h.ID})
	}
	c.techniques()
	c.adequacy()
}

func shown(covered Covered) string {
	if covered == CoveredNot {
		return "not covered"
	}
	return string(covered)
}

// claim tells of a claim that no scenario is about.
func (c *checker) claim(id string, at place) {
	if silent(id) {
		return
	}
	if !slices.ContainsFunc(c.p.Scenarios, func(s Scenario) bool { return slices.Contains(s.Claims, id) }) {
		if !c.p.setAside(id) {
			c.fail(at, "no scenario about it", "one at least", "add a scenario, or name "+id+" in residual-uncertainty, non-goals or follow-ups")
		}
		return
	}
	if !slices.ContainsFunc(c.p.Coverage, func(r Coverage) bool { return r.Claim == id }) {
		c.warn(at, "no row in the coverage matrix", "one at least", "say how well it is covered before this plan")
	}
	if !slices.ContainsFunc(c.p.Adequacy, func(a Adequacy) bool { return a.Claim == id }) {
		c.warn(at, "no row in adequacy", "one", "argue why its scenarios are enough")
	}
}

// hypothesis tells of one that no scenario closes.
func (c *checker) hypothesis(id string, at place) {
	if silent(id) {
		return
	}
	if !slices.ContainsFunc(c.p.Scenarios, func(s Scenario) bool { return slices.Contains(s.Hypotheses.Items, id) }) && !c.p.setAside(id) {
		c.fail(at, "no scenario that closes it", "one at least", "add it to what a scenario closes, or name "+id+" in residual-uncertainty, non-goals or follow-ups")
	}
	if !slices.ContainsFunc(c.p.Coverage, func(r Coverage) bool { return r.Hypothesis == id }) {
		c.warn(at, "no row in the coverage matrix", "one at least", "say how well it is covered before this plan")
	}
}

// setAside says whether the plan tells that it leaves something alone.
func (p *Plan) setAside(id string) bool {
	word := regexp.MustCompile(`(^|[^\w/.-])` + regexp.QuoteMeta(id) + `($|[^\w/-])`)
	texts := slices.Concat(p.Residual.Items, p.NonGoals.Items, p.FollowUps.Items)
	return word.MatchString(strings.Join(texts, "\n"))
}

func (c *checker) techniques() {
	for i, t := range c.p.Techniques.Items {
		used := func(s Scenario) bool { return s.Technique == t.Technique }
		if !silent(t.Technique) && !slices.ContainsFunc(c.p.Scenarios, used) {
			c.warn(place{fmt.Sprintf("techniques.%d", i), t.Technique}, "no scenario of this technique", "one at least", "use it, or take it out")
		}
	}
}

// adequacy tells of arguments that rest on scenarios about something else.
func (c *checker) adequacy() {
	for i, a := range c.p.Adequacy {
		at := place{fmt.Sprintf("adequacy.%d.scenarios", i), fmt.Sprintf("adequacy %d: scenarios", i+1)}
		for _, s := range c.p.Scenarios {
			if slices.Contains(a.Scenarios, s.ID) && !slices.Contains(s.Claims, a.Claim) {
				c.warn(at, fmt.Sprintf("%s, which is not about %s", s.ID, a.Claim), "scenarios about the claim", "add the claim to the scenario, or take the scenario out")
			}
		}
	}
}
