package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/orrery-sim/orrery/sim/run"
)

var comparedColumns = []string{"revision", "reproducer", "faults landed", "sweep", "verdict"}

// rows is the table of a comparison, a row a revision, without its head.
func (c *comparison) rows(j judgement) [][]string {
	var out [][]string
	for _, s := range []*side{&c.base, &c.fix} {
		row := []string{fmt.Sprintf("%s %s (%s)", s.flag, s.ref, s.short()), "not run", "-", c.swept(s), ""}
		if s.once != nil {
			row[1], row[2] = c.reproduced(s), landedOf(s.once.Output.Faults)
		}
		if s == &c.fix {
			row[4] = j.verdict
		}
		out = append(out, row)
	}
	return out
}

// reproduced is how the reproducer went.
func (c *comparison) reproduced(s *side) string {
	out := s.once.Output
	switch {
	case out.Verdict != run.Violated:
		return ended(out.Result)
	case c.fails(s):
		return "fails"
	}
	return "another failure"
}

func landedOf(faults []run.Fault) string {
	n := 0
	for _, f := range faults {
		if f.Landed {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(faults))
}

// swept is how the sweep went.
func (c *comparison) swept(s *side) string {
	if s == &c.base && s.sweep == nil && c.foundAt > 0 {
		return fmt.Sprintf("found in %s", counted(int(c.foundAt), "seed", "seeds"))
	}
	if s.sweep == nil {
		return "not run"
	}
	if b := c.same(s.sweep); b != nil {
		return fmt.Sprintf("fails at seed %d", b.First.Seed)
	}
	var parts []string
	for _, v := range verdicts {
		if n := s.sweep.Verdicts[v]; n > 0 {
			parts = append(parts, count(n)+" "+string(v))
		}
	}
	return fmt.Sprintf("%s: %s", counted(int(s.sweep.Seeds), "seed", "seeds"), strings.Join(parts, ", "))
}

// rerun is a line that repeats a run on a revision.
type rerun struct{ what, line string }

// reruns are the lines that repeat what the verdict rests on.
func (c *comparison) reruns() []rerun {
	var out []rerun
	add := func(s *side, what, line string) {
		out = append(out, rerun{fmt.Sprintf("%s on %s", what, s.revision), line})
	}
	for _, s := range []*side{&c.base, &c.fix} {
		if s.once == nil {
			continue
		}
		line := s.local.ReplayLine(c.request)
		if c.file != "" {
			line = "orrery replay --file " + run.ShellQuote(c.file)
			if pattern := s.local.Binary.Pattern(); pattern != "." {
				line += " " + run.ShellQuote(pattern)
			}
		}
		add(s, "the reproducer", line)
		if s.sweep == nil {
			continue
		}
		for _, b := range s.sweep.Buckets {
			req := c.config.Request
			req.Seed = b.First.Seed
			add(s, fmt.Sprintf("seed %d", req.Seed), s.local.ReplayLine(req))
		}
	}
	return out
}

// print prints the comparison for a person.
func (c *comparison) print(out io.Writer, j judgement) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, row := range append([][]string{comparedColumns}, c.rows(j)...) {
		fmt.Fprintln(w, strings.TrimSuffix(strings.Join(row, "\t"), "\t"))
	}
	w.Flush()
	fmt.Fprintf(out, "\n%s: %s\n", j.verdict, j.reason)
	for _, r := range c.reruns() {
		fmt.Fprintf(out, "    %s: %s\n", r.what, r.line)
	}
}

// markdown is the comparison as a part of a pull request.
func (c *comparison) markdown(j judgement) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, cell := range cells {
			fmt.Fprintf(&b, "| %s ", strings.ReplaceAll(cell, "|", `\|`))
		}
		b.WriteString("|\n")
	}
	fmt.Fprintf(&b, "### %s: %s\n\n", c.fix.scenario.Name, j.verdict)
	line(comparedColumns)
	b.WriteString(strings.Repeat("|---", len(comparedColumns)) + "|\n")
	for _, row := range c.rows(j) {
		line(row)
	}
	fmt.Fprintf(&b, "\n%s\n\n```\n", j.reason)
	for _, r := range c.reruns() {
		fmt.Fprintf(&b, "# %s\n%s\n", r.what, r.line)
	}
	b.WriteString("```\n")
	return b.String()
}

// compareLine is a comparison as a line of JSON, in the order of its fields.
type compareLine struct {
	Schema    string   `json:"schema"`
	Package   string   `json:"package"`
	Scenario  string   `json:"scenario"`
	Seed      uint64   `json:"seed,string"`
	Signature string   `json:"signature,omitempty"` // of the failure
	FoundAt   uint64   `json:"found_at,omitempty"`
	Base      sideLine `json:"base"`
	Fix       sideLine `json:"fix"`
	Verdict   string   `json:"verdict"`
	Reason    string   `json:"reason"`
	Exit      int      `json:"exit"`
}

type sideLine struct {
	Ref        string         `json:"ref"`
	Commit     string         `json:"commit"`
	Reproducer *seenLine      `json:"reproducer,omitempty"`
	Sweep      *sweptSideLine `json:"sweep,omitempty"`
}

// seenLine is how the reproducer went.
type seenLine struct {
	Verdict   run.Verdict    `json:"verdict"`
	Reason    string         `json:"reason,omitempty"`
	Hash      string         `json:"hash"`
	Faults    []run.Fault    `json:"faults"`
	Violation *run.Violation `json:"violation,omitempty"`
}

type sweptSideLine struct {
	Seeds    uint64                 `json:"seeds"`
	Verdicts map[run.Verdict]uint64 `json:"verdicts"` // sorted by encoding/json
	Fails    []sweptFailure         `json:"fails"`
}

type sweptFailure struct {
	Signature string `json:"signature"`
	First     uint64 `json:"first,string"`
	Count     uint64 `json:"count"`
}

func (c *comparison) writeJSON(w io.Writer, j judgement) error {
	line := compareLine{
		Schema: "orrery.compare/1", Package: c.fix.scenario.Binary.Package, Scenario: c.fix.scenario.Name, Seed: c.request.Seed,
		FoundAt: c.foundAt, Base: c.base.line(), Fix: c.fix.line(), Verdict: j.verdict, Reason: j.reason, Exit: j.exit(),
	}
	if c.expect != nil {
		line.Signature = c.expect.Expect.Signature
	}
	return encode(w, line)
}

func (s *side) line() sideLine {
	out := sideLine{Ref: s.ref, Commit: s.commit}
	if s.once != nil {
		r := s.once.Output.Result
		if r.Verdict.Lost() {
			r.Reason, _, _ = strings.Cut(r.Reason, "\n")
		}
		out.Reproducer = &seenLine{r.Verdict, r.Reason, r.Hash, orEmpty(r.Faults), r.Violation}
	}
	if s.sweep != nil {
		swept := &sweptSideLine{Seeds: s.sweep.Seeds, Verdicts: s.sweep.Verdicts, Fails: []sweptFailure{}}
		for _, b := range s.sweep.Buckets {
			swept.Fails = append(swept.Fails, sweptFailure{b.Signature, b.First.Seed, b.Count})
		}
		out.Sweep = swept
	}
	return out
}
