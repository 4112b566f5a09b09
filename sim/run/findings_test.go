package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// findingsConfig is a sweep of a scenario that has failures of two kinds.
var findingsConfig = SweepConfig{
	Scenario: Scenario{Name: "TestKV/a b", Binary: &Binary{Package: "example.com/kv", Identity: Identity{Engine: "e", Build: "1"}}},
	Request:  Request{Params: map[string]string{"bug": "x"}},
}

// failing is the summary of a sweep whose seeds failed with these messages.
func failing(messages ...string) Summary {
	s := NewSummary(findingsConfig)
	for i, m := range messages {
		seed := uint64(10 + i)
		s.Add(Item{Seed: seed, Output: Output{Result: Result{
			Seed: seed, Verdict: Violated, Hash: "abc", Faults: []Fault{{Text: "at 1s kill n1"}}, Violation: &Violation{Oracle: "o", Message: m},
		}}})
	}
	return s
}

// update is one sweep at a revision; rerun is what the reproducers' runs come to.
func update(t *testing.T, dir, revision string, s Summary, rerun Result) []Tracked {
	t.Helper()
	f, err := OpenFindings(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Update(findingsConfig, s, Sighting{Revision: revision}, func(r Reproducer) (Result, error) {
		if r.Seed != "10" || r.Params["bug"] != "x" || len(r.Faults) != 1 {
			t.Errorf("the reproducer that is run is %+v, want that of the first seed", r)
		}
		if rerun.Verdict == "" {
			return rerun, errors.New("no worker")
		}
		return rerun, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFindingsOverTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "findings")
	pass := Result{Verdict: Pass}
	again := Result{Verdict: Violated, Violation: &Violation{Oracle: "o", Message: "lost 99"}}
	for _, c := range []struct {
		revision string
		s        Summary
		rerun    Result
		state    FindingState
		count    uint64
		last     string // revision
		fails    bool
		note     string
	}{
		{"r1", failing("lost 1", "lost 2"), pass, FindingNew, 2, "r1", true, ""},
		{"r2", failing("lost 3"), pass, FindingOngoing, 3, "r2", true, ""},
		{"r3", failing(), again, FindingOngoing, 3, "r3", true, ""},
		{"r4", failing(), Result{Verdict: Vacuous}, FindingOngoing, 3, "r3", false, "its reproducer's run is vacuous"},
		{"r4", failing(), Result{Verdict: Violated, Violation: &Violation{Oracle: "o", Message: "other"}}, FindingOngoing, 3, "r3", false, "is o: other"},
		{"r4", failing(), Result{}, FindingOngoing, 3, "r3", false, "no worker"},
		{"r5", failing(), pass, FindingResolved, 3, "r3", false, ""},
		{"r6", failing(), pass, FindingResolved, 3, "r3", false, ""},
		{"r7", failing(), again, FindingRegressed, 3, "r7", true, ""},
		{"r8", failing(), pass, FindingResolved, 3, "r7", false, ""},
		{"r9", failing("lost 5"), pass, FindingRegressed, 4, "r9", true, ""},
		{"r10", failing("lost 6"), pass, FindingOngoing, 5, "r10", true, ""},
	} {
		list := update(t, dir, c.revision, c.s, c.rerun)
		if len(list) != 1 {
			t.Fatalf("%s: %d findings, want 1", c.revision, len(list))
		}
		f := list[0]
		if f.State != c.state || f.Count != c.count || f.First.Revision != "r1" || f.First.Seed != 10 || f.Last.Revision != c.last || f.Fails() != c.fails || !strings.Contains(f.Note, c.note) {
			t.Errorf("%s: %+v, want %+v", c.revision, f, c)
		}
		if f.State == FindingResolved && f.Resolved.Revision != "r5" && f.Resolved.Revision != "r8" {
			t.Errorf("%s: resolved at %+v", c.revision, f.Resolved)
		}
	}
	f := update(t, dir, "r11", failing("lost 7", "kept 1"), pass)
	if len(f) != 2 || f[0].State != FindingOngoing || f[1].State != FindingNew {
		t.Errorf("another failure beside it: %+v", f)
	}
	if r, err := ReadReproducer(filepath.Join(dir, f[0].File())); err != nil || r.Seed != "10" || r.Expect.Signature != "o: lost #" {
		t.Errorf("the finding as a reproducer: %+v, %v", r, err)
	}
}

// A finding of another scenario, or of a build of other flags, is left as it is.
func TestFindingsOfOthers(t *testing.T) {
	dir := t.TempDir()
	update(t, dir, "r1", failing("lost 1"), Result{})
	f, err := OpenFindings(dir)
	if err != nil {
		t.Fatal(err)
	}
	never := func(Reproducer) (Result, error) { t.Error("a reproducer was run"); return Result{}, nil }
	for _, c := range []struct {
		name   string
		binary *Binary
		want   int
	}{
		{"TestOther", &Binary{Package: "example.com/kv"}, 0},
		{findingsConfig.Scenario.Name, &Binary{Package: "example.com/other"}, 0},
		{findingsConfig.Scenario.Name, &Binary{Package: "example.com/kv", Race: true}, 1},
	} {
		list, err := f.Update(SweepConfig{Scenario: Scenario{Name: c.name, Binary: c.binary}}, failing(), Sighting{}, never)
		if err != nil || len(list) != c.want || c.want == 1 && !strings.Contains(list[0].Note, "other flags") {
			t.Errorf("%s of %s: %+v, %v", c.name, c.binary.Package, list, err)
		}
	}
}

// What is no finding is named, and left as it is.
func TestFindingsDamaged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, update(t, dir, "r1", failing("lost 1"), Result{})[0].File())
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, indexName)
	for _, c := range []struct{ file, text, want string }{
		{name, "", name + ":1:1: EOF: want a finding"},
		{name, string(good[:len(good)/2]), name + ":"},
		{name, `{"schema":"orrery.finding/0"}`, `:1:1: schema is "orrery.finding/0", want "orrery.finding/1": `},
		{name, strings.Replace(string(good), `"count"`, `"cuont"`, 1), `unknown field "cuont": want the fields of orrery.finding/1`},
		{name, strings.Replace(string(good), `"state": "new"`, `"state": "old"`, 1), `state is "old", want new, ongoing, resolved or regressed`},
		{name, strings.Replace(string(good), `"state": "new"`, `"state": "resolved"`, 1), `state is "resolved", want resolved beside the field`},
		{name, strings.Replace(string(good), `lost #`, `kept #`, 1), "rename it"},
		{filepath.Join(dir, "notes.txt"), "mine", "notes.txt: found a file that is none of a folder of findings: move it out"},
		{index, "{", index + ":1:"},
		{index, `{"schema":"orrery.findings/1","findings":[{"file":"gone.json"}]}`, "it has gone.json, which is not there: bring it back"},
	} {
		old, _ := os.ReadFile(c.file)
		if err := os.WriteFile(c.file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenFindings(dir)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: got %v, want %s", c.file, c.text, err, c.want)
		}
		if now, _ := os.ReadFile(c.file); string(now) != c.text {
			t.Errorf("%s was changed", c.file)
		}
		if old == nil {
			os.Remove(c.file)
			continue
		}
		os.WriteFile(c.file, old, 0o600)
	}
	// The rest of a write that did not end is nothing.
	os.WriteFile(filepath.Join(dir, ".orrery-1"), []byte("{"), 0o600)
	if _, err := OpenFindings(dir); err != nil {
		t.Error(err)
	}
}
