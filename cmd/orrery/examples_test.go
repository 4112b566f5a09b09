package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/orrery-sim/orrery/sim/run"
)

// documents returns the documents of a YAML file, whose keys must not come twice.
func documents(t *testing.T, name string) (out []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc map[string]any
		switch err := dec.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, doc)
	}
}

// at returns what a path of keys and indices leads to.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				t.Fatalf("%v: there are %d, want more", path, len(list))
			}
			v = list[step]
		}
		if v == nil {
			t.Fatalf("%v: nothing at %v", path, step)
		}
	}
	return v
}

var (
	called = regexp.MustCompile(`\borrery ([a-z]+)([^|>;\n` + "`" + `)]*)`)
	flagOf = regexp.MustCompile(`(?:^|\s)--([a-z-]+)`)
)

// checkCommands wants every command of orrery in a text to be there, with its flags.
func checkCommands(t *testing.T, name, text string) (n int) {
	t.Helper()
	root := (&app{}).rootCommand()
	for _, m := range called.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
		n++
		c, _, err := root.Find([]string{m[1]})
		if err != nil || c == root {
			t.Errorf("%s: %q: there is no command %s", name, m[0], m[1])
			continue
		}
		for _, f := range flagOf.FindAllStringSubmatch(m[2], -1) {
			if c.Flags().Lookup(f[1]) == nil {
				t.Errorf("%s: %q: %s has no flag --%s", name, m[0], m[1], f[1])
			}
		}
	}
	return n
}

func TestExampleCommands(t *testing.T) {
	for name, least := range map[string]int{"docs/examples/github.yaml": 3, "docs/examples/kubernetes.yaml": 2, "docs/ci.md": 3} {
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := checkCommands(t, name, string(text)); n < least {
			t.Errorf("%s: found %d commands, want %d at least", name, n, least)
		}
	}
}

// allShards wants shards, as a file writes them, to be all of one number.
func allShards(t *testing.T, shards []string) {
	t.Helper()
	var seen []uint64
	for _, s := range shards {
		i, n, err := parseShard(s)
		if err != nil || n != uint64(len(shards)) {
			t.Fatalf("shard %s of %q: %v", s, shards, err)
		}
		seen = append(seen, i)
	}
	for i := range shards {
		if !slices.Contains(seen, uint64(i+1)) {
			t.Errorf("shards %q: %d is missing", shards, i+1)
		}
	}
}

var shardFlag = regexp.MustCompile(`--shard (\S+/\d+|"[^"]*")`)

func shardOf(t *testing.T, script string) string {
	t.Helper()
	m := shardFlag.FindStringSubmatch(script)
	if m == nil {
		t.Fatalf("no --shard in %s", script)
	}
	return m[1]
}

func TestGitHubExample(t *testing.T) {
	docs := documents(t, "docs/examples/github.yaml")
	job := at(t, docs[0], "jobs", "shard")
	var scripts []string
	for i := range at(t, job, "steps").([]any) {
		if text, ok := at(t, job, "steps", i).(map[string]any)["run"].(string); ok {
			scripts = append(scripts, text)
		}
	}
	script := scripts[len(scripts)-1]
	_, of, _ := strings.Cut(strings.ReplaceAll(script, "${{ matrix.shard }}", "I"), "--shard I/")
	of, _, _ = strings.Cut(of, " ")
	var shards []string
	for _, i := range at(t, job, "strategy", "matrix", "shard").([]any) {
		shards = append(shards, fmt.Sprint(i, "/", of))
	}
	allShards(t, shards)
	if needs := at(t, docs[0], "jobs", "merge", "needs"); needs != "shard" {
		t.Errorf("merge needs %v, want the shards", needs)
	}
}

// The shard of each completion index is what the pod's shell makes of it.
func TestKubernetesExample(t *testing.T) {
	docs := documents(t, "docs/examples/kubernetes.yaml")
	spec := at(t, docs[0], "spec")
	if mode := at(t, spec, "completionMode"); mode != "Indexed" {
		t.Errorf("completionMode %v, want Indexed", mode)
	}
	shard := shardOf(t, at(t, spec, "template", "spec", "containers", 0, "args", 0).(string))
	completions := fmt.Sprint(at(t, spec, "completions"))
	var shards []string
	for i := 0; fmt.Sprint(i) != completions; i++ {
		c := exec.Command("sh", "-c", "echo "+shard)
		c.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", i))
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, strings.TrimSpace(string(out)))
	}
	allShards(t, shards)
	wait := at(t, docs[1], "spec", "template", "spec", "initContainers", 0, "args", 0).(string)
	if !strings.Contains(wait, "-eq "+completions+" ]") {
		t.Errorf("the merging Job waits by %q, want it to wait for %s files", wait, completions)
	}
}

// The page's known failures are read as a file of them.
func TestKnownExample(t *testing.T) {
	for _, b := range blocks(t, "docs/ci.md") {
		if list, err := run.ParseKnown([]byte(b)); err != nil || len(list) != 1 {
			t.Errorf("%s: %v", b, err)
		}
	}
}
