package author

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// place is Write without compiling, running and staging.
func place(t *testing.T, c Config) []Written {
	t.Helper()
	w := &writer{Config: c}
	if err := w.validate(); err != nil {
		t.Fatal(err)
	}
	w.answers = newAnswers(w.In, w.Out)
	w.collect()
	for i := range w.files {
		if err := w.file(&w.files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return w.results()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, ".", file); got != want {
		t.Errorf("%s differs: got\n%s\nwant\n%s", file, got, want)
	}
}

// The skeletons of a plan: with a model, with what the engine has not, of a boundary and of
// fairness, two in one file.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	place(t, Config{Plan: kvPlan(), File: filepath.Join(dir, "plans", "kv.md"), Dir: dir})
	golden(t, "kv.golden", folder(t, dir))
}

// sibling tests, of which the first is in most ways what skeletons follow.
var siblings = []string{
	"kv/kv.go", "package kv\n\nfunc Main() {}\n\nvar sim int\n",
	"kv/kv_test.go", `//go:build integration && linux

package kv_test

import (
	orrery "github.com/orrery-sim/orrery/sim"
	"example.com/kv/kv"
	"testing"
)

var service, client = orrery.NewProgram("kv", kv.Main), orrery.NewProgram("client", kv.Main)

var programS1 = 1

func boot(w *orrery.World, nodes []*orrery.Node) {
	for _, n := range nodes {
		n.Start(service, w.Param("bug"), w.Param("mode"))
	}
}

func TestOld(t *testing.T) {}
`,
	"kv/unit_test.go", "//go:build integration && linux\n\npackage kv\n\nimport \"testing\"\n\nfunc TestUnit(t *testing.T) { Main() }\n",
}

func TestGoldenSiblings(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, siblings...)
	place(t, Config{Plan: only(kvPlan(), "S1"), Dir: dir})
	golden(t, "siblings.golden", read(t, dir, "kv/kv_s1_test.go"))
}

func TestIdiom(t *testing.T) {
	const engine = "\nimport \"github.com/orrery-sim/orrery/sim\"\n"
	for _, c := range []struct {
		name  string
		files []string
		want  []string // in the skeleton
		not   string
	}{
		{"the folder's name", nil, []string{"package kv\n", "var programS1 = sim.NewProgram(\"TestS1\""}, "//go:build"},
		{"the code's package", []string{"kv/main.go", "package main\n"}, []string{"package main\n"}, "package kv"},
		{"an external test", []string{"kv/a.go", "package kv\n", "kv/a_test.go", "package kv_test\n"}, []string{"package kv_test\n"}, "package kv\n"},
		{"that of scenarios before others", []string{"kv/a_test.go", "package kv\n", "kv/b_test.go", "package kv\n", "kv/c_test.go", "package kv_test\n" + engine}, []string{"package kv_test\n"}, "package kv\n"},
		{"one constraint", []string{"kv/a_test.go", "//go:build slow\n\npackage kv\n"}, []string{"//go:build slow\n\npackage kv\n"}, "TODO(S1): slow"},
		{"not all constraints", []string{"kv/a_test.go", "//go:build slow\n\npackage kv\n", "kv/b_test.go", "package kv\n"}, []string{"package kv\n"}, "//go:build"},
		{"a program", []string{"kv/a_test.go", "package kv\n" + engine + "var p = sim.NewProgram(\"kv\", nil)\n"}, []string{"n.Start(p)"}, "NewProgram"},
		{"two programs", []string{"kv/a_test.go", "package kv\n" + engine + "var p = sim.NewProgram(\"kv\", nil)\nvar q = sim.NewProgram(\"q\", nil)\n"}, []string{"the package has p, q.", "n.Start(p)"}, "NewProgram"},
		{"the other package's program", []string{"kv/a_test.go", "package kv\n" + engine + "var p = sim.NewProgram(\"TestS1\", nil)\n", "kv/b_test.go", "package kv_test\n" + engine, "kv/c_test.go", "package kv_test\n" + engine}, []string{"NewProgram(\"TestS1-skeleton\""}, "n.Start(p)"},
		{"a helper", []string{"kv/a_test.go", "package kv\n" + engine + "func up(w *sim.World, n []*sim.Node) { n[0].Start(nil) }\n"}, []string{"\tup(w, nodes)\n"}, "NewProgram"},
		{"no helper", []string{"kv/a_test.go", "package kv\n" + engine + "func up(w *sim.World, n []*sim.Node) { n[0].Kill() }\n"}, []string{"NewProgram"}, "up(w, nodes)"},
		{"taken names", []string{"kv/a.go", "package kv\n\nvar oracle, errors, fmt, programS1 int\n"}, []string{"orreryoracle.NewHistory", "orreryerrors.New", "orreryfmt.Sprintf", "programS12 ="}, " oracle."},
		{"a file that is no Go", []string{"kv/a_test.go", "no Go"}, []string{"package kv\n"}, "no Go"},
	} {
		dir := t.TempDir()
		write(t, dir, c.files...)
		if got := place(t, Config{Plan: only(kvPlan(), "S1"), Dir: dir}); got[0].Action != Created {
			t.Errorf("%s: %+v", c.name, got[0])
			continue
		}
		text := read(t, dir, "kv/kv_s1_test.go")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%s: %q in\n%s", c.name, c.not, text)
		}
	}
}

func TestFolderPackage(t *testing.T) {
	for _, c := range [][2]string{{"kv", "kv"}, {"raft-kv", "raftkv"}, {"go", "testsgo"}, {"2pc", "tests2pc"}, {"--", "tests"}, {"Käse.v2", "käsev2"}} {
		if got := folderPackage(filepath.Join("/nowhere", c[0])); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", "// a module\nmodule \"example.com/top-level\" // of the example\n")
	if got := folderPackage(dir); got != "toplevel" {
		t.Errorf("at a module's top: got %s, want toplevel", got)
	}
}
