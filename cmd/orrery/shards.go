package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/orrery-sim/orrery/sim/run"
)

// shardFile is what a sweep printed with --json.
type shardFile struct {
	name   string
	folder string       // of the shard's findings, if the file is in one
	sweeps []shardSweep // one a scenario
}

// shardSweep is the sweep of one scenario.
type shardSweep struct {
	file    string
	folder  string // of the shard's findings, if the file is in one
	lines   []seedText
	summary summaryLine
	index   uint64 // from 1
	of      uint64
}

// seedText is a seed's line as it was printed.
type seedText struct {
	place string // file:line
	text  []byte
}

// readShards reads files, or folders in which shards kept findings.
func readShards(names []string) (shards []shardFile, err error) {
	for _, name := range names {
		s, err := readShard(name)
		if err != nil {
			return nil, err
		}
		if shards = append(shards, s); (s.folder == "") != (shards[0].folder == "") {
			return nil, fmt.Errorf("%s: found a file and a folder, %s: want the files of all shards, or their folders", name, names[0])
		}
	}
	return shards, nil
}

// readShard reads a file, whose lines are read strictly, those of the seeds when they
// are merged.
func readShard(name string) (f shardFile, err error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		f.folder, name = name, filepath.Join(name, run.ShardFile)
	}
	text, err := os.ReadFile(name)
	if f.folder != "" && errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%w: want the folder of an ended 'orrery sweep --shard i/n --out': sweep this shard again, from a copy of the folder that it began with", err)
	}
	if err != nil {
		return f, err
	}
	f.name = name
	sweep := shardSweep{file: name, folder: f.folder}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		at := fmt.Sprintf("%s:%d", name, n)
		schema, err := lineSchema(line)
		if err != nil {
			return f, fmt.Errorf("%s: %w: want a line of 'orrery sweep --json'", at, err)
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		switch schema {
		case seedSchema:
			sweep.lines = append(sweep.lines, seedText{at, line})
		case sweepSchema:
			if err := strictly(line, &sweep.summary); err != nil {
				return f, fmt.Errorf("%s: %w: want the fields of %s, of this version", at, err, sweepSchema)
			}
			if err := sweep.check(at); err != nil {
				return f, err
			}
			f.sweeps = append(f.sweeps, sweep)
			sweep = shardSweep{file: name, folder: f.folder}
		default:
			return f, fmt.Errorf("%s: schema is %q, want %q or %q: give what 'orrery sweep --json' of this version printed", at, schema, seedSchema, sweepSchema)
		}
	}
	if len(sweep.lines) > 0 || len(f.sweeps) == 0 {
		return f, fmt.Errorf("%s:%d: the file ends before the sweep's last line: sweep this shard again", name, n)
	}
	return f, nil
}

func lineSchema(line []byte) (string, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	err := json.Unmarshal(line, &head)
	return head.Schema, err
}

func strictly(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// check reads which shard it is, and reports one that does not have all its seeds.
func (s *shardSweep) check(at string) error {
	s.index, s.of = 1, 1
	set := s.summary.Settings
	seeds, err := run.ParseSeeds(set.Seeds)
	if err == nil && set.Shard != "" {
		if s.index, s.of, err = parseShard(set.Shard); err == nil {
			seeds, err = seeds.Shard(s.index, s.of)
		}
	}
	switch n := uint64(len(s.lines)); {
	case err != nil:
		return fmt.Errorf("%s: settings: %w", at, err)
	case len(s.summary.Findings) > 0 && s.folder == "":
		return fmt.Errorf("%s: this sweep kept findings: give 'orrery merge' the folders of --out in place of files", at)
	case n != seeds.Len() || n != s.summary.Seeds || s.summary.Interrupted:
		return fmt.Errorf("%s: found %d seeds, want %d: it ended early: sweep it again, without --for and --fail-fast", at, n, seeds.Len())
	}
	for i, line := range s.lines {
		seed, err := line.seed()
		if err != nil {
			return err
		}
		if want := seeds.At(uint64(i)); seed.Seed != want || seed.Scenario != s.summary.Scenario || seed.Package != s.summary.Package {
			return fmt.Errorf("%s: found seed %d of %s, want seed %d of %s: give the file as it was printed", line.place, seed.Seed, seed.Scenario, want, s.summary.Scenario)
		}
	}
	return nil
}

func (t seedText) seed() (line seedLine, err error) {
	if err := strictly(t.text, &line); err != nil {
		return line, fmt.Errorf("%s: %w: want the fields of %s, of this version", t.place, err, seedSchema)
	}
	return line, nil
}

// item is what came of the seed, as far as summaries need it.
func (t seedText) item() (run.Item, error) {
	l, err := t.seed()
	return run.Item{Seed: l.Seed, Verified: l.Verified, Difference: l.Difference, Output: run.Output{Result: run.Result{
		Scenario: l.Scenario, Seed: l.Seed, Verdict: l.Verdict, Reason: l.Reason, Violation: l.Violation, Hash: l.Hash,
		Events: l.Events, Steps: l.Steps, Virtual: l.Virtual, Calls: l.Calls, Ops: l.Ops, Faults: l.Faults,
		Unsupported: l.Unsupported, Warnings: l.Warnings,
	}}}, err
}

// sameScenarios reports files that are not of the same scenarios, in one order.
func sameScenarios(shards []shardFile) error {
	names := func(f shardFile) (out []string) {
		for _, s := range f.sweeps {
			out = append(out, s.summary.Package+" "+s.summary.Scenario)
		}
		return out
	}
	want := names(shards[0])
	for _, s := range shards[1:] {
		if got := names(s); !reflect.DeepEqual(got, want) {
			return fmt.Errorf("%s: found the scenarios %q, want those of %s, %q", s.name, got, shards[0].name, want)
		}
	}
	return nil
}

// inOrder puts the shards of a scenario in their order. They must be all of one sweep.
func inOrder(parts []shardSweep) ([]shardSweep, error) {
	first := parts[0]
	ordered := make([]shardSweep, first.of)
	for _, p := range parts {
		if err := sameSettings(first, p); err != nil {
			return nil, err
		}
		slot := &ordered[p.index-1]
		if slot.file != "" {
			return nil, fmt.Errorf("%s: found shard %d/%d, which %s is, too: give each once", p.file, p.index, p.of, slot.file)
		}
		*slot = p
	}
	for i, p := range ordered {
		if p.file == "" {
			return nil, fmt.Errorf("%s: shard %d/%d is missing: sweep it, and give its file too", first.summary.Scenario, i+1, first.of)
		}
	}
	return ordered, nil
}

// sameSettings reports shards that are not of one sweep, by the first setting that
// differs.
func sameSettings(a, b shardSweep) error {
	if a.of != b.of {
		return fmt.Errorf("%s: found shard %d/%d, want one of %d, as %s", b.file, b.index, b.of, a.of, a.file)
	}
	x, y := a.summary.Settings, b.summary.Settings
	x.Shard, y.Shard = "", ""
	vx, vy := reflect.ValueOf(x), reflect.ValueOf(y)
	for i := range vx.NumField() {
		if fx, fy := vx.Field(i).Interface(), vy.Field(i).Interface(); !reflect.DeepEqual(fx, fy) {
			name := vx.Type().Field(i).Tag.Get("json")
			return fmt.Errorf("%s: settings: %s is %s, want %s, as in %s: sweep all shards alike", b.file, bytes.TrimSuffix([]byte(name), []byte(",omitempty")), asJSON(fy), asJSON(fx), a.file)
		}
	}
	return nil
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
