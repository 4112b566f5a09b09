package main

import (
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/orrery-sim/orrery/sim/run"
)

// What a replay line holds, a shell gives back word for word.
func TestReplayLineIsAShells(t *testing.T) {
	word := rapid.StringMatching(`[ -~]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		value, fault := word.Draw(t, "value"), word.Draw(t, "fault")
		sc := run.Scenario{Name: "TestKV", Binary: &run.Binary{Package: "example.com/kv", Dir: "/nowhere", Tags: "a,b", Short: true}}
		line := sc.ReplayLine(run.Request{Seed: math.MaxUint64, Params: map[string]string{"z": "1", "bug": value}, Faults: []string{fault}})
		out, err := exec.Command("sh", "-c", `printf '%s\n' `+line).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		want := []string{"orrery", "replay", "--seed", "18446744073709551615", "--run", "^TestKV$", "--tags", "a,b", "--short",
			"--set", "bug=" + value, "--set", "z=1", "--fault", fault, "example.com/kv"}
		if got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); !slices.Equal(got, want) {
			t.Fatalf("%s: a shell reads %q, want %q", line, got, want)
		}
	})
}

func TestReplayLineOfPlans(t *testing.T) {
	sc := run.Scenario{Name: "TestKV", Binary: &run.Binary{Package: "example.com/kv", Dir: "/nowhere"}}
	const start = "orrery replay --seed 1 --run '^TestKV$' "
	for _, c := range []struct {
		faults []string
		want   string
	}{
		{nil, start + "example.com/kv"},
		{[]string{}, start + "--fault none example.com/kv"},
		{[]string{"at 1s kill n1"}, start + "--fault 'at 1s kill n1' example.com/kv"},
	} {
		if got := sc.ReplayLine(run.Request{Seed: 1, Faults: c.faults}); got != c.want {
			t.Errorf("plan %q: got %s, want %s", c.faults, got, c.want)
		}
	}
}

func TestWithTags(t *testing.T) {
	for _, c := range []struct{ args, goflags, want string }{
		{"./...", "", "-tags=netgo,osusergo ./..."},
		{"-v -tags a,b ./x", "", "-tags=netgo,osusergo -v -tags netgo,osusergo,a,b ./x"},
		{"--tags=a", "-tags=b", "-tags=netgo,osusergo,b --tags=netgo,osusergo,a"},
		{"./x", "-mod=mod -tags=b", "-tags=netgo,osusergo,b ./x"},
		{"./x -args -tags=a", "", "-tags=netgo,osusergo ./x -args -tags=a"},
		{"./x -tags", "", "-tags=netgo,osusergo ./x -tags"},
	} {
		if got := strings.Join(withTags(strings.Fields(c.args), strings.Fields(c.goflags)), " "); got != c.want {
			t.Errorf("%q with GOFLAGS %q: got %q, want %q", c.args, c.goflags, got, c.want)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{span(1500 * time.Millisecond), "1.5 s"},
		{span(3 * time.Minute), "3.0 minutes"},
		{span(5 * time.Hour), "5.0 hours"},
		{span(72 * time.Hour), "3.0 days"},
		{span(2 * year), "2.0 years"},
		{moment(1_204_000_000), "1.204s"},
		{counted(1, "run", "runs"), "1 run"},
		{counted(1200, "run", "runs"), "1,200 runs"},
		{indent("a\nb\n", "  "), "  a\n  b\n"},
		{indent("", "  "), ""},
		{firstLines("a\nb\nc\n", 2), "a\nb\n... 1 more line"},
		{firstLines("a\nb\n", 2), "a\nb\n"},
		{lastOf([]string{"A=1", "B=2", "A=3"}), "B=2 A=3"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func lastOf(env []string) string { return strings.Join(lastOfEach(env), " ") }

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		verdict run.Verdict
		want    int
	}{
		{run.Pass, 0}, {run.Violated, 1}, {run.Vacuous, 3}, {run.Unknown, 3}, {run.Died, 3}, {run.NoProgress, 3}, {run.Nondeterministic, 3},
	} {
		if got := exitOf(c.verdict); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.verdict, got, c.want)
		}
	}
	if worse(exitViolation, exitNoVerdict) != exitNoVerdict || worse(exitViolation, exitPass) != exitViolation {
		t.Error("of two exit codes, no verdict counts first, then a violation")
	}
}
