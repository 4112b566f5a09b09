package run

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// folderOf returns the files of a folder.
func folderOf(t interface{ Fatal(...any) }, dir string) map[string]string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != ShardFile {
			out[e.Name()] = string(text)
		}
	}
	return out
}

func copyFolder(t interface{ Fatal(...any) }, from, to string) {
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// failures are how seeds fail, by seed; "" is a pass.
type failures []string

// summary is of every n-th seed from the i-th on, from 0.
func (f failures) summary(i, n int) Summary {
	s := NewSummary(findingsConfig)
	for seed := i; seed < len(f); seed += n {
		r := Result{Seed: uint64(seed), Verdict: Pass, Hash: "abc"}
		if f[seed] != "" {
			r.Verdict, r.Violation = Violated, &Violation{Oracle: "o", Message: f[seed]}
		}
		s.Add(Item{Seed: r.Seed, Output: Output{Result: r}})
	}
	return s
}

// keepShard brings a folder up to date, and returns what a merge is told of it. Reproducers
// fail or not by what they expect.
func keepShard(t interface{ Fatal(...any) }, dir, revision string, s Summary, stillFail map[string]bool) Shard {
	f, err := OpenFindings(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Update(findingsConfig, s, Sighting{Revision: revision}, func(r Reproducer) (Result, error) {
		if stillFail[r.Expect.Message] {
			return Result{Verdict: Violated, Violation: &Violation{Oracle: r.Expect.Oracle, Message: r.Expect.Message}}, nil
		}
		return Result{Verdict: Pass}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sweep := ShardSweep{Seen: map[string]uint64{}, Notes: map[string]string{}}
	for _, b := range s.Buckets {
		sweep.Seen[b.Signature] = b.Count
	}
	for _, t := range list {
		sweep.Notes[t.Signature] = t.Note
	}
	return Shard{Dir: dir, Sweeps: []ShardSweep{sweep}}
}

// The folders of shards, merged, are the folder of the sweep of all seeds, whatever
// happened before it; and merged again, too.
func TestShardsOfFindings(t *testing.T) {
	temp := t.TempDir()
	trial := 0
	kinds := []string{"lost a", "kept b", "torn c", "late d"}
	rapid.Check(t, func(t *rapid.T) {
		trial++
		dir := func(name string) string { return filepath.Join(temp, fmt.Sprint(trial, "-", name)) }
		seeds := rapid.SliceOfN(rapid.SampledFrom(append([]string{"", ""}, kinds...)), 0, 12)
		still := rapid.MapOf(rapid.SampledFrom(kinds), rapid.Bool())
		whole := dir("whole")
		n := rapid.IntRange(1, 3).Draw(t, "shards")
		for sweep := range rapid.IntRange(1, 3).Draw(t, "sweeps") {
			fail, stillFail := failures(seeds.Draw(t, "seeds")), still.Draw(t, "still")
			revision := fmt.Sprint("r", sweep)
			began := dir(fmt.Sprint("began", sweep))
			if _, err := os.Stat(whole); err == nil {
				copyFolder(t, whole, began)
			}
			keepShard(t, whole, revision, fail.summary(0, 1), stillFail)
			var shards []Shard
			for i := range n {
				of := dir(fmt.Sprint("shard", sweep, "-", i))
				if _, err := os.Stat(began); err == nil {
					copyFolder(t, began, of)
				}
				shards = append(shards, keepShard(t, of, revision, fail.summary(i, n), stillFail))
			}
			for range 2 {
				merged := &Findings{began}
				if _, err := merged.Merge([]Whole{{findingsConfig.Scenario, fail.summary(0, 1).Buckets}}, shards); err != nil {
					t.Fatal(err)
				}
				if got, want := folderOf(t, began), folderOf(t, whole); !maps.Equal(got, want) {
					t.Fatalf("sweep %d of %q:\n%v\nwant\n%v", sweep, fail, slices.Sorted(maps.Values(got)), slices.Sorted(maps.Values(want)))
				}
			}
		}
	})
}

// Folders that are not of one sweep are refused, and nothing is written.
func TestShardsOfOtherFindings(t *testing.T) {
	temp := t.TempDir()
	at := func(name string) string { return filepath.Join(temp, name) }
	fail := failures{"lost a", "kept b", "lost a", ""}
	whole := []Whole{{findingsConfig.Scenario, fail.summary(0, 1).Buckets}}
	first := failures{"lost a", "late d"}.summary(0, 1)
	keepShard(t, at("base"), "r1", first, nil)
	file := Finding{Package: "example.com/kv", Scenario: findingsConfig.Scenario.Name, Signature: "o: lost a"}.File()
	late := Finding{Package: "example.com/kv", Scenario: findingsConfig.Scenario.Name, Signature: "o: late d"}.File()
	shard := func(name, base string, i int, still map[string]bool) Shard {
		if base != "" {
			copyFolder(t, at(base), at(name))
		}
		return keepShard(t, at(name), "r2", fail.summary(i, 2), still)
	}
	one := shard("one", "base", 0, nil)
	two := shard("two", "base", 1, nil)
	copyFolder(t, at("two"), at("damaged"))
	if err := os.WriteFile(filepath.Join(at("damaged"), late), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	copyFolder(t, at("one"), at("less"))
	text, err := os.ReadFile(filepath.Join(at("less"), file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(at("less"), file), []byte(strings.Replace(string(text), `"count": 3`, `"count": 1`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	copyFolder(t, at("base"), at("later"))
	keepShard(t, at("later"), "r3", first, nil)
	moved := func(s Shard, name string) Shard { s.Dir = at(name); return s }
	for _, c := range []struct {
		name   string
		into   string
		shards []Shard
		want   string
	}{
		{"another beginning", "new", []Shard{one, shard("fresh", "", 1, nil)}, file + ": found a count of 0 before the sweep, want 1, and all else as in " + at("one") + ": begin all shards with copies of one folder"},
		{"another end", "new", []Shard{one, shard("still", "base", 1, map[string]bool{"late d": true})}, at("still") + "/" + late + `: found state ongoing, last seen at seed 1 of revision "r2", want it as in ` + at("one") + ", resolved: its reproducer came to different ends"},
		{"damaged", "new", []Shard{one, moved(two, "damaged")}, late + ":1:2: unexpected EOF: want a finding"},
		{"gone", "new", []Shard{one, moved(two, "nowhere")}, "nowhere: no such file"},
		{"not as it was left", "new", []Shard{moved(one, "less"), two}, file + ": found a count of 1, want the 2 seeds of shard.jsonl at least"},
		{"a later folder", "later", []Shard{one, two}, late + ": found a count of 2, the shards began with 1: merge into the folder that they began with copies of, or into a new one"},
	} {
		before, _ := os.ReadDir(at(c.into))
		_, err := (&Findings{at(c.into)}).Merge(whole, c.shards)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v\nwant %s", c.name, err, c.want)
		}
		if after, _ := os.ReadDir(at(c.into)); len(after) != len(before) {
			t.Errorf("%s: the folder has %d files, want the %d that it had", c.name, len(after), len(before))
		}
	}
	if _, err := (&Findings{at("base")}).Merge(whole, []Shard{one, two}); err != nil {
		t.Error(err)
	}
}
