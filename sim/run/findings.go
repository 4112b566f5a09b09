package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Findings is a folder of findings: a file each, and an index.
type Findings struct{ dir string }

// FindingsSchema names the form of the index. It changes with the form.
const FindingsSchema = "orrery.findings/1"

const indexName = "index.json"

var indexForm = form{FindingsSchema, "an index of findings, as 'orrery sweep --out' writes it", "remove it if the folder's other files are findings: it is made again"}

// findingsIndex tells what there is in a folder.
type findingsIndex struct {
	Schema   string         `json:"schema"`
	Findings []indexedEntry `json:"findings"`
}

type indexedEntry struct {
	File      string       `json:"file"`
	Package   string       `json:"package"`
	Scenario  string       `json:"scenario"`
	Signature string       `json:"signature"`
	State     FindingState `json:"state"`
	Count     uint64       `json:"count"`
}

// OpenFindings returns the findings in a folder, which need not be there. It reports
// every file that is none.
func OpenFindings(dir string) (*Findings, error) {
	f := &Findings{dir}
	_, err := f.read()
	return f, err
}

// read returns the findings, by the names of their files.
func (f *Findings) read() ([]Finding, error) { return f.readBut("") }

// readBut is read of a folder that may have one more file, which is not looked at.
func (f *Findings) readBut(other string) (list []Finding, err error) {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, e := range entries {
		name := filepath.Join(f.dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."), e.Name() == indexName, e.Name() == other:
			continue // of a write that did not end; read below; another's
		case filepath.Ext(e.Name()) != ".json":
			errs = append(errs, fmt.Errorf("%s: found a file that is none of a folder of findings: %s", name, findingForm.remedy))
			continue
		}
		finding, err := readFinding(name)
		errs = append(errs, err)
		list = append(list, finding)
	}
	return list, errors.Join(append(errs, f.checkIndex(list))...)
}

func readFinding(name string) (Finding, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Finding{}, err
	}
	finding, err := parseFinding(text)
	if err != nil {
		return finding, fmt.Errorf("%s:%w", name, err)
	}
	if want := finding.File(); want != filepath.Base(name) {
		return finding, fmt.Errorf("%s: found a finding whose file is named %s: rename it", name, want)
	}
	return finding, nil
}

// checkIndex reports a finding that the index has and the folder has not: it was lost.
func (f *Findings) checkIndex(list []Finding) error {
	name := filepath.Join(f.dir, indexName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var index findingsIndex
	if err := indexForm.parse(text, &index); err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	var errs []error
	for _, e := range index.Findings {
		if _, err := os.Stat(filepath.Join(f.dir, e.File)); err != nil {
			errs = append(errs, fmt.Errorf("%s: it has %s, which is not there: bring it back, or remove the index, which is made again", name, e.File))
		}
	}
	return errors.Join(errs...)
}

// Tracked is a finding after a sweep.
type Tracked struct {
	Finding
	Seen bool   // by a seed of the sweep
	Note string // why it could not be checked, if so: its state is as it was
}

// Fails reports whether the failure was there in the sweep.
func (t Tracked) Fails() bool {
	return t.Note == "" && t.State != FindingResolved
}

// Update tells the folder what a sweep saw, and returns the findings of its scenario:
// those that were seen in the order of their first seeds, then the others, each
// with its reproducer run by check. at has no seed.
func (f *Findings) Update(c SweepConfig, s Summary, at Sighting, check func(Reproducer) (Result, error)) ([]Tracked, error) {
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	list, err := f.read()
	if err != nil {
		return nil, err
	}
	var out []Tracked
	for _, b := range s.Buckets {
		out = append(out, Tracked{Finding: c.seen(list, b, at), Seen: true})
	}
	for _, finding := range list {
		seen := slices.ContainsFunc(out, func(t Tracked) bool { return t.File() == finding.File() })
		if finding.of(c.Scenario) && !seen {
			out = append(out, c.unseen(finding, at, check))
		}
	}
	return out, f.write(list, out)
}

// lock keeps other sweeps from the folder, which it makes.
func (f *Findings) lock() (unlock func(), err error) {
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return nil, err
	}
	dir, err := os.Open(f.dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX); err != nil {
		dir.Close()
		return nil, fmt.Errorf("%s: lock: %w", f.dir, err)
	}
	return func() { dir.Close() }, nil
}

// seen is the finding of a bucket.
func (c SweepConfig) seen(list []Finding, b Bucket, at Sighting) Finding {
	r := b.First.Output.Result
	at.Seed = b.First.Seed
	req := c.Request
	req.Seed = at.Seed
	fresh := Finding{
		Schema: FindingSchema, Package: c.Scenario.Binary.Package, Scenario: c.Scenario.Name, Signature: b.Signature,
		State: FindingNew, Message: r.Violation.Message, Count: b.Count, First: at, Last: at,
		Reproducer: NewReproducer(c.Scenario, req, r),
	}
	for _, old := range list {
		if old.File() == fresh.File() {
			old.failed(at)
			old.Count += b.Count
			return old
		}
	}
	return fresh
}

// unseen runs the reproducer of a finding that no seed met.
func (c SweepConfig) unseen(old Finding, at Sighting, check func(Reproducer) (Result, error)) Tracked {
	r, b := old.Reproducer, c.Scenario.Binary
	if !r.BuiltAs(b) {
		return Tracked{Finding: old, Note: "not checked: it was found in a build of other flags"}
	}
	result, err := check(r)
	at.Seed = r.Request().Seed
	switch {
	case err != nil:
		return Tracked{Finding: old, Note: "not checked: " + err.Error()}
	case r.Same(result):
		old.failed(at)
	case result.Verdict == Pass:
		old.gone(at)
	default: // another failure may hide this one, and so may faults that did not land
		return Tracked{Finding: old, Note: strings.TrimSpace("not checked: its reproducer's run is " + summaryOf(Output{Result: result}))}
	}
	return Tracked{Finding: old}
}

// write writes the findings of a sweep, and the index of all.
func (f *Findings) write(list []Finding, changed []Tracked) error {
	index := findingsIndex{Schema: FindingsSchema, Findings: []indexedEntry{}}
	for _, t := range changed {
		if err := writeJSON(filepath.Join(f.dir, t.File()), t.Finding); err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(old Finding) bool { return old.File() == t.File() })
		list = append(list, t.Finding)
	}
	slices.SortFunc(list, func(a, b Finding) int { return cmp.Compare(a.File(), b.File()) })
	for _, x := range list {
		index.Findings = append(index.Findings, indexedEntry{x.File(), x.Package, x.Scenario, x.Signature, x.State, x.Count})
	}
	return writeJSON(filepath.Join(f.dir, indexName), index)
}
