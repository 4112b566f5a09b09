package capability

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status is what comes of a need.
type Status string

// The states of a need. Present and Have fill it, the others do not.
const (
	Present Status = "present"
	Have    Status = "taken as present" // the user said so
	Missing Status = "missing"
	Old     Status = "too old" // below the floor, or its version is not known
	Skipped Status = "skipped" // the user wants it treated as missing
)

// Row is a need, and what comes of it.
type Row struct {
	Need   Need
	Probe  Probe // its Check is nil if none knows the need
	Found  Found // by the probe, whatever the user said
	Status Status
	Notes  []string // what the user said beside what was found, and what was installed
}

// Met reports whether the need is filled.
func (r Row) Met() bool { return r.Status == Present || r.Status == Have }

// Table is every need of a plan, in the plan's order.
type Table struct {
	Rows  []Row
	Notes []string // answers that are about no need
}

// Lacking returns the rows of needs of a scenario, or of an arm, that are not filled.
func (t *Table) Lacking(scenario string) []Row {
	var out []Row
	for _, r := range t.Rows {
		if !r.Met() && r.Need.usedBy(scenario) {
			out = append(out, r)
		}
	}
	return out
}

// Examine probes what a plan needs, each thing once. The error is that of Match, or
// ctx's cause.
func (c Catalogue) Examine(ctx context.Context, env *Env, needs []Need, said Answers) (*Table, error) {
	probes, err := c.Match(needs, said)
	if err != nil {
		return nil, err
	}
	t := &Table{}
	found := map[string]Found{}
	for i, n := range needs {
		p := probes[i]
		if _, done := found[p.Name]; !done {
			found[p.Name] = p.check(ctx, env)
		}
		r := Row{Need: n, Probe: p, Found: found[p.Name]}
		r.judge(said.about(c, n.Item))
		t.Rows = append(t.Rows, r)
	}
	t.Notes = said.unused(c, needs)
	return t, context.Cause(ctx)
}

// check probes, within the time for it.
func (p Probe) check(ctx context.Context, env *Env) Found {
	if p.Check == nil {
		return Found{How: "no probe", Reason: "no probe knows it"}
	}
	limit := env.Timeout
	if limit <= 0 {
		limit = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	f := p.Check(ctx, env)
	if !f.Present && ctx.Err() == context.DeadlineExceeded {
		f.Reason = fmt.Sprintf("no answer within %v", limit)
	}
	return f
}

// probed is the status that the probe alone gives.
func (r *Row) probed() Status {
	switch {
	case !r.Found.Present:
		return Missing
	case !reaches(r.Found.Version, r.Need.Floor):
		return Old
	}
	return Present
}

// judge decides the status by what the user said and what was found.
func (r *Row) judge(said answer) {
	found := r.probed()
	r.Status = found
	switch said {
	case answerHave:
		r.Status = Have
		r.Notes = append(r.Notes, "the user has it; "+r.agrees(found, Present))
	case answerSkip:
		r.Status = Skipped
		r.Notes = append(r.Notes, "the user skips it; "+r.agrees(found, Missing))
	}
}

// agrees tells of the probe beside what the user said.
func (r *Row) agrees(found, said Status) string {
	if r.Probe.Check == nil {
		return "no probe knows it"
	}
	if (found == Present) == (said == Present) {
		return "the probe agrees: " + string(found)
	}
	return "the probe disagrees: " + string(found)
}

// Markdown returns the table as a section of a session's log.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("## Capabilities\n\n")
	if len(t.Rows) == 0 {
		b.WriteString("The plan needs none.\n")
	} else {
		b.WriteString("| item | needed by | status | version | how found | how to install | note |\n|---|---|---|---|---|---|---|\n")
	}
	for _, r := range t.Rows {
		by := strings.Join(r.Need.UsedBy, ", ")
		if by == "" {
			by = "all"
		}
		how := r.Found.How
		if r.Found.Reason != "" {
			how += ": " + r.Found.Reason
		}
		cells := []string{r.Need.String(), by, string(r.Status), r.Found.Version, how, r.HowToInstall(), strings.Join(r.Notes, "; ")}
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	for i, n := range t.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s\n", n)
	}
	return b.String()
}

// ways are the commands that may fill the need.
func (r Row) ways() []Way {
	if r.Found.Installed && r.probed() == Missing {
		return nil
	}
	return r.Probe.Ways
}

// HowToInstall says how to install what is missing or too old, by the plan and by what is known.
func (r Row) HowToInstall() string {
	if r.probed() == Present {
		return ""
	}
	var ways []string
	for _, w := range r.ways() {
		ways = append(ways, w.String())
	}
	for _, hint := range []string{r.Need.Hint, r.Probe.Hint} {
		if hint != "" && !slices.Contains(ways, hint) {
			ways = append(ways, hint)
		}
	}
	return strings.Join(ways, ", or ")
}
