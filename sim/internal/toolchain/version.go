package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// The minor versions of Go 1 whose sources the edits were made for.
const (
	minorMin = 26
	minorMax = 27
)

// version is a Go version, as in "go1.26.8".
type version struct {
	text  string
	minor int
}

var versionSyntax = regexp.MustCompile(`^go1\.([0-9]+)(\.[0-9]+|rc[0-9]+|beta[0-9]+)?([ -].*)?$`)

// parseVersion reads a release's version. A development version ("devel ...")
// has no minor version that could be relied on.
func parseVersion(text string) (version, error) {
	m := versionSyntax.FindStringSubmatch(text)
	if m == nil {
		return version{text: text}, fmt.Errorf("go version %q: want a release of %s: set GOTOOLCHAIN or PATH to one", text, supported())
	}
	minor, err := strconv.Atoi(m[1])
	if err != nil || minor < minorMin || minor > minorMax {
		return version{text, minor}, fmt.Errorf("go version %s is not known: want %s: set GOTOOLCHAIN or PATH to one, or use an orrery that knows it", text, supported())
	}
	return version{text, minor}, nil
}

func supported() string { return fmt.Sprintf("go1.%d.x or go1.%d.x", minorMin, minorMax) }

// rootVersion returns the version that the sources in goroot say they are.
func rootVersion(goroot string) (string, error) {
	b, err := os.ReadFile(filepath.Join(goroot, "VERSION"))
	if err != nil {
		return "", fmt.Errorf("goroot %s has no readable VERSION file: want the GOROOT of a release: %w", goroot, err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line), nil
}

// within reports whether v lies between two language versions, both included,
// as in "1.26"; an empty one is no bound.
func (v version) within(since, until string) bool {
	if n, ok := minorOf(since); ok && v.minor < n {
		return false
	}
	if n, ok := minorOf(until); ok && v.minor > n {
		return false
	}
	return true
}

// minorOf panics on what is no language version: bounds are written in our tables.
func minorOf(lang string) (minor int, ok bool) {
	if lang == "" {
		return 0, false
	}
	digits, ok := strings.CutPrefix(lang, "1.")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		panic(fmt.Sprintf("toolchain: bound %q of a table entry: want 1.N", lang))
	}
	return n, true
}
