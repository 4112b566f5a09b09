package stdsuite

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/internal/stdsuite/guest"
	"github.com/orrery-sim/orrery/sim/run"
)

var (
	flagAccept   = flag.Bool("std.accept", false, "run the tests of all packages, and put the table in docs/std.md")
	flagPackages = flag.String("std.packages", "", "run the tests of these packages, separated by commas")
	flagTest     = flag.String("std.test", "", "run only this test of them, and print all it says")
)

// accepted are the packages whose tests make accept-std runs, each of which has to
// pass at least passing.
var accepted = []string{"bufio", "context", "io/fs", "net", "net/http", "os", "sync", "testing/fstest", "time"}

const passing = 0.85

// TestStd runs the tests of packages of the standard library: of one, unless flags
// say otherwise.
func TestStd(t *testing.T) {
	packages := []string{"testing/fstest"}
	switch {
	case *flagAccept:
		packages = accepted
	case *flagPackages != "":
		packages = strings.Split(*flagPackages, ",")
	case testing.Short():
		t.Skip("it builds the standard library")
	}
	l, err := StandardLeftOut()
	if err != nil {
		t.Fatal(err)
	}
	var table Table
	for _, p := range packages {
		outcomes(t, &table, p, l)
	}
	if *flagTest != "" {
		return
	}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
	if *flagAccept {
		updateDocs(t, b.String())
	}
}

// outcomes adds to the table what comes of a package's tests.
func outcomes(t *testing.T, table *Table, path string, l LeftOut) {
	ctx := t.Context()
	start := time.Now()
	s, err := Build(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	built := time.Since(start)
	if *flagTest != "" {
		err := s.Run(ctx, []string{*flagTest}, 1, func(o Outcome) error {
			t.Logf("%s: %s: %s\n%s", o.Test, o.Verdict, o.Reason, strings.Join(o.Output, "\n"))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	list, err := s.Outcomes(ctx, l, runtime.NumCPU())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		if o.Verdict == Failed {
			t.Errorf("%s: %s: %s\n%s", path, o.Test, o.Reason, strings.Join(o.Output, "\n"))
		}
	}
	table.Add(path, list)
	t.Logf("%s: %d tests, %.1f%% pass; built in %v, run in %v", path, len(list), 100*table.Passing(path), built.Round(time.Second), time.Since(start.Add(built)).Round(time.Second))
	if got := table.Passing(path); got < passing {
		t.Errorf("%s: %.1f%% of its tests pass, want %.0f%%", path, 100*got, 100*passing)
	}
}

// Marks in docs/std.md between which the table is.
const (
	tableBegins = "<!-- made by make accept-std -->\n"
	tableEnds   = "<!-- end -->\n"
)

// updateDocs puts the table in docs/std.md.
func updateDocs(t *testing.T, table string) {
	name := filepath.Join("..", "..", "..", "docs", "std.md")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), tableBegins)
	_, tail, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		t.Fatalf("%s: want the lines %q and %q around the table", name, tableBegins, tableEnds)
	}
	if err := os.WriteFile(name, []byte(head+tableBegins+table+tableEnds+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLeftOut(t *testing.T) {
	l, err := parseLeftOut("# a comment\nreason: it is so\nos: TestA TestB\nnet: TestA\n\nreason: or so\nos: TestC\n")
	if err != nil {
		t.Fatal(err)
	}
	s := Suite{Path: "os", Tests: []string{"TestB", "TestD", "TestC", "TestA"}}
	run, out, err := l.split(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(run) != 1 || run[0] != "TestD" || len(out) != 3 || out[0].Test != "TestB" || out[0].Reason != "it is so" || out[1].Reason != "or so" {
		t.Errorf("split: run %v, left out %v", run, out)
	}
	s.Tests = s.Tests[1:]
	if _, _, err := l.split(s); err == nil {
		t.Error("split does not refuse TestB, which os has not")
	}
	for _, bad := range []string{"os: TestA\n", "TestA\n", "reason: x\nos: TestA\nos: TestA\n"} {
		if _, err := parseLeftOut(bad); err == nil {
			t.Errorf("%q is not refused", bad)
		}
	}
}

func TestJudge(t *testing.T) {
	log := func(lines ...string) (out []run.LogLine) {
		for _, l := range lines {
			out = append(out, run.LogLine{Node: guest.Node, Text: l})
		}
		return append(out, run.LogLine{Node: "test", Text: "--- PASS: TestX (0.00s)"})
	}
	exit := &run.Violation{Oracle: "exit", Message: "exit status 1: FAIL"}
	for _, c := range []struct {
		name    string
		result  run.Result
		verdict Verdict
		reason  string
	}{
		{"pass", run.Result{Verdict: run.Pass, Log: log("=== RUN   TestX", "    x_test.go:1: a note", "--- PASS: TestX (0.00s)", "PASS")}, Passed, ""},
		{"skip", run.Result{Verdict: run.Pass, Log: log("    x_test.go:1: no such thing", "--- SKIP: TestX (0.00s)", "PASS")}, Skipped, "no such thing"},
		{"fail", run.Result{Verdict: run.Violated, Violation: exit, Log: log("    x_test.go:1: got 1", "    x_test.go:2: want 2", "--- FAIL: TestX (0.00s)", "FAIL")}, Failed, "want 2"},
		{"a pass, and a bad end", run.Result{Verdict: run.Violated, Violation: exit, Log: log("--- PASS: TestX (0.00s)", "leaked")}, Failed, exit.Message},
		{"another's pass", run.Result{Verdict: run.Pass, Log: log("--- PASS: TestXY (0.00s)", "PASS")}, Failed, ""},
		{"a part's pass", run.Result{Verdict: run.Pass, Log: log("    --- PASS: TestX (0.00s)")}, Failed, ""},
		{"no end", run.Result{Verdict: run.NoProgress, Reason: "no step\nstacks", Log: log("    x_test.go:1: a note")}, Failed, "no step"},
	} {
		if o := judge("TestX", c.result); o.Verdict != c.verdict || o.Reason != c.reason {
			t.Errorf("%s: %s, because %q; want %s, %q", c.name, o.Verdict, o.Reason, c.verdict, c.reason)
		}
	}
}
