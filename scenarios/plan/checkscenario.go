package plan

import (
	"fmt"
	"slices"
	"strings"
)

func (c *checker) scenario(s *Scenario, at place) {
	if s.Oracles.None != "" && len(s.Arms) == 0 {
		c.handBack(at.field("oracle"), "none", "what decides: without it nothing is proven")
	}
	if None(s.Exit) != "" {
		c.handBack(at.field("exit-criteria"), "none", "when the scenario is over, and what must be true then")
	}
	c.binding(s, at)
	c.faults(s.Faults, Written(s.Driver), at.field("faults"))
	c.parameters(s.Parameters.Items, at.field("parameters"))
	c.configurations(s, at.field("configurations"))
	c.budget(s, at.field("budget"))
	categories := c.p.Categories(s.Claims)
	if i := slices.IndexFunc(categories, Category.NeedsModel); i >= 0 && s.Model == nil {
		c.fail(at.field("model"), "nothing", fmt.Sprintf("what the checker knows, since a claim is about %s", categories[i]), "add kind, history, checker, nemesis, ambiguous-outcomes and reduction-plan")
	}
	if i := slices.IndexFunc(categories, Category.NeedsMatrix); i >= 0 && s.Matrix == nil {
		c.fail(at.field("matrix"), "nothing", fmt.Sprintf("a matrix, since a claim is about %s", categories[i]), "add keys, surfaces, operations, controls, paths, oracle and budgets")
	}
	if s.Matrix != nil && !silent(s.Matrix.Claim) && !slices.Contains(s.Claims, s.Matrix.Claim) {
		c.fail(at.field("matrix").field("claim"), quote(s.Matrix.Claim), "a claim of the scenario: "+strings.Join(s.Claims, ", "), "write one of them, or add it to the scenario's claims")
	}
	for _, id := range s.Hypotheses.Items {
		if claim := c.p.hypothesisClaim(id); claim != "" && !slices.Contains(s.Claims, claim) {
			c.warn(at.field("closes"), fmt.Sprintf("%s, which is about %s", id, claim), "a hypothesis about a claim of the scenario: "+strings.Join(s.Claims, ", "), "add "+claim+" to the scenario's claims, or take "+id+" out")
		}
	}
	c.arms(s, at, categories)
}

func (p *Plan) hypothesisClaim(id string) string {
	for _, h := range p.Hypotheses {
		if h.ID == id {
			return h.Claim
		}
	}
	return ""
}

// binding asks for a test file or a driver. A target without a function is one
// that is not written yet.
func (c *checker) binding(s *Scenario, at place) {
	driver := Written(s.Driver)
	switch {
	case s.Target.Func != "" && driver != "":
		c.fail(at.field("driver"), "a driver beside the test "+quote(s.Target.Func), "one of both", "take one out: a scenario is run by a test or by a driver")
	case s.Target == Target{}:
		c.fail(at.field("target"), "nothing", "a test file and its function, as kv/kv_test.go#TestKV", `write it; the file alone if the test is not written yet; or "none, because a driver runs it"`)
	case s.Target.None != "" && driver == "":
		c.fail(at.field("target"), "none", "a test file, or a driver", "write the file that the test is to be in, or what runs the scenario")
	}
}

// Families returns the names of the faults that the engine has.
func Families() []string {
	return []string{"crash", "kill", "drain", "pause", "cut", "partition", "lose", "delay", "skew", "slow-disk", "lie-sync"}
}

// faults tells of families that the engine has not. A driver has its own.
func (c *checker) faults(l List[Named], driver string, at place) {
	var seen []string
	for i, f := range l.Items {
		here := place{join(at.path, fmt.Sprint(i)), at.about}
		if c.told(here.path) {
			continue
		}
		if slices.Contains(seen, f.Name) {
			c.fail(here, fmt.Sprintf("%s a second time", quote(f.Name)), "each family once", "put the details together")
		}
		seen = append(seen, f.Name)
		if driver == "" && !slices.Contains(Families(), f.Name) {
			c.fail(here, "the unknown fault "+quote(f.Name), "one of "+strings.Join(Families(), ", "), fmt.Sprintf("write %s if that was meant; a detail goes in parentheses after it", nearest(key(f.Name), Families())))
		}
	}
}

func (c *checker) parameters(params []Param, at place) {
	for i, p := range params {
		if p.Name != "" && slices.ContainsFunc(params[:i], func(q Param) bool { return q.Name == p.Name }) {
			c.fail(at, fmt.Sprintf("the parameter %s a second time", quote(p.Name)), "each once", "take one of them out")
		}
	}
}

func (c *checker) configurations(s *Scenario, at place) {
	for i, cfg := range s.Configs.Items {
		if cfg.Name != "" && slices.ContainsFunc(s.Configs.Items[:i], func(o Config) bool { return o.Name == cfg.Name }) {
			c.fail(at, fmt.Sprintf("the configuration %s a second time", quote(cfg.Name)), "a name of its own", "write another one")
		}
		params := Override(s.Parameters.Items, cfg.Parameters)
		if j := slices.IndexFunc(s.Configs.Items[:i], func(o Config) bool { return sameParams(params, Override(s.Parameters.Items, o.Parameters)) }); j >= 0 {
			c.fail(at, fmt.Sprintf("%s with the parameters of %s", quote(cfg.Name), quote(s.Configs.Items[j].Name)), "parameters of its own", "change one, or take the configuration out: it would be the same runs twice")
		}
		c.parameters(cfg.Parameters, at)
	}
}

// sameParams reports whether two lists of parameters set the same, in whatever order.
func sameParams(a, b []Param) bool {
	within := func(list []Param, p Param) bool { return slices.Contains(list, p) }
	return len(a) == len(b) &&
		!slices.ContainsFunc(a, func(p Param) bool { return !within(b, p) }) && !slices.ContainsFunc(b, func(p Param) bool { return !within(a, p) })
}
