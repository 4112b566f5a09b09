package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// github tells GitHub Actions, if this is one of its jobs, of a sweep: an
// annotation for each kind of failure, and a table in the job's summary. Annotations
// are commands on the standard error, so that results stay as they are.
func (a *app) github(r *report) error {
	if a.getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	for _, n := range r.annotations() {
		fmt.Fprintf(a.stderr, "::%s title=%s::%s\n", n.level, githubEscape(r.scenario.Name+": "+n.title, ":,"), githubEscape(n.text, ""))
	}
	name := a.getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(filepath.Clean(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return errors.Join(r.githubTable(file), file.Close())
}

// annotation is a line that GitHub shows above a job's log.
type annotation struct{ level, title, text string }

// annotations are errors for what fails, and notices for what is no reason to.
func (r *report) annotations() (out []annotation) {
	for _, f := range r.failures {
		v, state := f.First.Output.Violation, r.state(f.Signature)
		out = append(out, annotation{r.level(f.Signature), v.Oracle + r.mark(f.Signature), fmt.Sprintf("%s (seed %d, %s)\n%s",
			v.Message, f.First.Seed, counted(int(f.Count), "failure", "failures"), f.replay)})
		if state == "known" {
			out[len(out)-1].text += "\n" + f.Known.String()
		}
	}
	for _, t := range r.summary.Findings {
		switch {
		case t.Seen:
		case t.Fails():
			out = append(out, annotation{r.level(t.Signature), t.Reproducer.Expect.Oracle + r.mark(t.Signature),
				fmt.Sprintf("%s (its reproducer fails: %s)", t.Message, t.File())})
		case t.Note == "" && t.Resolved.Identity == r.settings.Identity:
			out = append(out, annotation{"notice", t.Reproducer.Expect.Oracle + ", resolved", t.Message})
		}
	}
	for _, k := range r.summary.NotSeen() {
		out = append(out, annotation{"notice", "known, not seen", fmt.Sprintf("%s\n%s: take it out of %s if it is fixed", k.Signature, k, run.KnownFile)})
	}
	return out
}

func (r *report) level(signature string) string {
	if r.summary.IsKnown(signature) {
		return "notice"
	}
	return "error"
}

// mark is a failure's state for a title, which says nothing of one that is new.
func (r *report) mark(signature string) string {
	if state := r.state(signature); state != string(run.FindingNew) {
		return ", " + state
	}
	return ""
}

// githubEscape escapes a text as a workflow command's data, or as its property
// if more is to be escaped.
func githubEscape(text, more string) string {
	pairs := []string{"%", "%25", "\r", "%0D", "\n", "%0A"}
	for _, c := range more {
		pairs = append(pairs, string(c), fmt.Sprintf("%%%02X", c))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// githubTable is the job's summary.
func (r *report) githubTable(w io.Writer) error {
	var b strings.Builder
	s := r.summary
	fmt.Fprintf(&b, "### %s: %s of %s seeds passed\n\n", r.scenario.Name, count(s.Verdicts[run.Pass]), count(s.Seeds))
	var rows []string
	for _, f := range r.failures {
		v, state := f.First.Output.Violation, r.state(f.Signature)
		if f.Known != nil {
			state += ": " + f.Known.Issue
		}
		rows = append(rows, tableRow(state, count(f.Count), v.Oracle+": "+v.Message, "`"+f.replay+"`"))
	}
	for _, t := range s.Findings {
		if !t.Seen {
			rows = append(rows, tableRow(string(t.State), "", t.Reproducer.Expect.Oracle+": "+t.Message, strings.TrimSpace(t.File()+" "+t.Note)))
		}
	}
	for _, k := range s.NotSeen() {
		rows = append(rows, tableRow("known, not seen: "+k.Issue, "", k.Signature, ""))
	}
	for _, why := range r.noVerdict() {
		rows = append(rows, tableRow("no verdict", "", firstLines(why, 1), ""))
	}
	if len(rows) > 0 {
		b.WriteString("| state | seeds | failure | replay |\n|---|---:|---|---|\n" + strings.Join(rows, ""))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func tableRow(cells ...string) string {
	escape := strings.NewReplacer("|", `\|`, "\n", " ")
	for i := range cells {
		cells[i] = escape.Replace(cells[i])
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}
