package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/sim/choice"
)

// ReproducerSchema names the form of a reproducer file. It changes with the form.
const ReproducerSchema = "orrery.reproducer/1"

// Reproducer is a failing run as a file: what has to run, and what is expected to
// come of it.
type Reproducer struct {
	Schema   string            `json:"schema"`
	Scenario string            `json:"scenario"` // its test's name
	Package  string            `json:"package"`  // import path
	Tags     string            `json:"tags,omitempty"`
	Race     bool              `json:"race,omitempty"`
	Identity Identity          `json:"identity"`
	Seed     string            `json:"seed"` // a number below 2^64
	Params   map[string]string `json:"params,omitempty"`
	Safety   int64             `json:"safety_ns,omitempty"` // the safety phase's length in virtual nanoseconds, if it is not the scenario's
	Calm     int64             `json:"calm_ns,omitempty"`   // how long clients make calls before and after the safety phase, in virtual nanoseconds
	Faults   []string          `json:"faults"`
	Neutral  []string          `json:"neutral,omitempty"` // streams whose choices are 0 but for overrides
	// Overrides are choices that are not the seed's.
	Overrides []choice.Override `json:"overrides,omitempty"`
	Expect    Expectation       `json:"expect"`
	// Blame is whose fault the failure is, if that was asked: with the evidence.
	Blame *Blame `json:"blame,omitempty"`
}

// Expectation is what came of the run when the file was written.
type Expectation struct {
	Oracle    string `json:"oracle"`
	Message   string `json:"message"`
	Signature string `json:"signature"` // by which a failure is known as the same
	Node      string `json:"node,omitempty"`
	At        int64  `json:"at"` // virtual nanoseconds since the run's start
	Hash      string `json:"hash"`
}

// NewReproducer returns the file of a run that failed.
func NewReproducer(s Scenario, req Request, r Result) Reproducer {
	b, v := s.Binary, r.Violation
	faults := req.Faults
	if faults == nil {
		faults = []string{}
		for _, f := range r.Faults {
			faults = append(faults, f.Text)
		}
	}
	return Reproducer{
		Schema: ReproducerSchema, Scenario: s.Name, Package: b.Package, Tags: b.Tags, Race: b.Race, Identity: b.Identity,
		Seed: strconv.FormatUint(req.Seed, 10), Params: req.Params, Safety: req.Safety, Calm: req.Calm, Faults: faults, Neutral: req.Neutral, Overrides: req.Overrides,
		Expect: Expectation{v.Oracle, v.Message, Signature(*v), v.Node, v.At, r.Hash},
	}
}

// Request is the run.
func (r Reproducer) Request() Request {
	seed, _ := strconv.ParseUint(r.Seed, 10, 64) // as the file was checked
	return Request{Seed: seed, Params: r.Params, Safety: r.Safety, Calm: r.Calm, Faults: r.Faults, Neutral: r.Neutral, Overrides: r.Overrides}
}

// Same reports whether a run failed as the file expects.
func (r Reproducer) Same(out Result) bool {
	return out.Violation != nil && Signature(*out.Violation) == r.Expect.Signature
}

// BuiltAs reports whether a binary was built with the flags of the file's.
func (r Reproducer) BuiltAs(b *Binary) bool {
	return r.Tags == b.Tags && r.Race == b.Race && r.Identity.Short == b.Short
}

// Differs tells how the identity of a binary differs from the file's; "" if it does
// not.
func (r Reproducer) Differs(id Identity) string {
	var out []string
	for _, part := range []struct{ what, was, is string }{
		{"engine", r.Identity.Engine, id.Engine}, {"Go", r.Identity.Go, id.Go}, {"GOARCH", r.Identity.Arch, id.Arch},
		{"build", r.Identity.Build, id.Build}, {"testing.Short()", fmt.Sprint(r.Identity.Short), fmt.Sprint(id.Short)},
	} {
		if part.was != part.is {
			out = append(out, fmt.Sprintf("%s is %s, was %s", part.what, part.is, part.was))
		}
	}
	return strings.Join(out, "; ")
}

// Write writes the file, under another name first.
func (r Reproducer) Write(name string) error { return writeJSON(name, r) }

// ReadReproducer reads a file. An error says its place, what is there and what was
// expected.
func ReadReproducer(name string) (Reproducer, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Reproducer{}, err
	}
	r, err := ParseReproducer(text)
	if err != nil {
		return r, fmt.Errorf("%s:%w", name, err)
	}
	return r, nil
}

var reproducerForm = form{ReproducerSchema, "a reproducer, as 'orrery shrink' writes it", "make it again with 'orrery shrink'"}

// ParseReproducer reads the text of a file, or of one of a [Finding]. An error begins with a line and a
// column.
func ParseReproducer(text []byte) (r Reproducer, err error) {
	if schema, err := schemaOf(text); err == nil && schema == FindingSchema {
		f, err := parseFinding(text)
		return f.Reproducer, err
	}
	if err := reproducerForm.parse(text, &r); err != nil {
		return r, err
	}
	return r, r.checkIn(text)
}

// checkIn is check of what was read from a text, with the field's place in it.
func (r Reproducer) checkIn(text []byte) error {
	field, err := r.check()
	if err == nil {
		return nil
	}
	at := bytes.Index(text, []byte(`"`+field+`"`))
	return fmt.Errorf("%s: %w", place(text, nil, int64(at+1)), err)
}

// check reports what is wrong with a field, and the field.
func (r Reproducer) check() (field string, err error) {
	for _, f := range []struct{ name, value string }{
		{"scenario", r.Scenario}, {"package", r.Package}, {"oracle", r.Expect.Oracle}, {"signature", r.Expect.Signature}, {"hash", r.Expect.Hash},
	} {
		if f.value == "" {
			return f.name, fmt.Errorf("%s is empty: want it as 'orrery shrink' writes it", f.name)
		}
	}
	if _, err := strconv.ParseUint(r.Seed, 10, 64); err != nil {
		return "seed", fmt.Errorf("seed is %q: want a number below 2^64, as text", r.Seed)
	}
	if r.Faults == nil {
		return "faults", errors.New("faults is missing: want the plan of faults, [] for none")
	}
	if r.Safety < 0 {
		return "safety_ns", fmt.Errorf("safety_ns is %d: want no negative number", r.Safety)
	}
	if r.Calm < 0 {
		return "calm_ns", fmt.Errorf("calm_ns is %d: want no negative number", r.Calm)
	}
	return "", nil
}

// CorpusDir is where failures are kept beside the tests that they are of.
const CorpusDir = "testdata/orrery"

// KnownFile is the file among them that lists failures that are known.
const KnownFile = "known.json"

// Kept is a reproducer and its file.
type Kept struct {
	Reproducer
	File string
}

// Reproducers reads the files of a folder that are of a scenario, in the order of
// their names. A folder that is not there has none.
func Reproducers(dir, scenario string) (out []Kept, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if filepath.Ext(name) != ".json" || e.Name() == KnownFile {
			continue
		}
		r, err := ReadReproducer(name)
		if err != nil {
			return nil, err
		}
		if r.Scenario == scenario {
			out = append(out, Kept{r, name})
		}
	}
	return out, nil
}
