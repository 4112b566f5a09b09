package ends

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
	"golang.org/x/sys/unix"
)

// onPurpose skips a scenario that is to end badly, unless a worker runs it.
func onPurpose(t *testing.T) {
	if os.Getenv("ORRERY_WORKER") == "" && os.Getenv("ORRERY_LIST") == "" {
		t.Skip("ends badly on purpose: TestEnds runs it")
	}
}

func deep(n int) int {
	var a [100]int
	a[n%100] = n
	return deep(n+1) + a[(n+1)%100]
}

// writing is where a map of the runtime's says that somebody writes to it.
const writing = 34

// Ways for a program to end; each is the program's first argument.
var ways = map[string]func(){
	"panic":     func() { panic("boom") },
	"goroutine": func() { go panic(fmt.Errorf("an error")); time.Sleep(time.Hour) },
	"nil":       func() { var p *struct{ x [10]int }; p.x[3] = 1 },
	"map":       func() { var m map[string]int; m["x"] = 1 },
	"unlock":    func() { var mu sync.Mutex; mu.Unlock() },
	"overflow":  func() { deep(0) },
	"fault":     func() { _ = append([]byte(nil), unsafe.Slice(unmapped(), 1)...) },
	"two writers": func() {
		m := map[int]int{}
		(**(**[64]byte)(unsafe.Pointer(&m)))[writing] = 1 // as if another were at it
		m[1] = 1
	},
	"deadlock": func() {
		var mu sync.Mutex
		mu.Lock()
		go func() { <-make(chan int) }()
		mu.Lock()
	},
	"no goroutines": func() { runtime.Goexit() },
	"log.Fatal":     func() { log.Fatal("giving up") },
	"exit":          func() { os.Exit(7) },
	"quiet":         func() { os.Exit(0) },
	"return":        func() {},
	"unsupported": func() {
		if _, _, errno := unix.Syscall(unix.SYS_KEYCTL, 0, 0, 0); errno != unix.ENOSYS {
			panic(errno)
		}
	},
	"exec": func() {
		if err := exec.Command("/bin/true").Run(); err == nil {
			panic("a child process ran")
		}
	},
	"bad address": func() {
		f, err := os.Create("/x")
		if err != nil {
			panic(err)
		}
		if _, _, errno := unix.Syscall(unix.SYS_WRITE, f.Fd(), 0, 10); errno != unix.EFAULT {
			panic(errno)
		}
	},
	"recovered": func() { defer func() { recover() }(); panic("caught") },
}

// unmapped returns an address that nothing is mapped at.
func unmapped() *byte {
	b, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		panic(err)
	}
	p := &b[0]
	if err := unix.Munmap(b); err != nil {
		panic(err)
	}
	return p
}

var program = sim.NewProgram("way", func() {
	time.Sleep(time.Second)
	ways[os.Args[1]]()
})

func TestProcess(t *testing.T) {
	onPurpose(t)
	names := []string{"return"}
	for name := range ways {
		names = append(names, name)
	}
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(program, w.Param("way"))
		w.SafetyFor(3 * time.Second)
	}, sim.Param("way", names...))
}

func TestFatalInClient(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			t.Fatal("the client is not pleased")
		})
	})
}

func TestFatalInSetup(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) { t.Fatalf("no %s", "setup") })
}

func TestLeavesEarly(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) { runtime.Goexit() })
}

func TestCheckFails(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(time.Second)
		w.Check(outcome.Func("promise", func() outcome.Outcome {
			return outcome.Outcome{Verdict: outcome.Violation, Message: "it was broken", Detail: "thus"}
		}))
	})
}

func TestCheckCannotTell(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(time.Second)
		w.Check(outcome.Func("promise", func() outcome.Outcome { return outcome.Outcome{Verdict: outcome.Unknown, Reason: "too hard"} }))
	})
}

func TestNothingLands(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Nodes("n", 2)
		w.SafetyFor(time.Second)
		w.Plan("at 100ms cut n1>n2 for 100ms")
	})
}

func TestBudget(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Budget(5 * time.Second)
		w.Clients("c", 1)[0].Run(func() { select {} })
	})
}

func TestSetupWaits(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) { <-make(chan int) })
}

func TestNeverRecovers(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(time.Second)
		w.Recovers("the sun rises", 2*time.Second, func() error { return fmt.Errorf("it is dark") })
	})
}

// TestRealClock depends on the processor's counter, which the engine cannot reach.
func TestRealClock(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			waitABit(time.Duration(tick()/1000%1000) * time.Millisecond)
		})
	})
}

//go:noinline
func waitABit(d time.Duration) { time.Sleep(d) }

// scenarios returns this package's scenarios by name.
func scenarios(t *testing.T) map[string]run.Scenario {
	t.Helper()
	built, err := run.Build(t.Context(), []string{"."}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := built[0].Scenarios(t.Context(), regexp.MustCompile("."))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]run.Scenario{}
	for _, s := range list {
		out[s.Name] = s
	}
	return out
}

func TestEnds(t *testing.T) {
	byName := scenarios(t)
	for _, c := range []struct {
		scenario, way string
		verdict       run.Verdict
		oracle        string
		message       string // part of the message or the reason
		stack         string // part of the stack
		node          string
	}{
		{"TestProcess", "panic", run.Violated, "panic", "boom", "ends_test.go", "n1"},
		{"TestProcess", "goroutine", run.Violated, "panic", "an error", "goroutine", "n1"},
		{"TestProcess", "nil", run.Violated, "panic", "nil pointer dereference", "ends_test.go", "n1"},
		{"TestProcess", "map", run.Violated, "panic", "assignment to entry in nil map", "ends_test.go", "n1"},
		{"TestProcess", "unlock", run.Violated, "fatal", "unlock of unlocked mutex", "ends_test.go", "n1"},
		{"TestProcess", "overflow", run.Violated, "fatal", "stack overflow", "deep", "n1"},
		{"TestProcess", "fault", run.Violated, "fatal", "fault", "ends_test.go", "n1"},
		{"TestProcess", "two writers", run.Violated, "fatal", "concurrent map writes", "ends_test.go", "n1"},
		{"TestProcess", "deadlock", run.Violated, "fatal", "all goroutines are asleep - deadlock!", "ends_test.go", "n1"},
		{"TestProcess", "no goroutines", run.Violated, "fatal", "no goroutines (main called runtime.Goexit) - deadlock!", "", "n1"},
		{"TestProcess", "log.Fatal", run.Violated, "exit", "giving up", "", "n1"},
		{"TestProcess", "exit", run.Violated, "exit", "exit status 7", "", "n1"},
		{"TestProcess", "quiet", run.Pass, "", "", "", ""},
		{"TestProcess", "return", run.Pass, "", "", "", ""},
		{"TestProcess", "recovered", run.Pass, "", "", "", ""},
		{"TestProcess", "bad address", run.Pass, "", "", "", ""},
		{"TestFatalInClient", "", run.Violated, "test", "ends_test.go:", "", "c1"},
		{"TestFatalInSetup", "", run.Violated, "test", "no setup", "", "test"},
		{"TestCheckFails", "", run.Violated, "promise", "it was broken", "", ""},
		{"TestCheckCannotTell", "", run.Unknown, "", "too hard", "", ""},
		{"TestNothingLands", "", run.Vacuous, "", "none landed", "", ""},
		{"TestLeavesEarly", "", run.Unknown, "", "before its checks", "", ""},
		{"TestBudget", "", run.Unknown, "", "5s of virtual time ran out\nc1 waits:\ngoroutine", "", ""},
		{"TestSetupWaits", "", run.Unknown, "", "test waits:\ngoroutine", "", ""},
		{"TestNeverRecovers", "", run.Violated, "liveness", "it is dark", "", ""},
		{"TestSpins", "", run.NoProgress, "", "ends.spinning()\n", "", ""},
	} {
		t.Run(c.scenario+"/"+c.way, func(t *testing.T) {
			w, err := run.StartWorker(t.Context(), byName[c.scenario], run.WorkerOptions{Watchdog: 3 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			req := run.Request{Seed: 1}
			if c.way != "" {
				req.Params = map[string]string{"way": c.way}
			}
			out, err := w.Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			got := run.Violation{Message: out.Reason}
			if out.Violation != nil {
				got = *out.Violation
			}
			if out.Verdict != c.verdict || got.Oracle != c.oracle || !strings.Contains(got.Message, c.message) || !strings.Contains(got.Stack, c.stack) || got.Node != c.node {
				t.Fatalf("got %s, %+v; want %s by %q at %q, with %q and a stack with %q", out.Verdict, got, c.verdict, c.oracle, c.node, c.message, c.stack)
			}
			if text := got.Oracle + ": " + got.Message; strings.HasPrefix(text, "panic: panic") || strings.HasPrefix(text, "fatal: fatal") {
				t.Errorf("told as %q, want what it is once", text)
			}
			if c.node == "n1" && (got.At < int64(time.Second) || got.At > int64(3*time.Second)) {
				t.Errorf("at %v of virtual time, want the moment of its end", time.Duration(got.At))
			}
			again, err := w.Run(t.Context(), run.Request{Seed: 2, Params: req.Params})
			if err != nil || again.Verdict != c.verdict {
				t.Fatalf("the next seed: %s, %v", again.Verdict, err)
			}
		})
	}
}

// TestNondeterminismIsCaught: a run that reads the real clock differs, and the
// first event that does is named, with the stacks of both runs.
func TestNondeterminismIsCaught(t *testing.T) {
	s := scenarios(t)["TestRealClock"]
	d, err := run.Verify(t.Context(), s, run.Request{Seed: 1}, run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d == nil {
		t.Fatal("two runs by the real clock were found equal")
	}
	if d.Index < 0 || d.A == d.B || !strings.Contains(strings.Join(d.StackA, "\n"), "waitABit") || !strings.Contains(strings.Join(d.StackB, "\n"), "waitABit") {
		t.Fatalf("got %s, want the first event that differs, of waitABit, with both stacks", strings.Join(d.Lines(), "\n"))
	}
	seeds, _ := run.ParseSeeds("1-3")
	sum, err := run.Sweep(t.Context(), run.SweepConfig{Scenario: s, Seeds: seeds, Verify: 1, Procs: 1}, func(run.Item) {})
	if err != nil || sum.Exit() != 3 || sum.Verdicts[run.Nondeterministic] == 0 {
		t.Fatalf("a sweep that verifies ends with %d, %v, %v; want 3", sum.Exit(), sum.Verdicts, err)
	}
}

// looks is a program that reads its clock or does not.
var looks = sim.NewProgram("looks", func() {
	for {
		time.Sleep(100 * time.Millisecond)
		if os.Args[1] == "yes" {
			_ = time.Now()
		}
	}
})

func TestSkewAndRestart(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Node("n1").Start(looks, w.Param("looks"))
		w.SafetyFor(3 * time.Second)
		w.Plan("at 200ms skew n1 by 1s for 2s", "at 500ms kill n1 for 100ms")
	}, sim.Param("looks", "no", "yes"))
}

// TestSkewEvidence: a skew has landed if the clock was read while it was off, also
// if the process was restarted meanwhile.
func TestSkewEvidence(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestSkewAndRestart"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for looks, want := range map[string]bool{"no": false, "yes": true} {
		out, err := w.Run(t.Context(), run.Request{Seed: 1, Params: map[string]string{"looks": looks}})
		if err != nil || len(out.Faults) != 2 || !out.Faults[1].Landed {
			t.Fatalf("%s: %+v, %v", out.Verdict, out.Faults, err)
		}
		if got := out.Faults[0]; got.Landed != want {
			t.Errorf("the program looks at its clock: %s; the skew landed: %v (%s)", looks, got.Landed, got.Evidence)
		}
	}
}

// Outcomes of two checks, and what the run makes of them.
func TestTwoChecks(t *testing.T) {
	onPurpose(t)
	check := func(v string) outcome.Checker {
		return outcome.Func(v, func() outcome.Outcome {
			time.Sleep(time.Second) // a check may take virtual time
			return outcome.Outcome{Verdict: outcome.Verdict(v), Message: v, Reason: v}
		})
	}
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(time.Second)
		w.Check(check(w.Param("first")), check(w.Param("second")))
		if w.Param("first") == "error" {
			w.Recovers("it", time.Second, func() error { t.Error("said in passing"); return nil })
		}
	}, sim.Param("first", "ok", "vacuous", "unknown", "violation", "error"), sim.Param("second", "ok", "vacuous", "unknown", "violation"))
}

func TestTheWorstOfTwoChecksCounts(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestTwoChecks"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, c := range []struct {
		first, second string
		want          run.Verdict
	}{
		{"ok", "ok", run.Pass},
		{"ok", "vacuous", run.Vacuous},
		{"vacuous", "ok", run.Vacuous},
		{"vacuous", "unknown", run.Unknown},
		{"unknown", "violation", run.Violated},
		{"violation", "unknown", run.Violated},
		{"vacuous", "violation", run.Violated},
		{"error", "vacuous", run.Violated}, // a failed test beside a vacuous check
	} {
		out, err := w.Run(t.Context(), run.Request{Seed: 1, Params: map[string]string{"first": c.first, "second": c.second}})
		if err != nil || out.Verdict != c.want {
			t.Errorf("%s and %s: %s %s, %v; want %s", c.first, c.second, out.Verdict, out.Reason, err, c.want)
		}
	}
}

// TestUnsupported: a call that there is not answers ENOSYS and is reported, with
// the function that made it.
func TestUnsupported(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestProcess"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	out, err := w.Run(t.Context(), run.Request{Seed: 1, Params: map[string]string{"way": "unsupported"}})
	if err != nil || out.Verdict != run.Pass || len(out.Unsupported) != 1 {
		t.Fatalf("got %s %s, %+v, %v", out.Verdict, out.Reason, out.Unsupported, err)
	}
	if u := out.Unsupported[0]; u.Name != "keyctl" || u.Count != 1 || !strings.Contains(u.Caller, "ends.") {
		t.Errorf("got %+v, want one keyctl by a function of this package", u)
	}
	if out, err = w.Run(t.Context(), run.Request{Seed: 1, Params: map[string]string{"way": "exec"}}); err != nil || out.Verdict != run.Pass ||
		len(out.Unsupported) != 1 || out.Unsupported[0].Name != "execve" || out.Unsupported[0].Caller == "" {
		t.Errorf("exec: %s, %+v, %+v, %v", out.Verdict, out.Violation, out.Unsupported, err)
	}
}

// TestAgree: the patched runtime draws as package choice does.
func TestAgree(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for i := range uint64(1000) {
			k := choice.Key(i * 0x12345)
			if got, want := rt.At(i, uint64(k), i*i), choice.At(i, k, i*i); got != want {
				t.Fatalf("choice %d: the runtime draws %x, want %x", i, got, want)
			}
			if got, want := rt.Child(uint64(k), i), uint64(k.Child(i)); got != want {
				t.Fatalf("child %d: the runtime has %x, want %x", i, got, want)
			}
		}
		if got, want := rt.NameKey("n1"), uint64(choice.NameKey("n1")); got != want {
			t.Fatalf("name: the runtime has %x, want %x", got, want)
		}
		w.SafetyFor(time.Second)
	})
}

// TestWorkerKilled: a worker that is killed costs the seed that it was at; the
// sweep goes on with another worker, and says so.
func TestWorkerKilled(t *testing.T) {
	s := scenarios(t)["TestProcess"]
	w, err := run.StartWorker(t.Context(), s, run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.Close() // as a kill from outside would
	if _, err := w.Run(t.Context(), run.Request{Seed: 1}); err == nil {
		t.Fatal("a run by a worker that is gone was taken for one")
	}
	killed := false
	seeds, _ := run.ParseSeeds("1-40")
	sum, err := run.Sweep(t.Context(), run.SweepConfig{Scenario: s, Seeds: seeds, Procs: 1}, func(it run.Item) {
		if !killed {
			killed = killWorkers(t) > 0
		}
	})
	if err != nil || sum.Seeds != 40 || sum.Verdicts[run.Died] == 0 || sum.Verdicts[run.Pass] == 0 || sum.Exit() != 3 {
		t.Fatalf("%d seeds, %v, exit %d, %v; want 40, some died, the others passed, 3", sum.Seeds, sum.Verdicts, sum.Exit(), err)
	}
}

// killWorkers kills the workers that this process has started, as the machine's
// lack of memory would, and returns how many.
func killWorkers(t *testing.T) (n int) {
	t.Helper()
	for _, pid := range children(os.Getpid()) {
		if unix.Kill(pid, unix.SIGKILL) == nil {
			n++
		}
	}
	return n
}

// children returns the processes whose parent is given.
func children(of int) (out []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it ended meanwhile
		}
		var pid, parent int
		var state string
		before, after, _ := strings.Cut(string(text), " (")
		_, fields, _ := strings.Cut(after, ") ") // the name may hold spaces
		fmt.Sscan(before, &pid)
		if _, err := fmt.Sscan(fields, &state, &parent); err == nil && parent == of {
			out = append(out, pid)
		}
	}
	return out
}

// TestDriver is the driver that TestKilledDriver kills, at a run that spins.
func TestDriver(t *testing.T) {
	if os.Getenv("ORRERY_ENDS_DRIVER") == "" {
		t.Skip("started by TestKilledDriver")
	}
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestSpins"], run.WorkerOptions{Watchdog: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	w.Run(t.Context(), run.Request{Seed: 1})
}

// TestKilledDriver: nothing outlives a driver that is killed, neither the worker
// nor the run that it is at.
func TestKilledDriver(t *testing.T) {
	c := exec.Command("/proc/self/exe", "-test.run=^TestDriver$")
	c.Env = append(os.Environ(), "ORRERY_ENDS_DRIVER=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	var worker, spinning int
	wait(t, "the driver, its worker and a run", func() bool {
		worker = childOf(c.Process.Pid, "orrery-worker")
		spinning = childOf(worker, "orrery-worker")
		return worker != 0 && spinning != 0
	})
	c.Process.Kill()
	wait(t, "the end of the worker and of the run", func() bool { return !lives(worker) && !lives(spinning) })
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 600 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("waited a minute for %s", what)
}

// childOf returns a process of that first argument whose parent is given, 0 if
// there is none.
func childOf(parent int, arg string) int {
	if parent == 0 {
		return 0
	}
	for _, pid := range children(parent) {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && strings.HasPrefix(string(text), arg+"\x00") {
			return pid
		}
	}
	return 0
}

// lives reports whether a process exists and is no zombie.
func lives(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ")
}
