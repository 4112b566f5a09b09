package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
)

// ShardFile is the file in which a shard's folder of findings has the lines of its
// sweep.
const ShardFile = "shard.jsonl"

// Shard is a folder in which one shard of a sweep kept findings. All shards of a
// sweep began with copies of one folder, or with none.
type Shard struct {
	Dir    string
	Sweeps []ShardSweep // one a scenario
}

// ShardSweep is what the shard saw of a scenario, by signatures.
type ShardSweep struct {
	Seen  map[string]uint64 // how many of its seeds failed so
	Notes map[string]string // why a finding that none of them met could not be checked
}

// Whole is what all shards together saw of a scenario.
type Whole struct {
	Scenario Scenario
	Buckets  []Bucket
}

// Merge makes of the shards' folders what the sweep of all seeds would have made of
// the folder that they began with, which f is, or else an empty one. It returns the
// findings of each scenario, as [Findings.Update] does. Merging again changes nothing.
func (f *Findings) Merge(wholes []Whole, shards []Shard) ([][]Tracked, error) {
	m := findingsMerge{shards: shards}
	if err := m.readShards(); err != nil {
		return nil, err
	}
	var out [][]Tracked
	var errs []error
	for i, w := range wholes {
		tracked, err := m.scenario(i, w)
		out, errs = append(out, tracked), append(errs, err)
	}
	rest, err := m.rest(wholes)
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	before, err := f.read()
	if err != nil {
		return nil, err
	}
	all := append(slices.Concat(out...), rest...)
	if err := m.checkBefore(f.dir, before, all); err != nil {
		return nil, err
	}
	return out, f.write(before, all)
}

// findingsMerge is the shards' findings, and what each began with.
type findingsMerge struct {
	shards []Shard
	lists  [][]Finding        // of each shard
	began  map[string]Finding // by file: of what there was before the sweep, with the count that it had
}

func (m *findingsMerge) readShards() error {
	m.began = map[string]Finding{}
	var errs []error
	for _, s := range m.shards {
		list, err := (&Findings{s.Dir}).readBut(ShardFile)
		if _, missing := os.Stat(s.Dir); errors.Is(missing, fs.ErrNotExist) {
			err = missing
		}
		m.lists, errs = append(m.lists, list), append(errs, err)
	}
	return errors.Join(errs...)
}

// of returns a shard's finding, or one that has not been seen.
func (m *findingsMerge) of(shard int, file string) Finding {
	for _, f := range m.lists[shard] {
		if f.File() == file {
			return f
		}
	}
	return Finding{}
}

// before is a shard's finding, with the count that it had before the sweep.
func (m *findingsMerge) before(shard int, file string, seen uint64) (Finding, error) {
	f := m.of(shard, file)
	if f.Count < seen {
		return f, fmt.Errorf("%s: found a count of %d, want the %d seeds of %s at least: give the folder as the sweep left it",
			filepath.Join(m.shards[shard].Dir, file), f.Count, seen, ShardFile)
	}
	if f.Count -= seen; f.Count == 0 {
		f = Finding{}
	}
	return f, nil
}

// begin reports shards that did not begin with the same finding. seen is how many
// seeds of each failed so.
func (m *findingsMerge) begin(file string, seen []uint64) error {
	var first Finding
	for i, s := range m.shards {
		f, err := m.before(i, file, seen[i])
		if err != nil {
			return err
		}
		if i == 0 {
			first = f
		}
		if f.Count != first.Count || f.First != first.First || !reflect.DeepEqual(f.Reproducer, first.Reproducer) {
			return fmt.Errorf("%s: found a count of %d before the sweep, want %d, and all else as in %s: begin all shards with copies of one folder",
				filepath.Join(s.Dir, file), f.Count, first.Count, m.shards[0].Dir)
		}
	}
	m.began[file] = first
	return nil
}

// scenario is the findings of a scenario: those that were seen in the order of their
// first seeds, then the others.
func (m *findingsMerge) scenario(sweep int, w Whole) (out []Tracked, err error) {
	files := map[string]bool{}
	for _, b := range w.Buckets {
		f, err := m.seen(sweep, w, b)
		if err != nil {
			return nil, err
		}
		files[f.File()] = true
		out = append(out, Tracked{Finding: f, Seen: true})
	}
	for _, file := range m.files(func(f Finding) bool { return f.of(w.Scenario) && !files[f.File()] }) {
		f, err := m.unseen(file)
		if err != nil {
			return nil, err
		}
		out = append(out, Tracked{Finding: f, Note: m.shards[0].Sweeps[sweep].Notes[f.Signature]})
	}
	return out, nil
}

// seen is the finding of a bucket: that of the shard which has the first seed, with
// the seeds of all.
func (m *findingsMerge) seen(sweep int, w Whole, b Bucket) (Finding, error) {
	file := Finding{Package: w.Scenario.Binary.Package, Scenario: w.Scenario.Name, Signature: b.Signature}.File()
	seen := make([]uint64, len(m.shards))
	for i, s := range m.shards {
		seen[i] = s.Sweeps[sweep].Seen[b.Signature]
	}
	if err := m.begin(file, seen); err != nil {
		return Finding{}, err
	}
	for i := range m.shards {
		if f := m.of(i, file); seen[i] > 0 && f.Last.Seed == b.First.Seed {
			f.Count += b.Count - seen[i]
			return f, nil
		}
	}
	return Finding{}, fmt.Errorf("%s: found it in no shard's folder with seed %d as its last: give the folders as the sweeps left them", file, b.First.Seed)
}

// unseen is a finding that no seed met: every shard ran its reproducer.
func (m *findingsMerge) unseen(file string) (Finding, error) {
	if err := m.begin(file, make([]uint64, len(m.shards))); err != nil {
		return Finding{}, err
	}
	first := m.of(0, file)
	for i, s := range m.shards {
		if f := m.of(i, file); !reflect.DeepEqual(f.timeless(), first.timeless()) {
			return f, fmt.Errorf("%s: found state %s, last seen at seed %d of revision %q, want it as in %s, %s: its reproducer came to different ends: sweep these shards again",
				filepath.Join(s.Dir, file), f.State, f.Last.Seed, f.Last.Revision, m.shards[0].Dir, first.State)
		}
	}
	return first, nil
}

// timeless is the finding without real times, which differ from shard to shard.
func (f Finding) timeless() Finding {
	f.Last.Time = ""
	if f.Resolved != nil {
		at := *f.Resolved
		at.Time = ""
		f.Resolved = &at
	}
	return f
}

// files are the files of the shards' findings of which is true, in their order.
func (m *findingsMerge) files(is func(Finding) bool) (out []string) {
	for _, list := range m.lists {
		for _, f := range list {
			if is(f) {
				out = append(out, f.File())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rest is the findings of scenarios that were not swept.
func (m *findingsMerge) rest(wholes []Whole) (out []Tracked, err error) {
	for _, file := range m.files(func(f Finding) bool {
		return !slices.ContainsFunc(wholes, func(w Whole) bool { return f.of(w.Scenario) })
	}) {
		f, err := m.unseen(file)
		if err != nil {
			return nil, err
		}
		out = append(out, Tracked{Finding: f})
	}
	return out, nil
}

// checkBefore reports a finding of the folder that is neither what the shards began
// with nor what they come to.
func (m *findingsMerge) checkBefore(dir string, before []Finding, merged []Tracked) error {
	for _, old := range before {
		began := m.began[old.File()]
		done := slices.ContainsFunc(merged, func(t Tracked) bool { return reflect.DeepEqual(t.Finding, old) })
		if !done && (old.Count != began.Count || old.First != began.First) {
			return fmt.Errorf("%s: found a count of %d, the shards began with %d: merge into the folder that they began with copies of, or into a new one",
				filepath.Join(dir, old.File()), old.Count, began.Count)
		}
	}
	return nil
}
