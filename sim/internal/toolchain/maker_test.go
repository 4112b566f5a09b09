package toolchain

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// fakeTables edits a fakeRoot.
var fakeTables = tables{
	edits:     []edit{{name: "a", file: "runtime/proc.go", fn: "park", op: atEntry(), code: "hook()"}},
	additions: []addition{{path: "runtime/orrery.go", content: "package runtime\n\nfunc hook() {}\n"}},
}

// fakeRoot makes a tiny GOROOT, read-only where the module cache would be, whose
// go command answers go env.
func fakeRoot(t *testing.T, version string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "go")
	script := "#!/bin/sh\n[ \"$*\" = 'env GOROOT GOVERSION' ] && echo \"${FAKE_GOROOT:-" + root + "}\" && echo " + version + "\n"
	for name, text := range map[string]string{
		"VERSION":             version + "\ntime 2026-01-01T00:00:00Z\n",
		"bin/go":              script,
		"pkg/tool/x":          "",
		"src/runtime/proc.go": "package runtime\n\nfunc park() {\n}\n",
		"src/runtime/asm.s":   "",
		"src/fmt/print.go":    "package fmt\n",
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o444)
		if filepath.Base(name) == "go" {
			mode = 0o755
		}
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func makeFake(t *testing.T, c Config, tt tables) (Root, error) {
	t.Helper()
	m, err := newMaker(t.Context(), c, tt)
	if err != nil {
		return Root{}, err
	}
	return m.root(t.Context())
}

func mustMake(t *testing.T, c Config, tt tables) Root {
	t.Helper()
	r, err := makeFake(t, c, tt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// whole fails if r is not a complete copy of what fakeRoot made.
func whole(t *testing.T, r Root) {
	t.Helper()
	for name, want := range map[string]string{
		"src/runtime/proc.go":   "package runtime\n\nfunc park() { hook();\n}\n",
		"src/runtime/orrery.go": "package runtime\n\nfunc hook() {}\n",
		"src/fmt/print.go":      "package fmt\n",
		"pkg/tool/x":            "",
	} {
		if b, err := os.ReadFile(filepath.Join(r.Dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: got %q, %v, want %q", name, b, err, want)
		}
	}
	if _, err := exec.Command(r.GoCommand(), "env", "GOROOT", "GOVERSION").Output(); err != nil {
		t.Errorf("go command of the copy: %v", err)
	}
	if err := verify(r.Dir, r.Key); err != nil {
		t.Error(err)
	}
}

func TestMake(t *testing.T) {
	goroot, cache := fakeRoot(t, "go1.26.8"), t.TempDir()
	byPath := mustMake(t, Config{GoRoot: goroot, Cache: cache}, fakeTables)
	whole(t, byPath)
	if want := filepath.Join(cache, "goroot", "go1.26.8-"+byPath.Key); byPath.Dir != want || byPath.GoVersion != "go1.26.8" {
		t.Errorf("got %+v, want folder %s", byPath, want)
	}
	t.Setenv("ORRERY_CACHE", cache)
	byCommand := mustMake(t, Config{Go: filepath.Join(goroot, "bin", "go")}, fakeTables)
	t.Setenv("PATH", filepath.Join(goroot, "bin"))
	if found := mustMake(t, Config{}, fakeTables); byCommand != byPath || found != byPath {
		t.Errorf("got %+v by its command and %+v in PATH, want %+v", byCommand, found, byPath)
	}
	info, err := os.Stat(filepath.Join(byPath.Dir, "src", "fmt", "print.go"))
	if err != nil || info.Mode()&0o200 == 0 {
		t.Errorf("copy of a read-only file: got %v, %v, want one that can be written", info, err)
	}
}

func TestKey(t *testing.T) {
	goroot, cache := fakeRoot(t, "go1.26.8"), t.TempDir()
	seen := map[string]string{}
	for name, change := range map[string]func(*tables, *Config){
		"nothing":          func(*tables, *Config) {},
		"code":             func(tt *tables, _ *Config) { tt.edits[0].code = "hook(); hook()" },
		"op":               func(tt *tables, _ *Config) { tt.edits[0].op = replaceBody() },
		"added file":       func(tt *tables, _ *Config) { tt.additions[0].content += "\n" },
		"another version":  func(_ *tables, c *Config) { c.GoVersion = "go1.27.0" },
		"another original": func(_ *tables, c *Config) { c.GoRoot = fakeRoot(t, "go1.26.8") },
	} {
		tt := tables{edits: slices.Clone(fakeTables.edits), additions: slices.Clone(fakeTables.additions)}
		c := Config{GoRoot: goroot, Cache: cache, GoVersion: "go1.26.8"}
		change(&tt, &c)
		r := mustMake(t, c, tt)
		if other, ok := seen[r.Key]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[r.Key] = name
	}
	other := tables{edits: append(slices.Clone(fakeTables.edits), edit{name: "b", since: "1.27"}), additions: fakeTables.additions}
	if r := mustMake(t, Config{GoRoot: goroot, Cache: cache}, other); seen[r.Key] != "nothing" {
		t.Errorf("an edit for another version changed the key")
	}
}

func TestRefused(t *testing.T) {
	cache := t.TempDir()
	for version, want := range map[string]string{
		"go1.25.1":                "go version go1.25.1 is not known: want go1.26.x or go1.27.x",
		"go1.28.0":                "go version go1.28.0 is not known",
		"devel go1.27-e5a1":       `go version "devel go1.27-e5a1": want a release`,
		"go1.26.8 X:nogreentea\n": "",
	} {
		_, err := makeFake(t, Config{GoRoot: fakeRoot(t, version), Cache: cache}, fakeTables)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got error %v, want %q", version, err, want)
		}
	}
	_, err := makeFake(t, Config{GoRoot: fakeRoot(t, "go1.26.8"), Cache: cache}, tables{edits: []edit{
		{name: "a", file: "runtime/proc.go", fn: "x", op: atEntry(), code: "y()"}, {name: "b", file: "fmt/x.go", fn: "x", op: atEntry(), code: "y()"}}})
	var fit *FitError
	if !errors.As(err, &fit) || fit.Edit != "a" || !strings.Contains(err.Error(), `edit "b"`) {
		t.Errorf("got %v, want the misfits of a and b", err)
	}
	for _, c := range []Config{{GoRoot: "/nowhere"}, {Go: "/nowhere/bin/go"}, {GoRoot: t.TempDir()}} {
		c.Cache = cache
		if _, err := makeFake(t, c, fakeTables); err == nil {
			t.Errorf("%+v: got no error", c)
		}
	}
	if list, _ := filepath.Glob(filepath.Join(cache, "goroot", "*.part")); len(list) > 0 {
		t.Errorf("refused makers left %v", list)
	}
}

func TestCheck(t *testing.T) {
	goroot := fakeRoot(t, "go1.28.0")
	wantErrors(t, check(goroot, fakeTables), []string{"go1.28.0 is not known"})
	wantErrors(t, check(goroot, tables{edits: []edit{{name: "a", file: "x.go"}}}), []string{"go1.28.0 is not known", `edit "a"`})
	goroot = fakeRoot(t, "go1.26.8")
	wantErrors(t, check(goroot, fakeTables), nil)
	wantErrors(t, check(mustMake(t, Config{GoRoot: goroot, Cache: t.TempDir()}, fakeTables).Dir, fakeTables), nil)
}

// TestEditsFitThisGo checks our tables against the Go that runs the test.
func TestEditsFitThisGo(t *testing.T) {
	from, err := locate(t.Context(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range Check(from.dir) {
		t.Error(err)
	}
}

func TestDamagedCopyIsMadeAgain(t *testing.T) {
	c := Config{GoRoot: fakeRoot(t, "go1.26.8"), Cache: t.TempDir()}
	for name, damage := range map[string]func(dir string) error{
		"patched file changed": func(dir string) error { return os.WriteFile(filepath.Join(dir, "src/runtime/proc.go"), nil, 0) },
		"added file gone":      func(dir string) error { return os.Remove(filepath.Join(dir, "src/runtime/orrery.go")) },
		"marker gone":          func(dir string) error { return os.Remove(filepath.Join(dir, markerName)) },
		"marker cut":           func(dir string) error { return os.Truncate(filepath.Join(dir, markerName), 20) },
		"go command gone":      func(dir string) error { return os.Remove(filepath.Join(dir, "bin/go")) },
		"link to nowhere": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "pkg")), os.Symlink("/nowhere", filepath.Join(dir, "pkg")))
		},
	} {
		r := mustMake(t, c, fakeTables)
		if err := damage(r.Dir); err != nil {
			t.Fatal(err)
		}
		if verify(r.Dir, r.Key) == nil {
			t.Errorf("%s: not noticed", name)
		}
		whole(t, mustMake(t, c, fakeTables))
	}
}

func TestCopyAsGoRoot(t *testing.T) {
	goroot, cache := fakeRoot(t, "go1.26.8"), t.TempDir()
	first := mustMake(t, Config{GoRoot: goroot, Cache: cache}, fakeTables)
	if r := mustMake(t, Config{GoRoot: first.Dir, Cache: t.TempDir()}, fakeTables); r != first {
		t.Errorf("copy with the right key: got %+v, want %+v", r, first)
	}
	t.Setenv("FAKE_GOROOT", first.Dir)
	if r := mustMake(t, Config{Go: filepath.Join(goroot, "bin/go"), Cache: cache}, fakeTables); r != first {
		t.Errorf("go env names the copy: got %+v, want %+v", r, first)
	}
	other := fakeTables
	other.additions = append(slices.Clone(other.additions), addition{path: "fmt/orrery.go", content: "package fmt\n"})
	second := mustMake(t, Config{GoRoot: first.Dir, Cache: cache}, other)
	if second.Dir == first.Dir {
		t.Fatal("a copy of other edits was taken as it is")
	}
	whole(t, second) // with the edits once
	if err := os.RemoveAll(goroot); err != nil {
		t.Fatal(err)
	}
	if _, err := makeFake(t, Config{GoRoot: first.Dir, Cache: cache}, other); err == nil || !strings.Contains(err.Error(), "which is gone") {
		t.Errorf("original gone: got %v, want an error that says so", err)
	}
}

func TestConcurrentMakers(t *testing.T) {
	c := Config{GoRoot: fakeRoot(t, "go1.26.8"), Cache: t.TempDir()}
	var made, wg = make(chan string, 100), sync.WaitGroup{}
	for range 8 {
		wg.Go(func() {
			m, err := newMaker(t.Context(), c, fakeTables)
			if err != nil {
				t.Error(err)
				return
			}
			m.reached = func(stage string) { made <- stage }
			r, err := m.root(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			whole(t, r)
		})
	}
	wg.Wait()
	if len(made) != 2 {
		t.Errorf("got %d stages, want the 2 of one maker", len(made))
	}
}

// The process that helper starts makes a copy and then does what it is told at
// that stage.
const (
	helperRoot  = "TOOLCHAIN_TEST_GOROOT"
	helperCache = "TOOLCHAIN_TEST_CACHE"
	helperStop  = "TOOLCHAIN_TEST_STOP"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(helperRoot); root != "" {
		os.Exit(helperMain(root))
	}
	os.Exit(m.Run())
}

func helperMain(root string) int {
	m, err := newMaker(context.Background(), Config{GoRoot: root, Cache: os.Getenv(helperCache)}, fakeTables)
	if err != nil {
		println(err.Error())
		return 1
	}
	m.reached = func(stage string) {
		if stage == os.Getenv(helperStop) {
			os.Stdout.WriteString("stopped\n")
			select {} // until killed
		}
	}
	r, err := m.root(context.Background())
	if err != nil {
		println(err.Error())
		return 1
	}
	os.Stdout.WriteString(r.Dir + "\n")
	return 0
}

func helper(t *testing.T, c Config, stop string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), helperRoot+"="+c.GoRoot, helperCache+"="+c.Cache, helperStop+"="+stop)
	cmd.Stderr = os.Stderr
	return cmd
}

func TestConcurrentProcesses(t *testing.T) {
	c := Config{GoRoot: fakeRoot(t, "go1.26.8"), Cache: t.TempDir()}
	var wg sync.WaitGroup
	dirs := make([]string, 6)
	for i := range dirs {
		wg.Go(func() {
			out, err := helper(t, c, "").Output()
			if err != nil {
				t.Errorf("process %d: %v", i, err)
			}
			dirs[i] = strings.TrimSpace(string(out))
		})
	}
	wg.Wait()
	r := mustMake(t, c, fakeTables)
	whole(t, r)
	for i, dir := range dirs {
		if dir != r.Dir {
			t.Errorf("process %d: got %q, want %q", i, dir, r.Dir)
		}
	}
}

func TestKilledMaker(t *testing.T) {
	for _, stage := range []string{"copied", "patched"} {
		c := Config{GoRoot: fakeRoot(t, "go1.26.8"), Cache: t.TempDir()}
		cmd := helper(t, c, stage)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "stopped\n" {
			t.Fatalf("got %q, %v, want a maker stopped at %s", line, err, stage)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		m, err := newMaker(ctx, c, fakeTables)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.root(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("while another makes the copy: got %v, want to wait until canceled", err)
		}
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := os.Stat(partName(m.dir())); err != nil {
			t.Errorf("the killed maker left nothing: %v", err)
		}
		if verify(m.dir(), m.key) == nil {
			t.Error("an unfinished copy is in place")
		}
		whole(t, mustMake(t, c, fakeTables))
		if _, err := os.Stat(partName(m.dir())); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what the killed maker left: got %v, want it gone", err)
		}
	}
}

func TestCanceledMakerLeavesNothing(t *testing.T) {
	c := Config{GoRoot: fakeRoot(t, "go1.26.8"), Cache: t.TempDir()}
	ctx, cancel := context.WithCancel(t.Context())
	m, err := newMaker(ctx, c, fakeTables)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := m.root(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	for _, dir := range []string{m.dir(), partName(m.dir())} {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want it gone", dir, err)
		}
	}
}

func TestTidy(t *testing.T) {
	goroot, cache := fakeRoot(t, "go1.26.8"), t.TempDir()
	variant := func(i int) tables {
		tt := fakeTables
		tt.edits = append(slices.Clone(tt.edits), edit{name: "b", file: "fmt/print.go", op: appendDecl(), code: strings.Repeat("var _ int\n", i)})
		return tt
	}
	var roots []Root
	for i := range 7 {
		roots = append(roots, mustMake(t, Config{GoRoot: goroot, Cache: cache}, variant(i+1)))
	}
	if list, _ := filepath.Glob(filepath.Join(cache, "goroot", "*", markerName)); len(list) != 7 {
		t.Fatalf("copies in use: got %d, want 7", len(list))
	}
	newest := lastUsed(roots[6].Dir)
	for i, r := range roots { // roots[6] used last
		at := newest.Add(-3*keepFor + time.Duration(i)*time.Minute)
		if err := os.Chtimes(filepath.Join(r.Dir, usedName), at, at); err != nil {
			t.Fatal(err)
		}
	}
	stale := partName(filepath.Join(cache, "goroot", "go1.26.1-0"))
	busy := partName(filepath.Join(cache, "goroot", "go1.26.2-0"))
	foreign := filepath.Join(cache, "goroot", "notes")
	for _, dir := range []string{stale, busy, foreign} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := lock(t.Context(), lockName(strings.TrimSuffix(busy, ".part")))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	roots = append(roots, mustMake(t, Config{GoRoot: goroot, Cache: cache}, variant(8)))
	for i, r := range roots {
		_, err := os.Stat(r.Dir)
		if kept, want := err == nil, i >= 8-keepMin; kept != want {
			t.Errorf("copy %d: got kept %v, want %v", i, kept, want)
		}
	}
	for dir, want := range map[string]bool{stale: false, busy: true, foreign: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: got %v, want kept %v", dir, err, want)
		}
	}
}
