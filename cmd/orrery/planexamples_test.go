package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/scenarios/session"
)

// The example plans are executed at the smoke tier, and everything in them passes. That the
// tenants' service has one topology is a concern, and is told.
func TestPlanExamples(t *testing.T) {
	for _, c := range []struct {
		name    string
		results int
		session verdict.SessionVerdict
		exit    int
		concern string
	}{
		{"raftkv", 3, verdict.SessionDone, exitPass, ""},
		{"tenant", 9, verdict.SessionConcerns, exitNoVerdict, "1 audit item open: " + verdict.ItemOneTopology},
	} {
		name := c.name
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			file := filepath.Join(top, "docs/examples", name+".plan.md")
			code := Main([]string{"plan", "run", file, "--dir", top, "--tier", "smoke", "--root", t.TempDir(), "--json"}, &out, &errs, os.Environ())
			var r session.Report
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatalf("exit code %d: %v: %s", code, err, errs.String())
			}
			if code != c.exit || r.Session.Verdict != c.session || len(r.Results) != c.results {
				t.Errorf("exit code %d, session %s, %d results, want %+v: %v", code, r.Session.Verdict, len(r.Results), c, r.Session.Reasons)
			}
			for _, why := range r.Session.Reasons {
				if c.concern == "" || !strings.HasSuffix(why, c.concern) {
					t.Errorf("a concern: %s", why)
				}
			}
			for _, it := range r.Results {
				if it.Decision.Verdict != verdict.PassSmoke {
					t.Errorf("%s: %s: %+v", it.ID, it.Decision.Verdict, it.Decision.Reasons)
				}
			}
		})
	}
}
