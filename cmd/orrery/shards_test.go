package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shardSeeds = flag.String("shards.seeds", "1-13", "seeds whose shards, merged, must be their sweep; make accept-shards takes 1-2000")

// shardsOf is how many shards the test makes.
const shardsOf = 4

// sweepJournal sweeps, writes what is printed to a file, and returns the exit code.
func sweepJournal(t *testing.T, file string, args ...string) int {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"sweep", "./testdata/journal", "--run", "^TestJournal$", "--seeds", *shardSeeds, "--set", "bug=no-sync",
		"--shrink-budget", "15", "--verify", "5%"}, args...)
	code := Main(args, &stdout, &stderr, os.Environ())
	if code == exitUsage || stderr.Len() > 0 {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr.String())
	}
	if err := os.WriteFile(file, stdout.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return code
}

// merge merges files, and returns what it prints and its exit code.
func merge(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = Main(append([]string{"merge"}, args...), &out, &errs, os.Environ())
	return out.String(), errs.String(), code
}

// TestShards wants of shards, merged, the bytes and the exit code of the sweep of all
// seeds; and of what are not all the shards of one sweep, an error.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.json")
	want := sweepJournal(t, whole, "--json")
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for i := range shardsOf {
		name := filepath.Join(dir, fmt.Sprint(i+1, ".json"))
		sweepJournal(t, name, "--json", "--shard", fmt.Sprint(i+1, "/", shardsOf))
		files = append(files, name)
	}
	for _, order := range [][]string{files, {files[2], files[0], files[3], files[1]}, {whole}} {
		got, errs, code := merge(append([]string{"--json"}, order...)...)
		if got != string(text) || code != want || errs != "" {
			t.Errorf("%q: exit code %d, want %d; %d bytes, want %d, the same; %s", order, code, want, len(got), len(text), errs)
		}
	}
	t.Logf("%d bytes, exit code %d: %s", len(text), want, text[bytes.LastIndex(text, []byte(`{"schema":"orrery.sweep`)):])
	inWords := filepath.Join(dir, "whole.txt")
	sweepJournal(t, inWords)
	words, err := os.ReadFile(inWords)
	if err != nil {
		t.Fatal(err)
	}
	rate := regexp.MustCompile(`(?m)^rate .*\n`)
	if n := len(rate.FindAll(words, -1)); n != 1 {
		t.Errorf("found %d rates, want that of the sweep: %s", n, words)
	}
	wantWords := rate.ReplaceAllString(string(words), "")
	if got, errs, code := merge(files...); got != wantWords || code != want || errs != "" {
		t.Errorf("as text: exit code %d, want %d: %s\n%s\nwant\n%s", code, want, errs, got, wantWords)
	}
	t.Logf("as text: %d bytes\n%s", len(wantWords), wantWords)
	severalScenarios(t, files, string(text))
	refuseShards(t, files)
}

// A merge tells of runs that differ as much as the sweep did, and names the packages
// of several scenarios in its way.
func TestMergeTellsDifferences(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"sweep", "./testdata/journal", "--run", "Differs|Vacuous", "--seeds", "1-2", "--verify", "100%", "--json"}
	if code := Main(args, &stdout, &stderr, os.Environ()); code != exitNoVerdict {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr.String())
	}
	name := filepath.Join(t.TempDir(), "differs.json")
	if err := os.WriteFile(name, stdout.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text, errs, code := merge(name)
	if code != exitNoVerdict || errs != "" {
		t.Errorf("exit code %d, want %d: %s", code, exitNoVerdict, errs)
	}
	for _, want := range []string{
		"=== TestDiffers ./testdata/journal\n", "=== TestVacuous ./testdata/journal\n",
		"--- seed 2: nondeterministic\n    event ", "\n    first run: ", "\n    second run: ",
		"    To re-run: orrery replay --seed 2 --run '^TestDiffers$' ./testdata/journal\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("found no %q in\n%s", want, text)
		}
	}
}

// severalScenarios merges files that have two scenarios each, in one order.
func severalScenarios(t *testing.T, files []string, whole string) {
	twice := func(text string) string { return text + strings.ReplaceAll(text, "TestJournal", "TestOther") }
	var both []string
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, filepath.Join(t.TempDir(), fmt.Sprint(i, ".json")))
		if err := os.WriteFile(both[i], []byte(twice(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, errs, _ := merge(append(both, "--json")...); got != twice(whole) || errs != "" {
		t.Errorf("two scenarios: %d bytes, want %d, the same: %s", len(got), len(twice(whole)), errs)
	}
}

// refuseShards merges what must not be.
func refuseShards(t *testing.T, files []string) {
	two, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(two, []byte("\n"))
	for _, c := range []struct {
		text string // of the second shard
		want string
	}{
		{strings.ReplaceAll(string(two), `"shard":"2/4"`, `"shard":"2/5"`), "want "},
		{strings.ReplaceAll(string(two), `"build":"`, `"build":"x`), `settings: identity is {"engine":`},
		{strings.ReplaceAll(string(two), `"bug":"no-sync"`, `"bug":"none"`), `settings: params is {"bug":"none"}, want {"bug":"no-sync"}, as in `},
		{string(bytes.Join(lines[1:], nil)), "it ended early: sweep it again"},
		{string(bytes.Join(lines[:3], nil)), "other.json:3: the file ends before the sweep's last line"},
		{string(two[:len(two)/3]), "want a line of 'orrery sweep --json'"},
		{strings.Replace(string(two), `"seed":"2"`, `"seed":"3"`, 1), "other.json:1: found seed 3 of TestJournal, want seed 2 of TestJournal"},
		{strings.Replace(string(two), `"hash"`, `"hush"`, 1), `other.json:1: json: unknown field "hush": want the fields of orrery.seed/1`},
		{`{"schema":"orrery.finding/1"}`, `other.json:1: schema is "orrery.finding/1", want "orrery.seed/1" or "orrery.sweep/1"`},
		{"", "the file ends before"},
		{strings.ReplaceAll(string(two), "TestJournal", "TestOther"), "found the scenarios"},
	} {
		other := filepath.Join(t.TempDir(), "other.json")
		if err := os.WriteFile(other, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := merge(files[0], other, files[2], files[3])
		if code != exitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("exit code %d, %q, want an error with %q", code, errs, c.want)
		}
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{files[:3], "TestJournal: shard 4/4 is missing: sweep it, and give its file too"},
		{[]string{files[0], files[0], files[1], files[2]}, "found shard 1/4, which " + files[0] + " is, too: give each once"},
		{nil, "merge: want the files"},
		{[]string{filepath.Join(t.TempDir(), "none.json")}, "no such file"},
	} {
		if out, errs, code := merge(c.files...); code != exitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit code %d, %q, want an error with %q", c.files, code, errs, c.want)
		}
	}
}
