package author

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/scenarios/plan"
	"pgregory.net/rapid"
)

func TestRefusals(t *testing.T) {
	outside := t.TempDir()
	for _, c := range []struct {
		file, fn, language string
		want               string // what the reason holds
	}{
		{"/etc/kv_test.go", "", "go", "is an absolute path"},
		{"../kv_test.go", "", "go", "is outside of the repository"},
		{"kv/../../kv_test.go", "", "go", "is outside of the repository"},
		{"kv/./../../kv_test.go", "", "", "is outside of the repository"},
		{`kv\kv_test.go`, "", "go", "a backslash"},
		{"link/kv_test.go", "", "go", "link is a symbolic link"},
		{"kv/link_test.go", "", "go", "kv/link_test.go is a symbolic link"},
		{"kv/dir_test.go", "", "go", "is no file"},
		{"kv/kv.go/kv_test.go", "", "go", "kv/kv.go is no folder"},
		{".git/hooks/kv_test.go", "", "go", "is in a hidden folder"},
		{"kv/kv_test.sh", "", "go", "skeletons in other languages are not supported: want go"},
		{"kv/kv.go", "", "go", "is no test file"},
		{"kv/_kv_test.go", "", "go", "is left out by the go command"},
		{"kv/kv_test.go", "Run", "go", "the function Run is no test"},
		{"kv/kv_test.go", "Testing", "go", "the function Testing is no test"},
		{"kv/kv_test.go", "TestMain", "go", "the function TestMain is no test"},
		{"kv/kv_test.go", "Test😀", "go", "the function Test😀 is no test"},
		{"kv/kv_test.go", "", "python", "skeletons in python are not supported: want go"},
		{"", "", "go", "the plan names no file"},
	} {
		dir := t.TempDir()
		write(t, dir, "kv/kv.go", "package kv\n", "kv/dir_test.go/x", "")
		for _, link := range [][2]string{{outside, "link"}, {filepath.Join(outside, "x_test.go"), "kv/link_test.go"}} {
			if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
				t.Fatal(err)
			}
		}
		before := folder(t, dir)
		p := only(kvPlan(), "S1")
		p.Scenarios[0].Target, p.Scenarios[0].Skeleton = plan.Target{File: c.file, Func: c.fn}, c.language
		got := place(t, Config{Plan: p, Dir: dir, OnConflict: Overwrite})[0]
		if got.Action != Refused || !strings.Contains(got.Reason, c.want) {
			t.Errorf("%s#%s in %s: got %s: %s, want refused: %s", c.file, c.fn, c.language, got.Action, got.Reason, c.want)
		}
		if after := folder(t, dir) + folder(t, outside); after != before {
			t.Errorf("%s: something was written:\n%s", c.file, after)
		}
	}
}

func TestTaken(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "kv/old_test.go", "package kv\n\nfunc TestS1() {}\n")
	p := only(kvPlan(), "S1", "S2", "S3")
	p.Scenarios[1].Target.Func = "TestTwice"
	p.Scenarios[2].Target = plan.Target{File: "kv/kv_s3_test.go", Func: "TestTwice"}
	got := place(t, Config{Plan: p, Dir: dir})
	for i, want := range []struct {
		action Action
		reason string
	}{
		{Skipped, "kv/old_test.go has TestS1 already"}, {Created, ""},
		{Refused, "the plan has another TestTwice, in kv/kv_s2_test.go: want each name once in a package"},
	} {
		if got[i].Action != want.action || got[i].Reason != want.reason {
			t.Errorf("%s: got %s: %s, want %s: %s", got[i].Scenario, got[i].Action, got[i].Reason, want.action, want.reason)
		}
	}
}

// Names that the plan does not give are names of their own in a folder.
func TestNames(t *testing.T) {
	p := only(kvPlan(), "S1", "S2", "S3")
	for i := range p.Scenarios {
		p.Scenarios[i].Name = "calls are in-order (2)"
		p.Scenarios[i].Target.Func = ""
	}
	p.Scenarios[2].Target = plan.Target{File: "other/s3_test.go"}
	got := place(t, Config{Plan: p, Dir: t.TempDir()})
	for i, want := range []string{"TestCallsAreInOrder2", "TestCallsAreInOrder2S2", "TestCallsAreInOrder2"} {
		if got[i].Func != want || got[i].Action != Created {
			t.Errorf("%s: got %s, %s, want %s", got[i].Scenario, got[i].Func, got[i].Action, want)
		}
	}
}

// Scenarios that name one test share it: with the faults, oracles and values of parameters
// of both.
func TestShared(t *testing.T) {
	dir := t.TempDir()
	p := only(kvPlan(), "S1", "S3")
	p.Scenarios[1].Target = p.Scenarios[0].Target
	p.Scenarios[1].Faults = list(plan.Named{Name: "crash"}, plan.Named{Name: "skew"})
	p.Scenarios[1].Parameters.Items = []plan.Param{{Name: "bug", Value: "stale-read"}}
	place(t, Config{Plan: p, Dir: dir})
	text := read(t, dir, target1)
	for want, n := range map[string]int{
		"func Test": 1, "S1, S3 is a skeleton: do": 1, "sim.Crashes()": 1, "sim.Skews()": 1, "oracle.Linearizable(": 1,
		`sim.Param("bug", "none", "stale-read")`: 1, "scenario S1 TestS1\n": 1, "scenario S3 TestS1\n": 1,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q is there %d times, want %d:\n%s", want, got, n, text)
		}
	}
}

func TestOnly(t *testing.T) {
	for _, c := range []struct {
		only, want []string
	}{
		{nil, []string{"S1", "S2", "S3", "S5", "S5/fair", "S5/script"}},
		{[]string{"S2"}, []string{"S2"}},
		{[]string{"S3"}, []string{"S1", "S3"}}, // of one file
		{[]string{"S5/fair"}, []string{"S5/fair"}},
		{[]string{"S5"}, []string{"S5", "S5/fair", "S5/script"}},
		{[]string{"S5/script", "S2"}, []string{"S2", "S5/script"}},
	} {
		var got []string
		for _, w := range place(t, Config{Plan: kvPlan(), Dir: t.TempDir(), Only: c.only}) {
			got = append(got, w.Scenario)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.only, got, c.want)
		}
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", "")
	for want, c := range map[string]Config{
		"no plan":                       {Dir: dir},
		`no scenario "S9": want one of`: {Plan: kvPlan(), Dir: dir, Only: []string{"S9"}},
		`found "merge", want ask, skip`: {Plan: kvPlan(), Dir: dir, OnConflict: "merge"},
		"want the folder":               {Plan: kvPlan(), Dir: filepath.Join(dir, "file")},
		"no such file":                  {Plan: kvPlan(), Dir: filepath.Join(dir, "none")},
	} {
		var bad *UsageError
		if _, err := Write(t.Context(), c); !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a usage error with %q", err, want)
		}
	}
}

// Whatever a plan's texts are, a skeleton is Go that is as gofmt prints it, and is written
// once.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"*/", "//go:build x", "`", "\"", "%d %", "a\n\nb", "# title", "+build x", "\x00", "\xff\xfe", "\ufeff", "\r\n\t - item\n\t - item", "😀", "世界", "lower", "Test", "9",
		}))
		dir, err := os.MkdirTemp("", "author")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		p := only(kvPlan(), rapid.SampledFrom([]string{"S1", "S2", "S3", "S5"}).Draw(rt, "scenario"))
		s := &p.Scenarios[0]
		s.Name, s.Falsifies, s.Workload, s.Exit = text.Draw(rt, "name"), text.Draw(rt, "falsifies"), text.Draw(rt, "workload"), text.Draw(rt, "exit")
		s.Parameters.Items = []plan.Param{{Name: text.Draw(rt, "param"), Value: text.Draw(rt, "value")}, {Name: "nodes", Value: text.Draw(rt, "nodes")}}
		s.Oracles.Items = append(s.Oracles.Items, plan.Named{Name: text.Draw(rt, "oracle"), Detail: text.Draw(rt, "detail")})
		s.Faults.Items = append(s.Faults.Items, plan.Named{Name: text.Draw(rt, "fault"), Detail: text.Draw(rt, "detail")})
		p.Claims[0].Text = text.Draw(rt, "claim")
		s.Target.Func = ""
		c := Config{Plan: p, Dir: dir}
		for _, want := range []Action{Created, Unchanged} {
			w := &writer{Config: c}
			if err := w.validate(); err != nil {
				rt.Fatal(err)
			}
			w.answers = newAnswers(nil, w.Out)
			w.collect()
			for i := range w.files {
				if err := w.file(&w.files[i]); err != nil {
					rt.Fatal(err)
				}
			}
			if got := w.units[0]; got.Action != want || !isTest(got.Func) {
				rt.Fatalf("got %+v, want %s", got.Written, want)
			}
		}
	})
}
