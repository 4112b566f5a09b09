package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/session"
)

// The example plans are executed at the smoke tier, and everything in them passes.
func TestPlanExamples(t *testing.T) {
	for name, results := range map[string]int{"raftkv": 3, "tenant": 9} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			file := filepath.Join(top, "docs/examples", name+".plan.md")
			code := Main([]string{"plan", "run", file, "--dir", top, "--tier", "smoke", "--root", t.TempDir(), "--json"}, &out, &errs, os.Environ())
			var r session.Report
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatalf("exit code %d: %v: %s", code, err, errs.String())
			}
			if code != exitPass || r.Session.Verdict != verdict.SessionDone || len(r.Results) != results {
				t.Errorf("exit code %d, session %s, %d results, want %d that pass: %v", code, r.Session.Verdict, len(r.Results), results, r.Session.Reasons)
			}
			for _, it := range r.Results {
				if it.Decision.Verdict != verdict.PassSmoke {
					t.Errorf("%s: %s: %+v", it.ID, it.Decision.Verdict, it.Decision.Reasons)
				}
			}
		})
	}
}
