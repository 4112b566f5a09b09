package session

import (
	"context"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/capability"
	"github.com/orrery-sim/orrery/scenarios/plan"
)

// Prober finds out whether the machine has what a plan needs.
type Prober struct {
	Said     capability.Answers // given without a terminal
	Policy   capability.Policy
	Terminal *capability.Terminal
	Env      *capability.Env
}

// Probe asks the user first, if there is one, then probes every need, and installs what
// is missing as far as that is allowed. The answers are what was given and what was said.
func (p Prober) Probe(ctx context.Context, needs []plan.Need) ([]Capability, capability.Answers, error) {
	known := capability.Known()
	wanted := make([]capability.Need, len(needs))
	for i, n := range needs {
		wanted[i] = capability.Need{Item: n.Item, Floor: floor(n.Floor), UsedBy: n.UsedBy.Items, Hint: plan.Written(n.Install)}
	}
	said, err := known.Ask(p.Terminal, wanted)
	if err != nil {
		return nil, p.Said, &UsageError{err}
	}
	said.Have, said.Skip = append(p.Said.Have, said.Have...), append(p.Said.Skip, said.Skip...)
	table, err := known.Examine(ctx, p.Env, wanted, said)
	if err != nil {
		return nil, said, &UsageError{err}
	}
	if err := table.Install(ctx, p.Env, p.Terminal, p.Policy); err != nil {
		return nil, said, err
	}
	out := make([]Capability, len(table.Rows))
	for i, r := range table.Rows {
		out[i] = Capability{
			Need: r.Need, Found: r.Found, Status: r.Status, Note: strings.Join(r.Notes, "; "), Install: r.HowToInstall(),
			Substitute: plan.Written(needs[i].Substitute),
		}
	}
	return out, said, nil
}

// floor is the least version, "" if the plan says that there is none.
func floor(text string) string {
	text = plan.Written(text)
	return strings.TrimSpace(strings.TrimPrefix(text, ">="))
}

// UsageError is the caller's mistake: in the plan, the answers, or the session's folder.
type UsageError struct{ err error }

func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *UsageError) Unwrap() error { return e.err }
