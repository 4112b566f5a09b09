package plan

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is otherwise than this (write it with -update):\n%s", file, got)
	}
}

func shownExtract(x Extracted) string {
	var b strings.Builder
	for _, r := range x.Found {
		fmt.Fprintf(&b, "%d: %s %s\n", r.Line, r.Scenario, r.Text)
		line := func(name string, words ...string) {
			if len(words) > 0 && words[0] != "" {
				fmt.Fprintf(&b, "    %s: %s\n", name, strings.Join(words, ", "))
			}
		}
		line("workload", r.Workload...)
		line("faults", r.Faults...)
		line("no faults", r.Faultless)
		line("properties", words(r.Categories...)...)
	}
	b.WriteString("unread:\n")
	for _, u := range x.Unread {
		fmt.Fprintf(&b, "%d: %s (%s)\n", u.Line, u.Text, u.Why)
	}
	return b.String()
}

// Three notes of different styles give what was listed by hand: the golden files
// were read against the notes, item by item.
func TestExtract(t *testing.T) {
	for _, file := range []string{"terse.txt", "numbered.txt", "meeting.md"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "notes", file))
			if err != nil {
				t.Fatal(err)
			}
			x := Extract(file, string(text))
			golden(t, filepath.Join("testdata", "notes", file+".golden"), shownExtract(x))
			checkHandedBack(t, x)
		})
	}
}

// What was extracted is handed back: each scenario without an oracle and exit
// criteria is named, at its line of the notes.
func checkHandedBack(t *testing.T, x Extracted) {
	t.Helper()
	problems := x.Plan.Check()
	if problems.Err() == nil {
		t.Fatal("notes alone passed as a plan")
	}
	for _, r := range x.Found {
		for _, field := range []string{"oracle", "exit-criteria"} {
			if !slices.ContainsFunc(problems, func(p Problem) bool {
				return p.Weight == HandBack && p.Line == r.Line && p.About == r.Scenario+": "+field
			}) {
				t.Errorf("%s of %s in line %d is missing and not told:\n%v", field, r.Scenario, r.Line, problems)
			}
		}
	}
	text, err := x.Plan.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if low := strings.ToLower(string(text)); strings.Contains(low, "todo") || strings.Contains(low, "tbd") {
		t.Errorf("the plan says TODO where it should say nothing:\n%s", text)
	}
}
