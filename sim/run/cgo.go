package run

import (
	"context"
	"fmt"
	"strings"
)

// CgoError says that a test needs packages that call C.
type CgoError struct {
	Package string   // the test's
	Needs   []string // packages with cgo, by import path
}

func (e *CgoError) Error() string {
	return fmt.Sprintf("%s: it needs cgo, in %s: want Go alone, since C goes past a world: take a package in pure Go, or a build tag that leaves C out",
		e.Package, strings.Join(e.Needs, ", "))
}

// refuseCgo returns a [CgoError] if the package's tests need C where it is allowed.
func (b builder) refuseCgo(ctx context.Context, pkg string) error {
	const needs = "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}"
	c := b.command(ctx, "list", "-deps", "-test", "-e", "-f", needs, "-tags", b.tags(), pkg)
	c.Env = append(c.Env, "CGO_ENABLED=1")
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	if found := strings.Fields(string(out)); len(found) > 0 {
		return &CgoError{pkg, found}
	}
	return nil
}
