package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A starting plan reads back in both forms, and its check lists what remains to be
// written, the same in both.
func TestStart(t *testing.T) {
	var lists []string
	for form, file := range map[Form]string{FormMarkdown: "start.plan.md", FormYAML: "start.plan.yaml"} {
		text, err := Start("Queue of jobs", form)
		if err != nil {
			t.Fatal(err)
		}
		p, problems := Read(file, text)
		if len(problems) > 0 || !Same(p, New("Queue of jobs")) {
			t.Errorf("%s reads back otherwise: %v\n%s", form, problems, text)
		}
		golden(t, "testdata/"+file, string(text))
		var list []string
		for _, problem := range p.Check() {
			list = append(list, fmt.Sprintf("%s %s: %s", problem.Weight, problem.About, problem.Want))
		}
		slices.Sort(list)
		lists = append(lists, strings.Join(list, "\n")+"\n")
	}
	if lists[0] != lists[1] {
		t.Errorf("one form lacks\n%s\nthe other one\n%s", lists[0], lists[1])
	}
	golden(t, "testdata/start.remains", lists[0])
}

// What remains to be written is all that is empty in the starting plan: filled in,
// it is a plan.
func TestStartFilled(t *testing.T) {
	p := New("x")
	q := loadExample(t)
	q.Name = "x"
	for _, problem := range p.Check() {
		if problem.Weight == Warning || problem.Found != "nothing" {
			t.Errorf("%v: want nothing but what is not written", problem)
		}
	}
	q.source = source{}
	if problems := q.Check(); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestStartRefuses(t *testing.T) {
	for _, name := range []string{"", " ", "a\nb", "none"} {
		if _, err := Start(name, FormYAML); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
	if _, err := Start("x", "toml"); err == nil {
		t.Error("the form toml was taken")
	}
}
