package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden files of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"orrery": main})
}

func TestScripts(t *testing.T) {
	packages, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Condition:           conditions,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "usermodule": userModule, "dlv": dlv},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PACKAGES", packages)
			for _, name := range []string{"HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "XDG_CACHE_HOME", "ORRERY_CACHE"} {
				if v, ok := os.LookupEnv(name); ok {
					e.Setenv(name, v)
				}
			}
			return nil
		},
	})
}

// userModule makes the current folder a module, of the name that is given, whose
// tests may import the engine: usermodule NAME.
func userModule(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: usermodule NAME")
	}
	engine, err := filepath.Abs(top)
	ts.Check(err)
	mod, err := os.ReadFile(filepath.Join(engine, "go.mod"))
	ts.Check(err)
	_, rest, _ := strings.Cut(string(mod), "\n")
	text := "module " + args[0] + "\n" + rest + "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + engine + "\n"
	ts.Check(os.WriteFile(ts.MkAbs("go.mod"), []byte(text), 0o644))
	sum, err := os.ReadFile(filepath.Join(engine, "go.sum"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("go.sum"), sum, 0o644))
}

// exits runs a command that must end with an exit code: exits CODE COMMAND ARGS.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var ended *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &ended):
		got = ended.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("%q: exit code %d, want %d", args[1:], got, want)
	}
}
