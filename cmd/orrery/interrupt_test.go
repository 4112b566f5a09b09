package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

// An interrupt ends a sweep with what is known, exit code 3, and no process that
// is left behind. The tag makes a binary of this test's own.
func TestInterrupt(t *testing.T) {
	const tag = "interrupted"
	built, err := run.Build(context.Background(), []string{"./testdata/journal"}, run.Options{Tags: tag})
	if err != nil {
		t.Fatal(err)
	}
	out, w := io.Pipe()
	code := make(chan int)
	go func() {
		c := Main([]string{"sweep", "--json", "--seeds", "1-1000000", "--procs", "2", "--run", "Vacuous", "--tags", tag, "./testdata/journal"}, w, io.Discard, os.Environ())
		w.Close()
		code <- c
	}()
	lines := bufio.NewScanner(out)
	last, sent := "", false
	for lines.Scan() {
		last = lines.Text()
		if !sent {
			sent = true
			if running := processesOf(t, built[0].File); len(running) == 0 {
				t.Error("no worker runs during a sweep: this test looks at the wrong processes")
			}
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := <-code; got != exitNoVerdict {
		t.Errorf("exit code %d, want %d", got, exitNoVerdict)
	}
	if !strings.HasPrefix(last, `{"schema":"orrery.sweep/1"`) || !strings.Contains(last, `"interrupted":true,"exit":3`) {
		t.Errorf("last line is %s, want a summary that says interrupted", last)
	}
	for range 500 { // a killed process takes a moment to go
		if len(processesOf(t, built[0].File)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("processes %v are left", processesOf(t, built[0].File))
}

// processesOf returns the processes that run a file.
func processesOf(t *testing.T, file string) (pids []string) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && to == file {
			pids = append(pids, filepath.Base(filepath.Dir(l)))
		}
	}
	return pids
}
