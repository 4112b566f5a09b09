package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// delve is the debugger that docs/debugging.md shows, at the version that is tested.
const delve = "github.com/go-delve/delve/cmd/dlv@v1.27.2"

// debugger installs the debugger, and returns its file; "" if it is not to be had
// here.
var debugger = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "orrery-dlv-*")
	if err != nil {
		return ""
	}
	c := exec.Command("go", "install", delve)
	c.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go install %s: %v\n%s", delve, err, out)
		os.RemoveAll(dir)
		return ""
	}
	return filepath.Join(dir, "dlv")
})

// conditions are those of scripts: [dlv] if there is the debugger.
func conditions(name string) (bool, error) {
	if name != "dlv" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return !testing.Short() && debugger() != "", nil
}

// dlv runs the debugger: dlv ARGS.
func dlv(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: dlv ARGS")
	}
	ts.Check(ts.Exec(debugger(), args...))
}
