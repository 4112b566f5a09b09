package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// blocks returns the fenced blocks of a Markdown file.
func blocks(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, part := range strings.Split(string(text), "\n```") {
		if i%2 == 1 {
			_, body, _ := strings.Cut(part, "\n")
			out = append(out, body)
		}
	}
	return out
}

// readmeGo is the Go release whose runs the README shows: another's standard library
// makes other choices.
const readmeGo = "go1.26."

// TestReadme runs the commands that the README shows behind a $. With the Go of
// the README it wants the lines that are shown after each, in that order, among
// what they print.
func TestReadme(t *testing.T) {
	ran := 0
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, "README.md") {
		line, shown, _ := strings.Cut(b, "\n")
		args, ok := strings.CutPrefix(line, "$ go run ./cmd/orrery ")
		if !ok {
			continue
		}
		ran++
		t.Chdir(filepath.Join(here, top))
		var stdout, stderr bytes.Buffer
		code := Main(strings.Fields(args), &stdout, &stderr, os.Environ())
		if code != exitViolation {
			t.Errorf("%s: exit code %d, want %d\n%s", args, code, exitViolation, stderr.String())
		}
		if !strings.HasPrefix(runtime.Version(), readmeGo) {
			continue
		}
		printed := strings.Split(stdout.String(), "\n")
		for want := range strings.Lines(shown) {
			want = strings.TrimRight(want, "\n")
			if strings.TrimSpace(want) == "..." || want == "" {
				continue
			}
			i := 0
			for i < len(printed) && printed[i] != want {
				i++
			}
			if i == len(printed) {
				t.Fatalf("%s: the README shows %q, which is not among what it prints now:\n%s", args, want, stdout.String())
			}
			printed = printed[i+1:]
		}
	}
	if ran < 2 {
		t.Errorf("the README shows %d commands with what they print, want 2", ran)
	}
}

// TestGuideFaults reads every fault that the guide shows.
func TestGuideFaults(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs/guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, part := range strings.Split(string(text), "`") {
		if i%2 == 1 && strings.HasPrefix(part, "at ") {
			n++
			line := strings.ReplaceAll(part, `\|`, "|")
			if got, err := appendFault(nil, line); err != nil || got[0] != line {
				t.Errorf("the guide shows %q: read as %q, %v", line, got, err)
			}
		}
	}
	if n < 9 {
		t.Errorf("the guide shows %d faults, want all kinds", n)
	}
}
