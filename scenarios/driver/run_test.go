package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// script is a driver that is a few lines of shell.
func script(text string) Driver {
	return Driver{Command: []string{"sh", "-c", text}, Grace: 200 * time.Millisecond}
}

// Files as a driver leaves them, in its session's folder.
const (
	goodHistory = `cd "$ORRERY_SESSION"; echo '{"process":"c1","type":"put","input":"1","status":"ok","invoke":1,"complete":2}' >history.jsonl; `
	goodLanding = `: >landing.jsonl; `
	good        = goodHistory + goodLanding
)

// Every way in which a driver ends, and what is said of it. FOLDER stands for the
// session's.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, script string
		exit         Exit
		code         int
		calls        int    // of the history; -1 if there is none
		want         string // the whole error
	}{
		{"clean", good + "exit 0", ExitClean, 0, 1, ""},
		{"failure", good + "exit 1", ExitFailure, 1, 1, ""},
		{"undecided", good + "exit 3", ExitUndecided, 3, 1, ""},
		{"undecided at once", "exit 3", ExitUndecided, 3, -1, ""},
		{"undecided without calls", goodLanding + `: >"$ORRERY_SESSION"/history.jsonl; exit 3`, ExitUndecided, 3, -1, ""},
		{"undecided, half written", goodHistory + "printf '{' >landing.jsonl; exit 3", ExitUndecided, 3, 1,
			"FOLDER/landing.jsonl:1:2: found the file's end within a line, want a newline after the last one: write whole lines, and the files to their ends before the driver exits"},
		{"exit code 2", good + "exit 2", ExitNone, 2, 1,
			"driver x: found exit code 2, want exit code 0, 1 or 3: catch what ends it so, and exit 3 if it could not decide"},
		{"exit code 137", good + "exit 137", ExitNone, 137, 1,
			"driver x: found exit code 137, want exit code 0, 1 or 3: catch what ends it so, and exit 3 if it could not decide"},
		{"signal", good + "kill -ABRT $$", ExitNone, -1, 1,
			"driver x: found signal 6 (aborted), want exit code 0, 1 or 3: catch what ends it so, and exit 3 if it could not decide"},
		{"no files", "exit 0", ExitClean, 0, -1,
			"FOLDER/history.jsonl: found no file, want one that the driver writes: write it, even if it is empty, or exit 3\n" +
				"FOLDER/landing.jsonl: found no file, want one that the driver writes: write it, even if it is empty, or exit 3"},
		{"failure without landings", goodHistory + "exit 1", ExitFailure, 1, 1,
			"FOLDER/landing.jsonl: found no file, want one that the driver writes: write it, even if it is empty, or exit 3"},
		{"no calls", good + ": >history.jsonl", ExitClean, 0, -1,
			"FOLDER/history.jsonl: found no call, want one at least: record the workload, or exit 3 if there was none"},
		{"garbage as history", good + "echo garbage >>history.jsonl", ExitClean, 0, -1,
			"FOLDER/history.jsonl:2:1: found a line that is no JSON, want one call: invalid character 'g' looking for beginning of value"},
		{"half a call", good + `printf '{"process":' >>history.jsonl`, ExitClean, 0, -1,
			"FOLDER/history.jsonl:2:12: found the file's end within a line, want a newline after the last one: write whole lines, and the files to their ends before the driver exits"},
		{"status", good + `echo '{"process":"c1","type":"get","status":"fine","invoke":3}' >>history.jsonl`, ExitClean, 0, -1,
			`FOLDER/history.jsonl:2:1: found status "fine", want ok, failed, unknown or open: correct the status`},
		{"garbage as landings", good + "echo garbage >landing.jsonl", ExitClean, 0, 1,
			"FOLDER/landing.jsonl:1:1: found a line that is no JSON: invalid character 'g' looking for beginning of value, want one object: write each line at once, with a library for JSON"},
		{"folder as history", goodLanding + `mkdir "$ORRERY_SESSION"/history.jsonl`, ExitClean, 0, -1, "read FOLDER/history.jsonl: is a directory\nFOLDER/landing.jsonl: found no file, want one that the driver writes: write it, even if it is empty, or exit 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			job := Job{Session: filepath.Join(t.TempDir(), "session"), Scenario: "s"}
			d := script(c.script)
			d.Dir = t.TempDir()
			out, err := Run(context.Background(), d, job, io.Discard)
			got := ""
			if err != nil {
				got = strings.NewReplacer(job.Session, "FOLDER", d.name(), "x").Replace(err.Error())
			}
			calls := -1
			if out.History != nil {
				calls = out.History.Counts().Invoked
			}
			if out.Exit != c.exit || out.Code != c.code || calls != c.calls || got != c.want {
				t.Errorf("%q, code %d, %d calls, error\n%s\nwant %q, code %d, %d calls, error\n%s", out.Exit, out.Code, calls, got, c.exit, c.code, c.calls, c.want)
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	used := t.TempDir()
	if err := os.WriteFile(filepath.Join(used, LandingFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	ok := Job{Session: t.TempDir(), Scenario: "s"}
	for _, c := range []struct {
		d    Driver
		job  Job
		want string
	}{
		{Driver{}, ok, "driver: found no command"},
		{script("exit 3"), Job{Session: t.TempDir()}, `and scenario ""`},
		{script("exit 3"), Job{Scenario: "s"}, `found session ""`},
		{script("exit 3"), Job{Session: used, Scenario: "s"}, "landing.jsonl: found a file before the driver ran, want none: give every run a folder of its own"},
		{script("exit 3"), Job{Session: "/dev/null/x", Scenario: "s"}, "not a directory"},
		{Driver{Command: []string{"./no-such-driver"}}, ok, "no such file or directory: want a program that can be started"},
		{Driver{Command: []string{"./doc.go"}}, ok, "permission denied: want a program that can be started"},
	} {
		out, err := Run(context.Background(), c.d, c.job, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) || out.Exit != ExitNone {
			t.Errorf("%v: %q, %v, want %q", c.d.Command, out.Exit, err, c.want)
		}
	}
}

// A driver sees the contract's variables, whatever else there is, starts where it is told, and its
// output goes to the log.
func TestEnvironment(t *testing.T) {
	d := script(`echo "$ORRERY_SESSION $ORRERY_SCENARIO $ORRERY_SEED $MORE $(pwd)"; echo err >&2; exit 3`)
	d.Dir, d.Env = t.TempDir(), []string{"MORE=more", EnvSeed + "=7"}
	here := t.TempDir()
	t.Chdir(here)
	var log bytes.Buffer
	if _, err := Run(context.Background(), d, Job{"sub/session", "S1/api", 1<<64 - 1}, &log); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s/sub/session S1/api 18446744073709551615 more %s\nerr\n", here, d.Dir)
	if log.String() != want {
		t.Errorf("it printed %q, want %q", log.String(), want)
	}
}

// ran says whether the processes whose numbers are in a file still run.
func ran(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil && !strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}

// gone waits for the end of processes that were killed, which takes a moment.
func gone(t *testing.T, file string) bool {
	t.Helper()
	for range 200 {
		if !ran(t, file) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// A context that is done ends the whole group, those that do not want to and those
// that are stopped among it.
func TestCancel(t *testing.T) {
	cause := errors.New("the budget is used up")
	for name, text := range map[string]string{
		"obeys":     `sleep 100 & echo $$ $! >"$ORRERY_SESSION"/pids; wait`,
		"exits 0":   `trap 'exit 0' TERM; sleep 100 & echo $$ $! >"$ORRERY_SESSION"/pids; wait`,
		"ignores":   `trap '' TERM; sleep 100 & echo $$ $! >"$ORRERY_SESSION"/pids; while :; do wait; done`,
		"is gone":   `sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $$ $! >"$ORRERY_SESSION"/pids; wait`,
		"is halted": `sleep 100 & echo $$ $! >"$ORRERY_SESSION"/pids; kill -STOP $! $$`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			job := Job{Session: t.TempDir(), Scenario: "s"}
			pids := filepath.Join(job.Session, "pids")
			go func() {
				for range 500 {
					if text, err := os.ReadFile(pids); err == nil && bytes.HasSuffix(text, []byte("\n")) {
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
				time.Sleep(50 * time.Millisecond) // so that it is where it hangs
				cancel(cause)
			}()
			out, err := Run(ctx, script(text), job, io.Discard)
			if !errors.Is(err, cause) || out.Exit != ExitNone || out.History != nil {
				t.Errorf("%+v, %v, want the cause and nothing else", out, err)
			}
			if !gone(t, pids) {
				t.Error("processes are left")
			}
		})
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	ran := filepath.Join(t.TempDir(), "ran")
	if _, err := Run(ctx, script("echo >"+ran), Job{Session: t.TempDir(), Scenario: "s"}, io.Discard); !errors.Is(err, cause) {
		t.Errorf("a context that is done before: %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a context that is done before: the driver ran")
	}
}

// What a driver leaves behind in its group ends with it, and is told of.
func TestLeftBehind(t *testing.T) {
	job := Job{Session: t.TempDir(), Scenario: "s"}
	d := script(good + `sleep 100 & echo $! >pids; exit 0`)
	d.Grace = 5 * time.Second // which is not waited for: it ends when it is asked to
	start := time.Now()
	out, err := Run(context.Background(), d, job, io.Discard)
	if err != nil || out.Exit != ExitClean || !out.LeftBehind || time.Since(start) > 4*time.Second {
		t.Errorf("%+v, %v after %v, want a clean end with something left behind, at once", out, err, time.Since(start))
	}
	if !gone(t, filepath.Join(job.Session, "pids")) {
		t.Error("it still runs")
	}
	if out, err := Run(context.Background(), script(good), Job{Session: t.TempDir(), Scenario: "s"}, io.Discard); err != nil || out.LeftBehind {
		t.Errorf("%+v, %v, want nothing left behind", out, err)
	}
}

// A process that a driver puts in another group outlives it, and does not keep the run
// from its end by holding its output.
func TestDaemon(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	job := Job{Session: t.TempDir(), Scenario: "s"}
	pids := filepath.Join(job.Session, "pids")
	out, err := Run(context.Background(), script(good+`setsid sh -c 'echo $$ >pids.new && mv pids.new pids; exec sleep 100' & while [ ! -e pids ]; do sleep 0.01; done; exit 1`), job, io.Discard)
	if err != nil || out.Exit != ExitFailure || out.LeftBehind {
		t.Errorf("%+v, %v, want a failure and nothing left behind", out, err)
	}
	if !ran(t, pids) {
		t.Error("the daemon was ended")
	}
	text, _ := os.ReadFile(pids)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	syscall.Kill(pid, syscall.SIGKILL)
}

// full is a log that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A log that fails is told of, and does not stop the driver.
func TestLogFails(t *testing.T) {
	d := script(good + `i=0; while [ $((i += 1)) -le 5000 ]; do echo "a line that is long enough to fill a pipe in the end"; done; exit 1`)
	out, err := Run(context.Background(), d, Job{Session: t.TempDir(), Scenario: "s"}, full{})
	if out.Exit != ExitFailure || out.History == nil || err == nil || err.Error() != "its output could not be logged: no space left" {
		t.Errorf("%+v, %v, want the run, and the log's error", out, err)
	}
}
