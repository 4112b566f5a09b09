package run

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func startFake(t *testing.T, name string, watchdog time.Duration) *Worker {
	t.Helper()
	w, err := StartWorker(t.Context(), fake(name), WorkerOptions{Watchdog: watchdog})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestWorkerRuns(t *testing.T) {
	w := startFake(t, "Good", 0)
	first := w.proc
	for seed := range uint64(5) {
		out, err := w.Run(t.Context(), Request{Seed: seed, Record: RecordStacks})
		if err != nil || out.Verdict != Pass || out.Seed != seed || out.Events64() != 3 {
			t.Fatalf("seed %d: %+v, %v", seed, out, err)
		}
		if len(out.Events) != 35 || len(out.Symbols[4098]) != 1 || out.Symbols[4098][0].String() != "main.third third.go:3" {
			t.Fatalf("seed %d: kept %d words and symbols %v", seed, len(out.Events), out.Symbols)
		}
	}
	if w.proc != first {
		t.Error("the worker was replaced, want one for all runs that end well")
	}
	w.Close()
	if _, err := w.Run(t.Context(), Request{}); err == nil {
		t.Error("a closed worker runs")
	}
}

func TestWorkerDoesNotStart(t *testing.T) {
	for name, want := range map[string]string{
		"NoTest": "no such test", "Silent": "did not call sim.Test in 1.2s", "Stranger": "want 'h'",
	} {
		w, err := StartWorker(t.Context(), fake(name), WorkerOptions{Watchdog: 200 * time.Millisecond})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, want)
		}
		w.Close()
	}
}

// A run's bad end is its own: the same worker makes the next run.
func TestBadEnds(t *testing.T) {
	for _, c := range []struct {
		name    string
		verdict Verdict
		reason  []string
	}{
		{"Dies", Died, []string{"exit status 2", "first words", "last words of 3"}},
		{"Killed", Died, []string{"signal killed"}},
		{"DiesUnasked", Died, []string{"exit status 7"}},
		{"Cut", Died, []string{"exit status 0"}},
		{"Hangs", NoProgress, []string{"250ms", "SIGQUIT", "time.Sleep"}},
		{"Stubborn", NoProgress, []string{"250ms", "will not go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			watchdog := time.Duration(0)
			if c.verdict == NoProgress {
				watchdog = 250 * time.Millisecond
			}
			w := startFake(t, c.name, watchdog)
			for range 2 {
				out, err := w.Run(t.Context(), Request{Seed: 3})
				if err != nil || out.Verdict != c.verdict || out.Seed != 3 || out.Scenario != c.name {
					t.Fatalf("got %+v, %v, want %s", out.Result, err, c.verdict)
				}
				for _, want := range c.reason {
					if !strings.Contains(out.Reason, want) {
						t.Errorf("reason %q lacks %q", out.Reason, want)
					}
				}
			}
		})
	}
}

func TestNoOutputIsNotAVerdict(t *testing.T) {
	for name, want := range map[string]string{"Garbage": "frame '?'", "OtherSeed": "seed 4, want 3"} {
		w := startFake(t, name, 0)
		if out, err := w.Run(t.Context(), Request{Seed: 3}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %+v, %v, want an error with %q", name, out.Result, err, want)
		}
	}
}

// A worker that ends takes its run with it, and is replaced.
func TestWorkerGone(t *testing.T) {
	dir := t.TempDir()
	w := startFake(t, "KillsWorker", 0)
	_, err := w.Run(t.Context(), Request{Seed: 3, Params: map[string]string{"pids": dir}})
	if !errors.Is(err, ErrWorkerGone) || !strings.Contains(err.Error(), "both of us") {
		t.Fatalf("got %v, want ErrWorkerGone and the last words", err)
	}
	allGone(t, dir, 1)
	if out, err := w.Run(t.Context(), Request{Seed: 4}); err != nil || out.Verdict != Pass {
		t.Errorf("the run after: %+v, %v", out.Result, err)
	}
}

// allGone checks that the runs that wrote their numbers into dir have ended.
func allGone(t *testing.T, dir string, least int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < least {
		t.Fatalf("%d runs, %v, want at least %d", len(entries), err, least)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		gone(t, pid)
	}
}

func TestCancelledRun(t *testing.T) {
	dir := t.TempDir()
	w := startFake(t, "Hangs", 0)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { awaitFiles(dir, 1); cancel() }()
	if _, err := w.Run(ctx, Request{Params: map[string]string{"pids": dir}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	allGone(t, dir, 1)
}

// awaitFiles waits until there are n files in dir.
func awaitFiles(dir string, n int) {
	for range 1000 {
		if entries, _ := os.ReadDir(dir); len(entries) >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A driver that is killed leaves no worker behind.
func TestKilledDriver(t *testing.T) {
	c := exec.Command("/proc/self/exe")
	c.Env = append(os.Environ(), "FAKE_DRIVER=1")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid == 0 {
		t.Fatalf("the driver said %q, %v", line, err)
	}
	c.Process.Kill()
	c.Wait()
	gone(t, pid)
}

// A run's futures each come to their own end: a good one, one that dies amid its
// output, one that hangs, and one that is stubborn; what follows is not touched.
func TestFuturesEnd(t *testing.T) {
	w := startFake(t, "Parts", time.Second)
	futures := make([]Future, 5)
	for i, n := range []uint64{1, 2, 3, 4, 1} {
		futures[i].Seed = &n
	}
	branches := []Branch{{At: Moment{Events: 1}, Futures: futures[:2]}, {At: Moment{Time: 1}, Futures: futures[2:]}}
	out, err := w.Branch(t.Context(), Request{Seed: 9}, branches)
	if err != nil || len(out) != 2 || len(out[0]) != 2 || len(out[1]) != 3 {
		t.Fatalf("%v: %v", out, err)
	}
	for i, want := range []Verdict{Pass, Died, NoProgress, NoProgress, Pass} {
		got := slices.Concat(out...)[i]
		if got.Verdict != want {
			t.Errorf("future %d: %s, %s: want %s", i, got.Verdict, got.Reason, want)
		}
	}
	if reason := out[0][1].Reason; !strings.Contains(reason, "exit status 7") {
		t.Errorf("the reason is %q, want the status", reason)
	}
	if out, err := w.Run(t.Context(), Request{Seed: 4}); err != nil || out.Verdict != Pass {
		t.Errorf("the run after it: %s: %v", out.Verdict, err)
	}
}

// A run that ends badly before its branches takes their futures with it; one
// that ends well has none.
func TestFuturesThatNeverCame(t *testing.T) {
	w := startFake(t, "Parts", time.Second)
	one := []Branch{{At: Moment{Events: 1}, Futures: []Future{{}}}}
	for seed, want := range map[uint64]Verdict{100: Died, 101: NoProgress} {
		out, err := w.Branch(t.Context(), Request{Seed: seed}, one)
		if err != nil || len(out[0]) != 1 || out[0][0].Verdict != want {
			t.Errorf("seed %d: %v: %v: want %s", seed, out, err, want)
		}
	}
	if out, err := w.Branch(t.Context(), Request{Seed: 102}, one); err != nil || len(out) != 1 || out[0] != nil {
		t.Errorf("%v: %v: want no futures", out, err)
	}
	for _, bad := range [][]Branch{{{At: Moment{Events: 1}}}, {{Futures: []Future{{}}}}} {
		if _, err := w.Branch(t.Context(), Request{Seed: 1}, bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
