package stdsuite

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table is what came of all tests, package by package.
type Table struct {
	packages []string
	outcomes map[string][]Outcome
}

// Add adds what came of the tests of a package.
func (t *Table) Add(path string, outcomes []Outcome) {
	if t.outcomes == nil {
		t.outcomes = map[string][]Outcome{}
	}
	t.packages = append(t.packages, path)
	t.outcomes[path] = outcomes
}

// count counts the tests of a package with a verdict.
func (t *Table) count(path string, v Verdict) (n int) {
	for _, o := range t.outcomes[path] {
		if o.Verdict == v {
			n++
		}
	}
	return n
}

// Passing is the share of all tests of a package, those left out included, that
// passed.
func (t *Table) Passing(path string) float64 {
	return float64(t.count(path, Passed)) / float64(len(t.outcomes[path]))
}

// Write writes the table, then each test that is left out, skipped or failed with
// its reason, as Markdown.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| package | tests | pass | | skipped | left out | failed |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range t.packages {
		fmt.Fprintf(&b, "| `%s` | %d | %d | %.1f%% | %d | %d | %d |\n", p, len(t.outcomes[p]), t.count(p, Passed), 100*t.Passing(p),
			t.count(p, Skipped), t.count(p, Omitted), t.count(p, Failed))
	}
	for _, part := range []struct {
		verdict Verdict
		title   string
	}{{Failed, "Failed"}, {Omitted, "Left out"}, {Skipped, "Skipped by themselves"}} {
		t.reasons(&b, part.title, part.verdict)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// reasons writes the tests with a verdict, by reason.
func (t *Table) reasons(b *strings.Builder, title string, v Verdict) {
	type key struct{ reason, path string }
	tests := map[key][]string{}
	var reasons []string
	for _, p := range t.packages {
		for _, o := range t.outcomes[p] {
			if o.Verdict != v {
				continue
			}
			if !slices.Contains(reasons, o.Reason) {
				reasons = append(reasons, o.Reason)
			}
			k := key{o.Reason, p}
			tests[k] = append(tests[k], o.Test)
		}
	}
	if len(reasons) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", title)
	for _, reason := range reasons {
		fmt.Fprintf(b, "- %s:", reason)
		for _, p := range t.packages {
			if names := tests[key{reason, p}]; names != nil {
				fmt.Fprintf(b, " `%s` %s.", p, strings.Join(names, ", "))
			}
		}
		b.WriteString("\n")
	}
}
