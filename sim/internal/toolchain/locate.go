package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// original is the GOROOT to copy.
type original struct {
	dir     string
	version version
	copyDir string // the copy of dir that c named in its place; empty: none
}

// locate finds the GOROOT that c names. Where that is a copy of ours, it is
// the original of that copy.
func locate(ctx context.Context, c Config) (original, error) {
	dir, text := c.GoRoot, c.GoVersion
	if dir == "" {
		var err error
		if dir, text, err = askGo(ctx, c); err != nil {
			return original{}, err
		}
	}
	dir, err := realDir(dir)
	if err != nil {
		return original{}, err
	}
	var o original
	m, err := readManifest(dir)
	switch {
	case err == nil:
		o.copyDir, o.dir, text = dir, m.Original, m.GoVersion
		if _, err := os.Stat(filepath.Join(o.dir, "src")); err != nil {
			return original{}, fmt.Errorf("goroot %s is a patched copy of %s, which is gone: unset GOROOT, or put another go in PATH: %w", dir, o.dir, err)
		}
	case !errors.Is(err, os.ErrNotExist):
		return original{}, fmt.Errorf("goroot %s is a patched copy that is damaged: unset GOROOT, or put another go in PATH: %w", dir, err)
	default:
		o.dir = dir
	}
	if text == "" {
		if text, err = rootVersion(o.dir); err != nil {
			return original{}, err
		}
	}
	o.version, err = parseVersion(text)
	return o, err
}

// realDir returns dir without symbolic links, so that one GOROOT has one key.
func realDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", fmt.Errorf("goroot: %w", err)
	}
	return dir, nil
}

// askGo asks the go command for its GOROOT and version.
func askGo(ctx context.Context, c Config) (goroot, version string, err error) {
	name := c.Go
	if name == "" {
		name = "go"
	}
	cmd := exec.CommandContext(ctx, name, "env", "GOROOT", "GOVERSION")
	cmd.Dir = c.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("%s: %w: %s: install Go from https://go.dev/dl, or put it in PATH", cmd, err, bytes.TrimSpace(stderr.Bytes()))
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 2 || lines[0] == "" {
		return "", "", fmt.Errorf("%s: got %q, want a GOROOT and a version", cmd, out)
	}
	return lines[0], lines[1], nil
}
