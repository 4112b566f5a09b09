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
// annotation for each bucket, and a table in the job's summary. Annotations are
// commands on the standard error, so that results stay as they are.
func (a *app) github(sc run.Scenario, s run.Summary, failures []failure) error {
	if a.getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	for _, f := range failures {
		v := f.First.Output.Violation
		fmt.Fprintf(a.stderr, "::error title=%s::%s\n", githubEscape(sc.Name+": "+v.Oracle, ":,"),
			githubEscape(fmt.Sprintf("%s (seed %d, %s)\n%s", v.Message, f.First.Seed, counted(int(f.Count), "failure", "failures"), f.replay), ""))
	}
	name := a.getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(filepath.Clean(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return errors.Join(githubTable(file, sc, s, failures), file.Close())
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

func githubTable(w io.Writer, sc run.Scenario, s run.Summary, failures []failure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s: %s of %s seeds passed\n\n", sc.Name, count(s.Verdicts[run.Pass]), count(s.Seeds))
	if len(failures) > 0 {
		b.WriteString("| seeds | failure | replay |\n|---:|---|---|\n")
	}
	for _, f := range failures {
		v := f.First.Output.Violation
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", count(f.Count), markdownCell(v.Oracle+": "+v.Message), markdownCell(f.replay))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownCell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
