package run

import (
	"errors"
	"strings"
	"testing"
)

// TestCgoIsRefused: a package that needs C is named, and one in pure Go is not.
func TestCgoIsRefused(t *testing.T) {
	root, err := Toolchain(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	b := builder{root: root}
	var needs *CgoError
	err = b.refuseCgo(t.Context(), "./testdata/cgo")
	if !errors.As(err, &needs) || len(needs.Needs) != 1 || !strings.HasSuffix(needs.Needs[0], "testdata/cgo") || !strings.Contains(err.Error(), "want Go alone") {
		t.Errorf("a package with cgo: %v", err)
	}
	if err := b.refuseCgo(t.Context(), "."); err != nil {
		t.Errorf("a package in pure Go: %v", err)
	}
}
