package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/run"
)

// aReport is of a sweep with a failure that is new, one that is known, one that came
// back, a seed without a verdict, and findings that no seed met.
func aReport() *report {
	identity := run.Identity{Build: "b2"}
	sc := run.Scenario{Name: "TestKV", Binary: &run.Binary{Package: "example.com/kv", Identity: identity}}
	known := []run.Known{{Signature: "o: known #", Issue: "#17", Note: "a note"}, {Signature: "o: never", Issue: "#18", Note: "another"}}
	s := run.NewSummary(run.SweepConfig{Scenario: sc, MaxVacuous: 1, Known: known})
	for i, message := range []string{"lost \"a\" | <&>\x01", "known 3", "back 4", ""} {
		r := run.Result{Seed: uint64(i + 1), Verdict: run.Violated, Hash: "abc", Violation: &run.Violation{Oracle: "o", Message: message}}
		if message == "" {
			r.Verdict, r.Violation, r.Reason = run.Died, nil, "signal 9\nmore"
		}
		s.Add(run.Item{Seed: r.Seed, Output: run.Output{Result: r}})
	}
	finding := func(signature string, state run.FindingState) run.Finding {
		f := run.Finding{Package: "example.com/kv", Scenario: "TestKV", Signature: signature, State: state, Message: signature}
		f.Reproducer.Expect.Oracle = "o"
		if state == run.FindingResolved {
			f.Resolved = &run.Sighting{Identity: identity}
		}
		return f
	}
	s.Findings = []run.Tracked{
		{Finding: finding("o: back #", run.FindingRegressed), Seen: true},
		{Finding: finding("o: hidden", run.FindingOngoing)},
		{Finding: finding("o: fixed", run.FindingResolved)},
		{Finding: finding("o: who knows", run.FindingOngoing), Note: "not checked: no worker"},
	}
	r := &report{scenario: sc, settings: settings{Seeds: "1-4", Identity: identity}, summary: s}
	for _, b := range s.Buckets {
		r.failures = append(r.failures, failure{Bucket: b, replay: "orrery replay"})
	}
	return r
}

func TestJUnit(t *testing.T) {
	pass := &report{scenario: run.Scenario{Name: "TestPass", Binary: &run.Binary{Package: "p"}}, settings: settings{Seeds: "1-9"},
		summary: run.Summary{Seeds: 9, MaxVacuous: 1}}
	name := filepath.Join(t.TempDir(), "sweep.xml")
	if err := writeJUnit(name, []junitSuite{aReport().suite(), pass.suite()}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file junitFile
	if err := xml.Unmarshal(text, &file); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if file.Tests != 6 || file.Failures != 3 || file.Errors != 1 || file.Skipped != 1 || len(file.Suites) != 2 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped\n%s", file.Tests, file.Failures, file.Errors, file.Skipped, text)
	}
	var got []string
	for _, s := range file.Suites {
		for _, c := range s.Cases {
			for kind, o := range map[string]*junitOutcome{"failure": c.Failure, "error": c.Error, "skipped": c.Skipped} {
				if o != nil {
					got = append(got, c.Name+": "+kind+": "+o.Message)
				}
			}
			if c.Failure == nil && c.Error == nil && c.Skipped == nil {
				got = append(got, c.Name+": passed: "+c.Output)
			}
		}
	}
	want := []string{
		"o: lost _ | <&>\ufffd: failure: lost \"a\" | <&>\ufffd",
		"o: known #: skipped: known: #17: a note",
		"o: back #: failure: back 4",
		"o: hidden: failure: o: hidden",
		"verdict: error: seed 4: died: signal 9\nmore",
		"seeds 1-9: passed: 9 seeds, 0.0 s of virtual time",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("cases\n%q, want\n%q", got, want)
	}
	if !strings.Contains(file.Suites[0].Cases[2].Failure.Text, "To re-run: orrery replay") {
		t.Errorf("the failure's text %q has no line that replays it", file.Suites[0].Cases[2].Failure.Text)
	}
}

func TestGitHubStates(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	var stderr bytes.Buffer
	a := &app{stderr: &stderr, env: []string{"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + page}}
	if err := a.github(aReport()); err != nil {
		t.Fatal(err)
	}
	want := `::error title=TestKV%3A o::lost "a" | <&>` + "\x01" + ` (seed 1, 1 failure)%0Aorrery replay
::notice title=TestKV%3A o%2C known::known 3 (seed 2, 1 failure)%0Aorrery replay%0Aknown: #17: a note
::error title=TestKV%3A o%2C regressed::back 4 (seed 3, 1 failure)%0Aorrery replay
::error title=TestKV%3A o%2C ongoing::o: hidden (its reproducer fails: FILE)
::notice title=TestKV%3A o%2C resolved::o: fixed
::notice title=TestKV%3A known%2C not seen::o: never%0Aknown: #18: another: take it out of known.json if it is fixed
`
	want = strings.Replace(want, "FILE", aReport().summary.Findings[1].File(), 1)
	if got := stderr.String(); got != want {
		t.Errorf("annotations\n%s\nwant\n%s", got, want)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| state | seeds | failure | replay |\n", "| new | 1 | o: lost ", "| known: #17 | 1 | o: known 3 |", "| regressed | 1 | o: back 4 |",
		"| ongoing |  | o: o: hidden |", "| resolved |  | o: o: fixed |", "not checked: no worker |", "| known, not seen: #18 |  | o: never |", "| no verdict |  | seed 4: died: signal 9",
	} {
		if !strings.Contains(string(text), row) {
			t.Errorf("no %q in\n%s", row, text)
		}
	}
}
