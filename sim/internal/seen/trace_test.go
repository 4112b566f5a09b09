package seen

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
	xtrace "golang.org/x/exp/trace"
)

// TestExecutionTrace reads the trace of a run as tools do: who started whom, who
// waited for what and how long, where, and what the program said of it.
func TestExecutionTrace(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	plain := output(t, "TestSeen", run.Request{Seed: 3})
	out := output(t, "TestSeen", run.Request{Seed: 3, Record: run.RecordStacks})
	if out.Hash != plain.Hash {
		t.Errorf("recorded the run's hash is %s, else %s", out.Hash, plain.Hash)
	}
	var b bytes.Buffer
	if err := trace.WriteGo(&b, out.Events, out.Symbols); err != nil {
		t.Fatal(err)
	}
	r := readTrace(t, b.Bytes())
	if got := r.end - r.start; got < 6*time.Second || got > 6*time.Second+time.Millisecond {
		t.Errorf("the trace lasts %v, want the 6s of the run", got)
	}
	const second, quarter = time.Second - time.Microsecond, time.Second/4 - time.Microsecond // events of one time are 1 ns apart
	for _, want := range []struct {
		goroutine, reason, function string
		least, most                 time.Duration
	}{
		{"n2/0", "sleep", "time.Sleep", second, 1001 * time.Millisecond},
		{"n2/0.0", "sleep", "time.Sleep", quarter, 251 * time.Millisecond},
		{"n2/0", "chan receive", "seen.init.func", quarter, 251 * time.Millisecond},
		{"n2/0", "coroutine", "iter.Pull", 1, time.Microsecond},
		{"n2/0", "network", "net.(*conn).Read", 1, time.Second},
		{"n1/0.0", "sync", "seen.waitForLock", 0, 0}, // for ever
		{"n1/0", "network", "net.(*TCPListener).Accept", second, 2 * time.Second},
	} {
		if !r.waited(want.goroutine, want.reason, want.function, want.least, want.most) {
			t.Errorf("%s does not wait for %q in %s for %v to %v: %v", want.goroutine, want.reason, want.function, want.least, want.most, r.waits[want.goroutine])
		}
	}
	if by := r.creators["n2/0.0"]; by != "n2/0" {
		t.Errorf("n2/0.0 was started by %q, want n2/0", by)
	}
	if by := r.wakers["n2/0"]; !by["n2/0.0"] {
		t.Errorf("n2/0 was woken by %v, want n2/0.0 among them", by)
	}
	for _, want := range []string{
		"n2/0 task job", "n2/0 region outer", "n2/0 region inner", "n2/0 region never ended", "n2/0 log progress=half 50",
		"n2/0 log log=answered", "n2/0 task n2", "n2/0 region n2/0", "n2/0 task end job",
		"world log world=ended n2: 1 goroutines, status 0",
	} {
		if !r.said[want] {
			t.Errorf("nobody said %q: %v", want, r.said)
		}
	}
	if r.procs < 3 {
		t.Errorf("%d procs, want one for each process", r.procs)
	}
	goTool(t, b.Bytes())
}

// goTool has go tool trace read it too: it makes a profile of blocking.
func goTool(t *testing.T, b []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.gotrace")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "tool", "trace", "-pprof=net", file)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	profile, err := c.Output()
	if err != nil || len(profile) < 100 {
		t.Errorf("go tool trace: %v, %d bytes: %s", err, len(profile), stderr.String())
	}
}

// wait is a time that a goroutine was blocked.
type wait struct {
	reason string
	stack  []string
	from   xtrace.Time
	lasted time.Duration // 0 if for ever
}

// traced is what a trace tells, by goroutines' labels.
type traced struct {
	start, end time.Duration
	waits      map[string][]wait
	creators   map[string]string
	wakers     map[string]map[string]bool
	said       map[string]bool
	procs      int
}

func (r traced) waited(goroutine, reason, function string, least, most time.Duration) bool {
	for _, w := range r.waits[goroutine] {
		in := strings.Contains(strings.Join(w.stack, "\n"), function)
		if w.reason == reason && in && w.lasted >= least && w.lasted <= most {
			return true
		}
	}
	return false
}

// readTrace reads a trace twice: the labels of goroutines come when they first run.
func readTrace(t *testing.T, b []byte) traced {
	t.Helper()
	labels := map[xtrace.GoID]string{}
	each(t, b, func(e xtrace.Event) {
		if e.Kind() == xtrace.EventLabel {
			labels[e.Goroutine()] = e.Label().Label
		}
	})
	r := traced{waits: map[string][]wait{}, creators: map[string]string{}, wakers: map[string]map[string]bool{}, said: map[string]bool{}}
	procs, first := map[xtrace.ProcID]bool{}, xtrace.Time(0)
	each(t, b, func(e xtrace.Event) {
		if first == 0 {
			first = e.Time()
		}
		r.end = e.Time().Sub(first)
		if e.Proc() != xtrace.NoProc {
			procs[e.Proc()] = true
		}
		who := labels[e.Goroutine()]
		switch e.Kind() {
		case xtrace.EventStateTransition:
			r.transition(e, labels)
		case xtrace.EventTaskBegin:
			r.said[who+" task "+e.Task().Type] = true
		case xtrace.EventTaskEnd:
			r.said[who+" task end "+e.Task().Type] = true
		case xtrace.EventRegionBegin:
			r.said[who+" region "+e.Region().Type] = true
		case xtrace.EventLog:
			r.said[who+" log "+e.Log().Category+"="+e.Log().Message] = true
		}
	})
	r.procs = len(procs)
	return r
}

func (r traced) transition(e xtrace.Event, labels map[xtrace.GoID]string) {
	s := e.StateTransition()
	if s.Resource.Kind != xtrace.ResourceGoroutine {
		return
	}
	from, to := s.Goroutine()
	who, by := labels[s.Resource.Goroutine()], labels[e.Goroutine()]
	switch {
	case from == xtrace.GoNotExist:
		r.creators[who] = by
	case to == xtrace.GoWaiting:
		w := wait{reason: s.Reason, from: e.Time()}
		for f := range s.Stack.Frames() {
			w.stack = append(w.stack, f.Func)
		}
		r.waits[who] = append(r.waits[who], w)
	case from == xtrace.GoWaiting && to == xtrace.GoRunnable:
		last := &r.waits[who][len(r.waits[who])-1]
		last.lasted = e.Time().Sub(last.from)
		if r.wakers[who] == nil {
			r.wakers[who] = map[string]bool{}
		}
		r.wakers[who][by] = true
	}
}

func each(t *testing.T, b []byte, f func(xtrace.Event)) {
	t.Helper()
	r, err := xtrace.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		f(e)
	}
}

// TestProfilesRefused: a program that traces or profiles itself is told that it
// cannot, goes on, and the run counts it.
func TestProfilesRefused(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	out := output(t, "TestProfiler", run.Request{Seed: 1})
	var lines []string
	for _, l := range out.Log {
		lines = append(lines, l.Text)
	}
	if out.Verdict != run.Pass || len(lines) != 4 || !strings.Contains(lines[0], "orrery replay --trace") || lines[1] != lines[0] ||
		!strings.Contains(lines[2], "no CPU profile") || lines[3] != "0 false" {
		t.Errorf("%s, %q", out.Verdict, lines)
	}
	counts := map[string]int{}
	for _, u := range out.Unsupported {
		counts[u.Name] = u.Count
	}
	if len(counts) != 2 || counts["execution trace"] != 2 || counts["CPU profile"] != 1 {
		t.Errorf("counted %v", counts)
	}
}
