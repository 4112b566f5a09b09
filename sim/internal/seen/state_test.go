package seen

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/run"
)

func stateAt(t *testing.T, m run.Moment) run.Output {
	t.Helper()
	return output(t, "TestSeen", run.Request{Seed: 3, Until: &m})
}

func process(t *testing.T, s *run.State, name string) run.Process {
	t.Helper()
	for _, p := range s.Processes {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("there is no %s among %d processes", name, len(s.Processes))
	return run.Process{}
}

// TestState looks at two nodes while they run.
func TestState(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	out := stateAt(t, run.Moment{Time: int64(2 * time.Second)})
	s := out.State
	if out.Verdict != run.Stopped || s == nil {
		t.Fatalf("%s, %v: %s", out.Verdict, s, out.Reason)
	}
	if s.Phase != "safety" || s.At != int64(2*time.Second) || len(s.Faults) != 0 {
		t.Errorf("%s phase, %v, faults %q: want the safety phase at 2s, without faults", s.Phase, time.Duration(s.At), s.Faults)
	}
	n1, n2 := process(t, s, "n1"), process(t, s, "n2")
	if n1.Kind != "node" || !n1.Running || n1.Addr != "10.0.0.1" || process(t, s, "test").Kind != "test" {
		t.Errorf("n1 is %+v", n1)
	}
	for _, want := range []struct{ state, function, by string }{
		{"IO wait", "seen.init.func", ""}, // accepts
		{"sync.Mutex.Lock", "seen.waitForLock", "seen.init.func"},
		{"chan receive", "seen.init.func", "seen.init.func"},
		{"select (no cases)", "seen.hold", "seen.init.func"},
	} {
		if !hasGoroutine(n1, want.state, want.function, want.by) {
			t.Errorf("n1 has no goroutine that waits for %q in %q, started by %q: %+v", want.state, want.function, want.by, n1.Goroutines)
		}
	}
	if !hasGoroutine(n2, "sleep", "seen.init.func", "") || n2.Goroutines[0].Name != "n2/0" {
		t.Errorf("n2 has no goroutine that sleeps: %+v", n2.Goroutines)
	}
	checkTimers(t, n1, n2)
	checkDescriptors(t, n1, n2)
	if again := stateAt(t, run.Moment{Time: int64(2 * time.Second)}); !reflect.DeepEqual(again.State, s) {
		t.Error("the state in another process is another one")
	}
}

func hasGoroutine(p run.Process, state, function, by string) bool {
	for _, g := range p.Goroutines {
		in := false
		for _, f := range g.Stack {
			in = in || strings.Contains(f.Func, function) && strings.HasSuffix(f.File, "scenario_test.go") && f.Line > 0
		}
		byOK := by == "" || g.CreatedBy != nil && strings.Contains(g.CreatedBy.Func, by)
		if g.State == state && in && byOK && strings.HasPrefix(g.Name, p.Name+"/0") && g.Since > 0 {
			return true
		}
	}
	return false
}

func checkTimers(t *testing.T, n1, n2 run.Process) {
	t.Helper()
	var later, tick, sleep bool
	for _, r := range n1.Timers {
		later = later || strings.HasSuffix(r.What, "AfterFunc of github.com/orrery-sim/orrery/sim/internal/seen.laterOn") && r.Due > int64(time.Hour)
		tick = tick || r.What == "time.Ticker" && r.Period == int64(700*time.Millisecond) && r.Due < int64(3*time.Second)
	}
	for _, r := range n2.Timers {
		sleep = sleep || r.What == "sleep of n2/0" && r.Due > int64(time.Hour)
	}
	if !later || !tick || !sleep {
		t.Errorf("timers of n1 %+v, of n2 %+v", n1.Timers, n2.Timers)
	}
}

func checkDescriptors(t *testing.T, n1, n2 run.Process) {
	t.Helper()
	var data, listens, unread, connected bool
	for _, f := range n1.Files {
		data = data || f.Path == "/data" && f.Position == 12 && f.Size == 12 && f.Flags == "O_RDWR|O_APPEND|O_CLOEXEC" &&
			reflect.DeepEqual(f.Locks, []string{"flock exclusive"}) && f.FD > 2
	}
	for _, s := range n1.Sockets {
		listens = listens || s.State == "listen" && s.Local == "10.0.0.1:80" && s.Kind == "tcp"
		unread = unread || s.State == "established" && s.Received == 4 && strings.HasPrefix(s.Peer, "10.0.0.2:")
	}
	for _, s := range n2.Sockets {
		connected = connected || s.State == "established" && s.Peer == "10.0.0.1:80" && s.Received == 0
	}
	if !data || !listens || !unread || !connected {
		t.Errorf("files of n1 %+v, sockets %+v; sockets of n2 %+v", n1.Files, n1.Sockets, n2.Sockets)
	}
}

// TestStateOfFault looks at a node that was killed, and at a moment given by events.
func TestStateOfFault(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := stateAt(t, run.Moment{Time: int64(3 * time.Second)}).State
	if n2 := process(t, s, "n2"); n2.Running || !n2.Powered || len(n2.Goroutines) != 0 || len(s.Faults) != 1 || s.Faults[0] != "at 2.5s kill n2 for 10s" {
		t.Errorf("faults %q, n2 %+v: want it killed", s.Faults, n2)
	}
	s = stateAt(t, run.Moment{Events: 100}).State
	if s == nil || s.Events < 100 || s.Events > 110 {
		t.Fatalf("stopped at %+v, want the first scheduling decision after event 100", s)
	}
	if out := stateAt(t, run.Moment{Time: int64(time.Hour)}); out.State != nil || out.Verdict != run.Pass {
		t.Errorf("a moment after the run's end: %s with a state %v, want a pass without one", out.Verdict, out.State)
	}
}
