package plan

import (
	"fmt"
	"reflect"
)

// budget checks the tiers: that each says how much, and that they go up.
func (c *checker) budget(s *Scenario, at place) {
	b := s.Budget
	c.tier(s, b.Smoke, at.field("smoke"))
	c.tier(s, b.Hardening, at.field("hardening"))
	smoke, hardening := at.field("smoke"), at.field("hardening")
	if b.Smoke != (Tier{}) && b.Hardening != (Tier{}) && !c.told(smoke.path) && !c.told(hardening.path) {
		c.above(s, b.Smoke, b.Hardening, hardening)
	}
	const agree = 3
	if n := b.Hardening.Seeds; n > 0 && n < agree {
		c.fail(hardening.field("seeds"), fmt.Sprint(n), fmt.Sprintf("%d at least, since so many have to agree", agree), "ask for more seeds")
	}
	release := at.field("release")
	switch {
	case b.Release != Tier{}:
		c.tier(s, b.Release, release)
		c.atLeast(b.Hardening, b.Release, release)
		if b.NoRelease != (NoRelease{}) {
			c.fail(release, "a tier, and a reason for none", "one of both", "take one out")
		}
	case silent(b.NoRelease.Because) || silent(b.NoRelease.Revisit):
		c.fail(release, "nothing", `a tier, or "none, because WHY; revisit when WHEN"`, "say how much a release takes, or why nothing and when to think about it again")
	}
}

// measure is one count of a tier.
type measure struct {
	name string
	want string
	n    int64
	show string
}

func (t Tier) measures() []measure {
	var out []measure
	v := reflect.ValueOf(t)
	for _, f := range fieldsOf(v.Type()) {
		n := v.Field(f.index)
		out = append(out, measure{f.name, f.want, n.Int(), fmt.Sprint(n)})
	}
	return out
}

// faulty says whether any faults are planned, or may be: without, no tier counts
// them.
func (s *Scenario) faulty() bool {
	for _, a := range s.Arms {
		if a.Faults.None == "" {
			return true
		}
	}
	return s.Faults.None == ""
}

func (c *checker) tier(s *Scenario, t Tier, at place) {
	if c.unwritten(at) && t == (Tier{}) {
		c.fail(at, "nothing", "configurations, duration, faults and seeds", "write how much the tier takes")
		return
	}
	for _, m := range t.measures() {
		here := at.field(m.name)
		switch {
		case m.n < 0:
			c.fail(here, m.show, "0 or more", "write a count")
		case m.n == 0 && (m.name != "faults" || c.unwritten(here)):
			c.fail(here, "nothing", m.want, "write it")
		case m.n > 0 && m.name == "faults" && !s.faulty():
			c.fail(here, m.show, "0, since the scenario plans no faults", "write 0, or plan faults")
		}
	}
	if have := max(1, len(s.Configs.Items)); t.Configurations > have {
		c.fail(at.field("configurations"), fmt.Sprint(t.Configurations), fmt.Sprintf("%d at most, as many as the scenario has", have), "name more configurations, as three: nodes=3; five: nodes=5, or ask for fewer")
	}
}

// unwritten says whether a field that was read has nothing in it.
func (c *checker) unwritten(at place) bool {
	return c.p.source.lines != nil && c.p.source.lines[at.path] == 0
}

func (c *checker) above(s *Scenario, low, high Tier, at place) {
	lows := low.measures()
	for i, m := range high.measures() {
		if l := lows[i]; l.n > 0 && m.n > 0 && m.n <= l.n || m.name == "faults" && m.n == 0 && s.faulty() && !c.unwritten(at.field(m.name)) {
			c.fail(at.field(m.name), m.show, "more than the smoke tier's "+l.show, "ask for more: hardening is above smoke on every count")
		}
	}
}

func (c *checker) atLeast(low, high Tier, at place) {
	lows := low.measures()
	for i, m := range high.measures() {
		if l := lows[i]; m.n < l.n && (m.n > 0 || m.name == "faults" && !c.unwritten(at.field(m.name))) {
			c.fail(at.field(m.name), m.show, "at least the hardening tier's "+l.show, "ask for as much or more")
		}
	}
}
