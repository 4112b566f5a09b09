// Package toolchain makes the copy of GOROOT that programs under test are built
// with: the Go in use, with a few edits to its standard library.
//
// The edits are tables (edits_*.go). Each names a file, a function and a piece
// of syntax in it, and must find exactly one place, so that a Go release which
// differs is refused with the list of what does not fit rather than patched
// wrongly. Edits never move a line: positions in stack traces are those of the
// original sources.
//
// A copy lies in the user's cache, under a key made of the Go version, where the
// original is, and all that is edited or added. It holds its own sources and go
// command; the rest links to the original. Once made it never changes.
package toolchain

import (
	"context"
	"path/filepath"
)

// Config says which Go to copy. The zero value stands for the go command in
// PATH, as it is in the current directory.
type Config struct {
	Go        string // path of the go command; empty: the one in PATH
	Dir       string // where the go command is asked for its GOROOT: the go line of a go.mod there counts
	GoRoot    string // the GOROOT to copy; empty: the go command is asked
	GoVersion string // version of GoRoot, as in "go1.26.8"; empty: its VERSION file is read
	Cache     string // cache folder; empty: ORRERY_CACHE, or orrery in the user's cache folder
}

// Root is a patched copy of GOROOT, ready for use.
type Root struct {
	Dir       string
	GoVersion string
	Key       string
}

// GoCommand returns the path of the copy's go command.
func (r Root) GoCommand() string { return filepath.Join(r.Dir, "bin", "go") }

// Env returns the environment variables that a go command needs to build with
// the copy and nothing else.
func (r Root) Env() []string {
	return []string{"GOROOT=" + r.Dir, "GOTOOLCHAIN=local"}
}

// Make returns the patched copy of the Go that c names, and makes it if the
// cache does not hold it whole. Any number of processes may call it at once.
//
// If an edit does not fit, the error joins one [*FitError] for each that does not.
func Make(ctx context.Context, c Config) (Root, error) {
	m, err := newMaker(ctx, c, standardTables())
	if err != nil {
		return Root{}, err
	}
	return m.root(ctx)
}

// Check returns what does not fit the sources in goroot: nil if all edits do. A
// Go of an unknown version is reported, and checked all the same.
func Check(goroot string) []error {
	return check(goroot, standardTables())
}
