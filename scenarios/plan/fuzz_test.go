package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seed adds files of testdata, and texts that are awkward.
func seed(f *testing.F, patterns ...string) {
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %v, %d files", pattern, err, len(files))
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	for _, text := range []string{"", "\n", "#", "# \n##\n###", "|", "# x\n|a|\n|-|\n||", "a: &a [*a]", "- - -", "<!--", "\xff\xfe", "\r", "```", "? :", "1. crash:\n  2) b"} {
		f.Add(text)
	}
}

// sane checks what holds for every text: problems are told where they are, in
// order, and what was read without any is written and read as the same plan.
func sane(t *testing.T, file, text string) {
	p, problems := Load(file, []byte(text))
	lines := strings.Count(strings.ReplaceAll(text, "\r", "\n"), "\n") + 1
	last := 0
	for _, problem := range problems {
		if problem.Line < max(1, last) || problem.Line > lines {
			t.Fatalf("line %d of %d, after line %d: %v", problem.Line, lines, last, problem)
		}
		last = problem.Line
	}
	if p == nil {
		if problems.Err() == nil {
			t.Fatal("no plan, and no error")
		}
		return
	}
	if p.Slug() == "" || len(p.Hash()) != 64 {
		t.Fatalf("slug %q, hash %q", p.Slug(), p.Hash())
	}
	if again, more := Load(file, []byte(text)); !Same(p, again) || more.Error() != problems.Error() {
		t.Fatalf("read twice, it is otherwise:\n%v\n%v", problems, more)
	}
	if problems.Err() == nil {
		if out, err := p.YAML(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	seed(f, "testdata/*.md", example)
	f.Fuzz(func(t *testing.T, text string) { sane(t, "fuzz.md", text) })
}

func FuzzYAML(f *testing.F) {
	seed(f, "testdata/*.yaml")
	f.Fuzz(func(t *testing.T, text string) { sane(t, "fuzz.yaml", text) })
}

func FuzzExtract(f *testing.F) {
	seed(f, "testdata/notes/*.txt", "testdata/notes/*.md", "testdata/*.md")
	f.Fuzz(func(t *testing.T, text string) {
		x := Extract("notes.txt", text)
		if len(x.Found) != len(x.Plan.Scenarios) {
			t.Fatalf("%d scenarios of %d items", len(x.Plan.Scenarios), len(x.Found))
		}
		lines := strings.Count(strings.ReplaceAll(text, "\r", "\n"), "\n") + 1
		for i, u := range x.Unread {
			if u.Line < 1 || u.Line > lines || i > 0 && u.Line < x.Unread[i-1].Line {
				t.Fatalf("unread in line %d of %d", u.Line, lines)
			}
		}
		if x.Plan.Check().Err() == nil {
			t.Fatal("notes alone passed as a plan")
		}
	})
}
