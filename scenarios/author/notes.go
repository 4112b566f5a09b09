package author

import (
	"fmt"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// notes writes what the plan says of a scenario.
func (b *body) notes(u *unit) {
	s := u.scenario
	b.comment(plain(u.Scenario)+":", u.name)
	b.line("//")
	for _, id := range u.claims {
		b.note("Claim "+plain(id), b.claim(id))
	}
	b.note("Falsifies:", s.Falsifies)
	b.note("Workload:", s.Workload)
	b.note("Observability:", s.Observed)
	b.note("Exit criteria:", s.Exit)
	if m := s.Model; m != nil {
		b.note("History:", m.History)
		b.note("Checker:", m.Checker)
		b.note("Nemesis:", m.Nemesis)
		b.note("Ambiguous outcomes:", m.Ambiguous)
		b.note("Reduction:", m.Reduction)
	}
	for _, a := range u.arms {
		if a.ID != u.Scenario {
			b.comment("Arm "+plain(a.ID)+":", fmt.Sprintf("claims %s; surfaces %s", strings.Join(a.Claims, ", "), listed(a.Surfaces)))
		}
	}
}

// listed shows a list of the plan.
func listed(l plan.List[string]) string {
	if l.None != "" {
		return "none, because " + l.None
	}
	return strings.Join(l.Items, ", ")
}

// claim is a claim's category and text.
func (b *body) claim(id string) string {
	for _, c := range b.skeleton.plan.Claims {
		if c.ID == id {
			return fmt.Sprintf("(%s): %s", c.Category, c.Text)
		}
	}
	for _, c := range b.skeleton.plan.Unstated.Items {
		if c.ID == id {
			return fmt.Sprintf("(%s): %s", c.Category, c.Text)
		}
	}
	return ""
}

// matrix asks for what the plan's matrix has of some of its fields.
func (b *body) matrix(u *unit, fields ...matrixField) {
	if u.scenario.Matrix == nil {
		return
	}
	for _, f := range fields {
		if text := f.of(u.scenario.Matrix); strings.TrimSpace(plain(text)) != "" {
			b.todo(u.Scenario, f.name+": "+text)
		}
	}
}

// matrixField is a row of a matrix.
type matrixField struct {
	name string
	of   func(*plan.Matrix) string
}

// controlFields are what the calls of a boundary go by.
var controlFields = []matrixField{
	{"keys", func(m *plan.Matrix) string { return m.Keys }},
	{"operations", func(m *plan.Matrix) string { return m.Operations }},
	{"positive controls", func(m *plan.Matrix) string { return m.Positive }},
	{"negative controls", func(m *plan.Matrix) string { return m.Negative }},
	{"confusable identifiers", func(m *plan.Matrix) string { return m.Confusable }},
	{"delayed paths", func(m *plan.Matrix) string { return m.Delayed }},
	{"background paths", func(m *plan.Matrix) string { return m.Background }},
	{"observability paths", func(m *plan.Matrix) string { return m.Observability }},
}

// loadFields are what the calls of groups go by.
var loadFields = []matrixField{controlFields[0], controlFields[1]}

// ruleFields are what an oracle's rules go by.
var ruleFields = []matrixField{
	{"oracle", func(m *plan.Matrix) string { return m.Oracle }},
	{"budgets", func(m *plan.Matrix) string { return m.Budgets }},
}
