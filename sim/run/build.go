package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sim/orrery/sim/internal/toolchain"
)

// Options says how test binaries are built.
type Options struct {
	Dir    string    // where packages are resolved; "" is the current folder
	Tags   string    // build tags, separated by commas
	Race   bool      // with Go's race detector, which needs a C compiler
	Short  bool      // whether testing.Short() is true in runs
	Cover  string    // with counters of coverage in this mode, as -covermode has it; "" is none
	Stderr io.Writer // gets the compiler's words; nil drops them unless it fails
}

// RaceArgs are the arguments of a build with the race detector. What the engine does
// with a program's memory is the kernel's doing, which is no race, and its own state
// is guarded by the world's running one goroutine at a time.
func RaceArgs() []string {
	args := []string{"-race"}
	for _, room := range []string{"sim", "net", "disk", "clock", "oracle"} {
		args = append(args, "-gcflags="+enginePath+"/"+room+"/...=-race=false")
	}
	return args
}

// Binary is a test binary built with the patched toolchain.
type Binary struct {
	Package  string
	Dir      string // the package's folder, in which its workers run
	File     string
	Tags     string
	Race     bool
	Short    bool // workers have testing.Short()
	Identity Identity
	// CoverDir is the folder to which runs of a binary with counters of coverage
	// write them, as GOCOVERDIR is.
	CoverDir string

	tests []string // that call sim.Test
	data  dataSymbols
}

// Identity says what a run is a run of: two runs of one identity, seed and
// overrides are equal.
type Identity struct {
	Engine string `json:"engine"`
	Go     string `json:"go"`              // version, and the key of the patched toolchain
	Arch   string `json:"arch"`            // GOARCH
	Build  string `json:"build"`           // SHA-256 of the binary, 16 hex digits
	Short  bool   `json:"short,omitempty"` // testing.Short()
}

// Toolchain makes the patched toolchain for the Go that is in use in dir.
func Toolchain(ctx context.Context, dir string) (toolchain.Root, error) {
	return toolchain.Make(ctx, toolchain.Config{Dir: dir})
}

// enginePackage is what a package with scenarios imports.
const enginePackage = enginePath + "/sim"

const enginePath = "github.com/orrery-sim/orrery"

// tagsAlways keep the standard library from cgo.
const tagsAlways = "netgo,osusergo"

// Build builds the tests of the packages that import the engine in their tests.
// Folders may be of several modules. An error of the compiler is passed on as it
// is.
func Build(ctx context.Context, patterns []string, o Options) ([]*Binary, error) {
	var out []*Binary
	for _, m := range byModule(o.Dir, patterns) {
		o.Dir = m.dir
		built, err := buildIn(ctx, m.patterns, o)
		if err != nil {
			return nil, err
		}
		out = append(out, built...)
	}
	return out, nil
}

// buildIn is Build for patterns of the module that the folder o.Dir is in.
func buildIn(ctx context.Context, patterns []string, o Options) (out []*Binary, err error) {
	root, err := Toolchain(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	b := builder{root, o}
	packages, err := b.list(ctx, patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		bin, err := b.build(ctx, p)
		if err != nil {
			return nil, err
		}
		out = append(out, bin)
	}
	return out, nil
}

type builder struct {
	root toolchain.Root
	o    Options
}

type listedPackage struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	TestImports  []string
	XTestImports []string
}

// command is the patched go command. cgo is off, since code that is not Go's goes
// past the world, but for the race detector, which is C.
func (b builder) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, b.root.GoCommand(), args...)
	c.Dir = b.o.Dir
	cgo := "0"
	if b.o.Race {
		cgo = "1"
	}
	c.Env = append(os.Environ(), append(b.root.Env(), "CGO_ENABLED="+cgo)...)
	return c
}

func (b builder) tags() string {
	if b.o.Tags == "" {
		return tagsAlways
	}
	return tagsAlways + "," + b.o.Tags
}

func (b builder) list(ctx context.Context, patterns []string) ([]listedPackage, error) {
	args := append([]string{"list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,TestImports,XTestImports", "-tags", b.tags()}, patterns...)
	var stdout, stderr bytes.Buffer
	c := b.command(ctx, args...)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return nil, &PackageError{commandError("go list", err, stderr.String())}
	}
	var out []listedPackage
	dec := json.NewDecoder(&stdout)
	for {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if slices.Contains(p.TestImports, enginePackage) || slices.Contains(p.XTestImports, enginePackage) {
			out = append(out, p)
		}
	}
}

// PackageError says that the go command finds no such packages.
type PackageError struct{ err error }

func (e *PackageError) Error() string { return e.err.Error() }

// Unwrap returns what the go command said.
func (e *PackageError) Unwrap() error { return e.err }

// commandError is what a command of the toolchain said, or that it did not run.
func commandError(what string, err error, stderr string) error {
	if text := strings.TrimSpace(stderr); text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// build links the package's test into the cache, under the name of its contents.
// It is not vetted: that takes as long as compiling, and go test does it.
func (b builder) build(ctx context.Context, p listedPackage) (*Binary, error) {
	dir, err := CacheDir()
	if err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(dir, "build-*")
	if err != nil {
		return nil, err
	}
	tmp.Close()
	defer os.Remove(tmp.Name())
	var stderr bytes.Buffer
	if b.o.Race {
		if err := b.refuseCgo(ctx, p.ImportPath); err != nil {
			return nil, err
		}
	}
	c := b.command(ctx, slices.Concat([]string{"test", "-c", "-vet=off", "-trimpath", "-tags", b.tags()}, b.instruments(), []string{"-o", tmp.Name(), p.ImportPath})...)
	c.Stderr = &stderr
	if b.o.Stderr != nil {
		c.Stderr = io.MultiWriter(&stderr, b.o.Stderr)
	}
	c.Stdout = c.Stderr
	if err := c.Run(); err != nil {
		err = commandError("go test -c "+p.ImportPath, err, stderr.String())
		var needs *CgoError
		if errors.As(b.refuseCgo(ctx, p.ImportPath), &needs) {
			err = fmt.Errorf("%w\n%w", needs, err)
		}
		return nil, err
	}
	sum, err := hashFile(tmp.Name())
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, sum+".test")
	if err := os.Rename(tmp.Name(), file); err != nil {
		return nil, err
	}
	tidy(dir)
	tests, err := testsOf(p.Dir, slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles))
	if err != nil {
		return nil, err
	}
	return &Binary{
		Package: p.ImportPath, Dir: p.Dir, File: file, Tags: b.o.Tags, Race: b.o.Race, Short: b.o.Short, tests: tests,
		Identity: Identity{Engine, b.root.GoVersion + "-" + b.root.Key, runtime.GOARCH, sum, b.o.Short},
	}, nil
}

func (b builder) instruments() []string {
	var args []string
	if b.o.Cover != "" {
		args = append(args, "-cover", "-covermode="+b.o.Cover)
	}
	if b.o.Race {
		args = append(args, RaceArgs()...)
	}
	return args
}

func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// Self is the binary of this process, which must be a test that was built with
// the patched toolchain and runs in its package's folder; o says how it was built.
func Self(o Options) (*Binary, error) {
	file, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	sum, err := hashFile(file)
	if err != nil {
		return nil, err
	}
	tags := strings.TrimPrefix(strings.TrimPrefix(o.Tags, tagsAlways), ",")
	return &Binary{
		Dir: dir, File: file, Tags: tags, Race: o.Race, Short: o.Short,
		Identity: Identity{Engine, runtime.Version(), runtime.GOARCH, sum, o.Short},
	}, nil
}

// Scenario is one test that calls sim.Test.
type Scenario struct {
	Binary *Binary `json:"-"`
	Name   string  `json:"name"`
	// Params is the values that each parameter may have, the default first.
	Params map[string][]string `json:"params"`
}

// Scenarios returns the binary's scenarios whose names match, in the order of
// their names: tests that run in parallel list themselves in any.
func (b *Binary) Scenarios(ctx context.Context, match *regexp.Regexp) ([]Scenario, error) {
	if len(b.tests) == 0 {
		return nil, nil
	}
	f, err := os.CreateTemp("", "orrery-list-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	c := exec.CommandContext(ctx, b.File, "-test.run="+matchAll(b.tests), "-test.count=1", "-test.short="+strconv.FormatBool(b.Short))
	c.Dir = b.Dir
	c.Env = append(os.Environ(), "ORRERY_LIST="+f.Name())
	text, runErr := c.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var out []Scenario
	missing := slices.Clone(b.tests)
	dec := json.NewDecoder(f)
	for {
		s := Scenario{Binary: b}
		if err := dec.Decode(&s); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: the list of its scenarios: %w", b.Package, err)
		}
		top, _, _ := strings.Cut(s.Name, "/")
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == top })
		if match == nil || match.MatchString(s.Name) {
			out = append(out, s)
		}
	}
	if len(missing) > 0 && runErr != nil {
		return nil, fmt.Errorf("%s: not listed, since its tests do not run: %s: %w\n%s", b.Package, strings.Join(missing, ", "), runErr, text)
	}
	slices.SortFunc(out, func(a, b Scenario) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
