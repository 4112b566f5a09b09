package driver

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/orrery-sim/orrery/oracle"
)

// examples are the drivers that the documentation shows, and what runs them.
var examples = []struct {
	interpreter string
	file        string
	seeds       uint64 // from 1: as many as it takes to see the bug, and some more
}{
	{"sh", "../../docs/examples/driver.sh", 6},
	{"python3", "../../docs/examples/driver.py", 4},
}

// example runs one, and returns what is in its files too.
func example(t *testing.T, d Driver, scenario string, seed uint64) (Outcome, string) {
	t.Helper()
	var log bytes.Buffer
	job := Job{t.TempDir(), scenario, seed}
	out, err := Run(context.Background(), d, job, &log)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, log.String())
	}
	text := ""
	for _, name := range []string{HistoryFile, LandingFile} {
		b, err := os.ReadFile(filepath.Join(job.Session, name))
		if err != nil {
			t.Fatal(err)
		}
		text += string(b)
	}
	return out, text
}

// The documentation's drivers run, are the same for the same seed, and see the bug that
// one of their scenarios has where an oracle sees it.
func TestExamples(t *testing.T) {
	for _, e := range examples {
		t.Run(filepath.Base(e.file), func(t *testing.T) {
			if _, err := exec.LookPath(e.interpreter); err != nil {
				if e.interpreter == "sh" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			d := Driver{Command: []string{e.interpreter, e.file}}
			texts := map[string]bool{}
			failures := 0
			for seed := uint64(1); seed <= e.seeds; seed++ {
				out, text := example(t, d, "register", seed)
				texts[text] = true
				if v := oracle.Linearizable(out.History, oracle.Register()).Check(); out.Exit != ExitClean || v.Verdict != oracle.OK {
					t.Errorf("seed %d: %s, %s %s, want a clean run", seed, out.Exit, v.Verdict, v.Message)
				}
				if len(out.Landings) != 1 || out.Landings[0].Landed != LandedYes {
					t.Errorf("seed %d: landings %+v, want one that landed", seed, out.Landings)
				}
				if _, again := example(t, d, "register", seed); again != text {
					t.Errorf("seed %d: two runs differ:\n%s\n%s", seed, text, again)
				}
				out, _ = example(t, d, "forgetful", seed)
				v := oracle.Linearizable(out.History, oracle.Register()).Check()
				if (out.Exit == ExitFailure) != (v.Verdict == oracle.Violation) {
					t.Errorf("seed %d: the driver says %s, the oracle %s", seed, out.Exit, v.Verdict)
				}
				if out.Exit == ExitFailure {
					failures++
				}
			}
			if len(texts) != int(e.seeds) || failures == 0 {
				t.Errorf("%d runs differ, %d see the bug, want all and one at least", len(texts), failures)
			}
		})
	}
}

// The greatest seed is one too.
func TestExampleSeeds(t *testing.T) {
	d := Driver{Command: []string{"sh", examples[0].file}}
	_, a := example(t, d, "register", 1<<64-1)
	_, b := example(t, d, "register", 1<<64-2)
	if a == b {
		t.Error("the two greatest seeds give the same run")
	}
}
