package stdsuite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// Suite is the test binary of one package of the standard library.
type Suite struct {
	Path   string // of the package
	Binary *run.Binary
	Tests  []string // its top-level tests, in the order of the source
}

// Build builds the tests of a package, with the engine linked in.
func Build(ctx context.Context, path string) (Suite, error) {
	root, err := run.Toolchain(ctx, "")
	if err != nil {
		return Suite{}, err
	}
	t, err := newTree(ctx, root)
	if err != nil {
		return Suite{}, err
	}
	return t.build(ctx, path)
}

// build builds the tests of one package. The go command runs outside of src, whose
// module has rules of its own.
func (t *tree) build(ctx context.Context, path string) (Suite, error) {
	dir := filepath.Join(t.dir, "src", filepath.FromSlash(path))
	if err := addEntry(dir); err != nil {
		return Suite{}, err
	}
	file := filepath.Join(t.dir, strings.ReplaceAll(path, "/", "_")+".test")
	goCommand := filepath.Join(t.dir, "bin", "go")
	if err := t.run(exec.CommandContext(ctx, goCommand, "test", "-c", "-vet=off", "-o", file, path), t.dir, nil); err != nil {
		return Suite{}, err
	}
	var list bytes.Buffer
	if err := t.run(exec.CommandContext(ctx, file, "-test.list=^Test"), dir, &list); err != nil {
		return Suite{}, err
	}
	tests := slices.DeleteFunc(strings.Fields(list.String()), func(s string) bool { return !strings.HasPrefix(s, "Test") })
	return Suite{path, &run.Binary{Package: path, Dir: dir, File: file}, tests}, nil
}

func (t *tree) run(c *exec.Cmd, dir string, stdout io.Writer) error {
	var stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, stdout, &stderr
	c.Env = append(os.Environ(), "GOROOT="+t.dir, "GOTOOLCHAIN=local", "CGO_ENABLED=0", "GO111MODULE=on", "GOFLAGS=", "GOWORK=off")
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(c.Path), err, stderr.Bytes())
	}
	return nil
}
