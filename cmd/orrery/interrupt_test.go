package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/signal"
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

// interrupted runs a command, interrupts it a while after its first worker runs, and
// returns what it printed and its exit code, once no worker is left.
func interrupted(t *testing.T, binary string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	done := make(chan int)
	go func() { done <- Main(args, &out, &errs, os.Environ()) }()
	for len(processesOf(t, binary)) == 0 {
		select {
		case code := <-done:
			t.Fatalf("%q ended before it ran anything: exit code %d: %s", args, code, errs.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	time.Sleep(time.Second)
	ours := make(chan os.Signal, 1) // a command that has ended takes no signal
	signal.Notify(ours, syscall.SIGINT)
	defer signal.Stop(ours)
	select {
	case code := <-done:
		t.Fatalf("%q ended before it was interrupted: exit code %d: %s%s", args, code, out.String(), errs.String())
	default:
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	code = <-done
	for range 500 {
		if len(processesOf(t, binary)) == 0 {
			return out.String(), errs.String(), code
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%q: processes %v are left", args, processesOf(t, binary))
	return out.String(), errs.String(), code
}

// An interrupt ends the search for a small run, or for a cause, with exit code 3. What
// is written by then is whole.
func TestInterruptedSearch(t *testing.T) {
	const tag = "interruptedsearch"
	built, err := run.Build(context.Background(), []string{"./testdata/slow"}, run.Options{Tags: tag})
	if err != nil {
		t.Fatal(err)
	}
	of := []string{"--seed", "3", "--run", "^TestSlow$", "--tags", tag, "./testdata/slow"}
	folder := t.TempDir()
	name := filepath.Join(folder, "small.json")
	stdout, stderr, code := interrupted(t, built[0].File, append([]string{"shrink", "--budget", "1000000", "--blame-seeds", "1000000", "--out", name}, of...)...)
	if code != exitNoVerdict || !strings.HasSuffix(stderr, "orrery: interrupted\n") { // an earlier run's may go on
		t.Errorf("shrink: exit code %d, %q", code, stderr)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != "small.json" {
		t.Errorf("shrink left %v, %v, want the reproducer or nothing", entries, err)
	}
	if told := strings.Contains(stdout, "written to "+name+"\n"); told != (len(entries) == 1) {
		t.Errorf("shrink left %v, and told %s", entries, stdout)
	}
	if len(entries) == 1 {
		if _, err := run.ReadReproducer(name); err != nil {
			t.Error(err)
		}
	}
	stdout, stderr, code = interrupted(t, built[0].File, append([]string{"cause", "--moments", "1000", "--futures", "1000", "--json"}, of...)...)
	if code != exitNoVerdict || stderr != "orrery: interrupted\n" || stdout != "" {
		t.Errorf("cause: exit code %d, %q, %q", code, stderr, stdout)
	}
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
