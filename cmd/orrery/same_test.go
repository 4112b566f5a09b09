package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var sameSeeds = flag.String("same.seeds", "1-6", "seeds whose sweep must print the same bytes; make accept-same takes 1-100")

// TestSameBytes wants the same JSON of a sweep in any process, for any number of
// workers, and under any settings of the Go runtime.
func TestSameBytes(t *testing.T) {
	orrery := filepath.Join(t.TempDir(), "orrery")
	if out, err := exec.Command("go", "build", "-o", orrery, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var first []byte
	for _, c := range []struct {
		procs string
		env   []string
	}{
		{"1", nil}, {"2", nil}, {"2", nil},
		{"1", []string{"GOMAXPROCS=1"}}, {"2", []string{"GOMAXPROCS=2"}},
		{"2", []string{"GOGC=5"}}, {"1", []string{"GOGC=off", "TZ=Asia/Tokyo", "LANG=de"}},
	} {
		cmd := exec.Command(orrery, "sweep", "../../scenarios/raftkv", "--seeds", *sameSeeds, "--procs", c.procs, "--json")
		cmd.Env = append(os.Environ(), c.env...)
		out, err := cmd.Output()
		var ended *exec.ExitError
		if err != nil && !errors.As(err, &ended) || bytes.Count(out, []byte("\n")) < 2 {
			t.Fatalf("%v\n%s", err, out)
		}
		fmt.Printf("%x  --procs %s %v\n", sha256.Sum256(out), c.procs, c.env)
		if first == nil {
			first = out
		}
		if !bytes.Equal(out, first) {
			t.Fatalf("--procs %s %v: not the bytes of --procs 1", c.procs, c.env)
		}
	}
}
