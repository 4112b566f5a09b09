package session

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/oracle/verdict"
)

// driverUnit is a unit that is run by a shell script with these lines.
func driverUnit(t *testing.T, lines ...string) (Config, Unit, dir) {
	t.Helper()
	c := Config{Dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(c.Dir, "drive.sh"), []byte("#!/bin/sh\n"+strings.Join(lines, "\n")+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	d := dir{t.TempDir()}
	if err := d.fill(); err != nil {
		t.Fatal(err)
	}
	return c, Unit{ID: "S1", Checkers: []string{"linearizability"}, Model: "register", Binding: Binding{Driver: "./drive.sh"}}, d
}

// drive makes one cycle with a seed.
func drive(t *testing.T, c Config, u Unit, d dir, of configuration) Ran {
	t.Helper()
	s, err := openDriver(c, u, d)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out Ran
	if err := s.Cycles(context.Background(), of, verdict.Budget{Tier: verdict.Smoke}, []uint64{7}, func(r Ran) error { out = r; return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	toHistory = `>> "$ORRERY_SESSION/history.jsonl"`
	toLanding = `>> "$ORRERY_SESSION/landing.jsonl"`
)

// A driver's clock may count from anywhere: faults and load are put beside each other by
// the time since the first of its events.
func TestDrivenClock(t *testing.T) {
	c, u, d := driverUnit(t,
		`echo '{"process":"c1","type":"put","input":"1","status":"ok","invoke":5000000000000100,"complete":5000000000000900}' `+toHistory,
		`echo '{"fault":"kill","kind":"kill","at":5000000000000500,"landed":true,"injector":"0","victim":"gone"}' `+toLanding)
	got := drive(t, c, u, d, configuration{})
	if got.Cycle.Lost != "" || len(got.Cycle.Windows) != 1 || len(got.Cycle.Faults) != 1 || got.Cycle.Faults[0].At != 400 {
		t.Errorf("%+v", got.Cycle)
	}
}

// A history that is longer than the run which made it is no record of it.
func TestDrivenNonsenseTimes(t *testing.T) {
	c, u, d := driverUnit(t,
		`echo '{"process":"c1","type":"put","input":"1","status":"ok","invoke":1,"complete":2}' `+toHistory,
		`echo '{"process":"c1","type":"put","input":"1","status":"ok","invoke":9000000000000000000,"complete":9100000000000000000}' `+toHistory,
		`: `+toLanding)
	got := drive(t, c, u, d, configuration{})
	if !strings.Contains(got.Cycle.Lost, "want nanoseconds on one clock") || len(got.Cycle.Windows) != 0 {
		t.Errorf("lost %q, %d windows", got.Cycle.Lost, len(got.Cycle.Windows))
	}
}

// The command of a failure runs the driver again as it ran, from any folder.
func TestDrivenReplay(t *testing.T) {
	c, u, d := driverUnit(t,
		`echo "$ORRERY_PARAM_MODE $ORRERY_SCENARIO $ORRERY_SEED" > "$ORRERY_SESSION/told"`,
		`echo '{"process":"c1","type":"put","input":"1","status":"ok","invoke":1,"complete":2}' `+toHistory, `: `+toLanding, `exit 1`)
	got := drive(t, c, u, d, configuration{params: map[string]string{"mode": "two words"}})
	if got.Failure == nil || !got.Failure.CameBack {
		t.Fatalf("%+v", got)
	}
	for range 2 {
		again := exec.Command("sh", "-c", got.Failure.Replay)
		again.Dir = t.TempDir()
		if out, err := again.CombinedOutput(); err == nil || again.ProcessState.ExitCode() != 1 {
			t.Fatalf("%s: %v, want exit code 1: %s", got.Failure.Replay, err, out)
		}
	}
	told, err := filepath.Glob(d.join(artifactsDir, "S1", "*-replay", "told"))
	if err != nil || len(told) != 1 {
		t.Fatalf("%v, %v", told, err)
	}
	if text, _ := os.ReadFile(told[0]); string(text) != "two words S1 7\n" {
		t.Errorf("the driver was told %q", text)
	}
}

// A driver is known by what is in its files and by the commit, and may be anywhere.
func TestDrivenIdentity(t *testing.T) {
	c, u, d := driverUnit(t, "exit 3")
	identity := func() string {
		s, err := openDriver(c, u, d)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return s.Identity()
	}
	first := identity()
	u.Binding.Driver = filepath.Join(c.Dir, "drive.sh")
	if identity() == first {
		t.Error("another command has the same identity")
	}
	u.Binding.Driver = "./drive.sh"
	c.Commit = "abc"
	if identity() == first {
		t.Error("another commit has the same identity")
	}
	c.Commit = ""
	if identity() != first {
		t.Error("the same driver has another identity")
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "drive.sh"), []byte("#!/bin/sh\nexit 0\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if identity() == first {
		t.Error("another script has the same identity")
	}
}

// In a session on the simulation, a driver's failure that did not come back is no fault
// of the engine.
func TestBlamed(t *testing.T) {
	gone := &verdict.Decision{Verdict: verdict.FailNondeterministic}
	for _, c := range []struct {
		driver string
		want   verdict.Backend
	}{{"./drive.sh", verdict.Real}, {"", verdict.Sim}} {
		s := &session{
			Config: Config{Backend: &Simulation{}}, units: []Unit{{ID: "S1", Scenario: "S1", Binding: Binding{Driver: c.driver}}},
			state: &State{Units: []*UnitState{{Decision: gone}}},
		}
		if got := s.blamed(verdict.SessionDecision{StayedAway: []string{"S1"}}); got != c.want {
			t.Errorf("driver %q: %s, want %s", c.driver, got, c.want)
		}
	}
}
