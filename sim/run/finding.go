package run

import (
	"crypto/sha256"
	"fmt"
	"regexp"
)

// FindingState is what became of a failure since the last sweep.
type FindingState string

// The states of a finding.
const (
	FindingNew       FindingState = "new"
	FindingOngoing   FindingState = "ongoing"
	FindingResolved  FindingState = "resolved"  // its reproducer does not fail any more
	FindingRegressed FindingState = "regressed" // it was resolved, and fails again
)

// FindingSchema names the form of a finding's file. It changes with the form.
const FindingSchema = "orrery.finding/1"

// Finding is a failure that is kept over time, as a file.
type Finding struct {
	Schema    string       `json:"schema"`
	Package   string       `json:"package"`
	Scenario  string       `json:"scenario"`
	Signature string       `json:"signature"`
	State     FindingState `json:"state"` // after the last sweep
	Message   string       `json:"message"`
	Count     uint64       `json:"count"` // seeds that failed so, of all sweeps
	First     Sighting     `json:"first"`
	Last      Sighting     `json:"last"`               // of a seed or of the reproducer
	Resolved  *Sighting    `json:"resolved,omitempty"` // when the reproducer stopped failing
	// Reproducer is the run of the first seed that failed so.
	Reproducer Reproducer `json:"reproducer"`
}

// Sighting is a run of a seed that told something of a failure.
type Sighting struct {
	Seed     uint64   `json:"seed,string"`
	Identity Identity `json:"identity"`
	Revision string   `json:"revision,omitempty"` // as the sweep was told
	Time     string   `json:"time,omitempty"`     // real, if that was asked for
}

// File is the name of the finding's file.
func (f Finding) File() string {
	sum := sha256.Sum256([]byte(f.Package + "\x00" + f.Scenario + "\x00" + f.Signature))
	return fmt.Sprintf("%s-%x.json", unnamed.ReplaceAllString(f.Scenario, "_"), sum[:6])
}

// unnamed is what names of files do not have.
var unnamed = regexp.MustCompile(`[^\w.-]+`)

// of reports whether the finding is of a scenario.
func (f Finding) of(s Scenario) bool {
	return f.Package == s.Binary.Package && f.Scenario == s.Name
}

// failed says that the failure was there in a sweep.
func (f *Finding) failed(at Sighting) {
	f.State, f.Last = FindingOngoing, at
	if f.Resolved != nil {
		f.State, f.Resolved = FindingRegressed, nil
	}
}

// gone says that the reproducer did not fail.
func (f *Finding) gone(at Sighting) {
	if f.Resolved == nil {
		f.State, f.Resolved = FindingResolved, &at
	}
}

var findingForm = form{FindingSchema, "a finding, as 'orrery sweep --out' writes it", "move it out of the folder, or give another one"}

func parseFinding(text []byte) (f Finding, err error) {
	if err := findingForm.parse(text, &f); err != nil {
		return f, err
	}
	for _, field := range []struct{ name, value string }{
		{"package", f.Package}, {"scenario", f.Scenario}, {"signature", f.Signature}, {"reproducer.schema", f.Reproducer.Schema},
	} {
		if field.value == "" {
			return f, fmt.Errorf("1:1: %s is empty: want %s", field.name, findingForm.what)
		}
	}
	switch f.State {
	case FindingNew, FindingOngoing, FindingRegressed, FindingResolved:
	default:
		return f, fmt.Errorf("1:1: state is %q, want new, ongoing, resolved or regressed", f.State)
	}
	if (f.State == FindingResolved) != (f.Resolved != nil) {
		return f, fmt.Errorf("1:1: state is %q, want resolved beside the field of that name, and only there", f.State)
	}
	return f, f.Reproducer.checkIn(text)
}
