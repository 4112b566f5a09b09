package plan

import (
	"fmt"
	"strings"
)

// Form is a way to write a plan.
type Form string

// The forms of plans.
const (
	FormMarkdown Form = "markdown"
	FormYAML     Form = "yaml"
)

// New returns a plan with nothing in it but its name and one claim, hypothesis,
// technique and scenario that refer to each other. [Plan.Check] lists what remains
// to be written.
func New(name string) *Plan {
	return &Plan{
		Name:       name,
		Claims:     []Claim{{ID: "C1"}},
		Hypotheses: []Hypothesis{{ID: "H1", Claim: "C1"}},
		Coverage:   []Coverage{{Claim: "C1", Hypothesis: "H1"}},
		Techniques: List[Technique]{Items: []Technique{{}}},
		Needs:      List[Need]{Items: []Need{{UsedBy: List[string]{Items: []string{"S1"}}}}},
		Scenarios: []Scenario{{
			ID: "S1", Hypotheses: List[string]{Items: []string{"H1"}}, Claims: []string{"C1"}, Model: &Model{},
		}},
		Adequacy: []Adequacy{{Claim: "C1", Scenarios: []string{"S1"}}},
	}
}

// Start writes a starting plan, [New]'s, in which comments say what belongs in the
// empty fields. It is an error if the name is empty or has several lines.
func Start(name string, form Form) ([]byte, error) {
	if silent(name) || strings.ContainsAny(name, "\r\n") {
		return nil, fmt.Errorf("plan: found the name %q, want one line of text: name what is tested", name)
	}
	p := New(tidy(name))
	switch form {
	case FormMarkdown:
		return p.markdown(withHints)
	case FormYAML:
		return p.yaml(withHints)
	}
	return nil, fmt.Errorf("plan: found the form %q, want %s or %s", form, FormMarkdown, FormYAML)
}
