package author

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Skeletons of every kind compile, are vetted, and fail: as scenarios, and under plain go
// test. Written again they are the same, byte for byte.
func TestSkeletonsCompileAndFail(t *testing.T) {
	dir := t.TempDir()
	userModule(t, dir)
	c := Config{Plan: kvPlan(), File: filepath.Join(dir, "plans", "kv.md"), Dir: dir}
	first, err := Write(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range first {
		if w.Scenario == "S5/script" {
			if w.Action != Skipped || w.Reason != "the driver scripts/tenants.sh runs it" {
				t.Errorf("%+v", w)
			}
			continue
		}
		if w.Action != Created || w.Check != FailsAsSkeleton || w.Found != "" || w.Staged != NoRepository {
			t.Errorf("%s: got %s, %s, %s: %s %s", w.Scenario, w.Action, w.Check, w.Staged, w.Reason, w.Found)
		}
	}
	goCommand(t, dir, "", "vet", "./...")
	out := goCommand(t, dir, "FAIL", "test", "-run", "TestS1|Writes", "./kv", "-orrery.seeds=1-2")
	for _, want := range []string{"--- FAIL: TestS1", "S1 is a skeleton: ", "--- FAIL: TestAcknowledgedWritesSurvive"} {
		if !strings.Contains(out, want) {
			t.Errorf("go test says nothing of %q:\n%s", want, out)
		}
	}
	before := folder(t, dir)
	again, err := Write(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range again {
		if w.Action != Unchanged && w.Action != Skipped || w.Diff != "" || w.Action == Unchanged && w.Check != FailsAsSkeleton {
			t.Errorf("again: %+v", w)
		}
	}
	if after := folder(t, dir); after != before {
		t.Errorf("written again, files differ:\n%s\nwas\n%s", after, before)
	}
}

// goCommand runs the go command; what it prints has to hold a text.
func goCommand(t *testing.T, dir, want string, args ...string) string {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if (err == nil) != (want == "") || !strings.Contains(string(out), want) {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// folder is all files of a folder, with their texts.
func folder(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(dir, path)
			b.WriteString("-- " + rel + " --\n" + read(t, dir, rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Beside tests of another package, with build tags and another name for the engine, and at
// a module's top; new files are staged, and nothing is committed.
func TestSiblingsCompile(t *testing.T) {
	dir := t.TempDir()
	userModule(t, dir)
	write(t, dir, siblings...)
	write(t, dir, ".gitignore", "ignored_test.go\n")
	inGit(t, dir, "init", "-q")
	p := only(kvPlan(), "S1", "S2", "S3")
	p.Scenarios[1].Target.File = "top_test.go"
	p.Scenarios[2].Target.File = "ignored_test.go"
	got, err := Write(t.Context(), Config{Plan: p, Dir: dir, OnConflict: Skip})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Staged{IsStaged, IsStaged, NotStaged} {
		if w := got[i]; w.Action != Created || w.Check != FailsAsSkeleton || w.Staged != want {
			t.Errorf("%+v", w)
		}
	}
	if !strings.Contains(got[2].Reason, "ignored") {
		t.Errorf("the reason is %q", got[2].Reason)
	}
	if out := inGit(t, dir, "diff", "--cached", "--name-only"); out != "kv/kv_s1_test.go\ntop_test.go\n" {
		t.Errorf("staged: %q", out)
	}
	goCommand(t, dir, "", "vet", "-tags", "integration", "./...")
}

// What cannot be compiled, is left out, or fails before its world is there is told.
func TestChecksTell(t *testing.T) {
	dir := t.TempDir()
	userModule(t, dir)
	write(t, dir, "broken/a_test.go", "package broken\n\nvar x undefined\n",
		"early/a_test.go", "package early\n\nfunc init() { panic(\"too early\") }\n")
	p := only(kvPlan(), "S1", "S2", "S3")
	p.Scenarios[0].Target.File = "broken/s1_test.go"
	p.Scenarios[1].Target.File = "out/s2_windows_test.go"
	p.Scenarios[2].Target.File = "early/s3_test.go"
	got, err := Write(t.Context(), Config{Plan: p, Dir: dir, Stage: StageNothing})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		check Check
		found string
	}{{NotCompiled, "undefined: undefined"}, {NotCompiled, "build constraints exclude all Go files"}, {FailsElsewise, "too early"}} {
		if w := got[i]; w.Action != Created || w.Check != want.check || !strings.Contains(w.Found, want.found) || w.Staged != "" {
			t.Errorf("%+v, want %s: %s", w, want.check, want.found)
		}
	}
}

func inGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
