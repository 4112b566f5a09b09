package ends

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

// spinFor is how long each loop has to wait.
const spinFor = 10 * time.Minute

// after returns a flag that another goroutine sets after spinFor.
func after() *atomic.Bool {
	var done atomic.Bool
	go func() { time.Sleep(spinFor); done.Store(true) }()
	return &done
}

// spins are loops that wait for something without ever waiting.
var spins = map[string]func(){
	"clock": func() {
		for t := time.Now(); time.Since(t) < spinFor; {
		}
	},
	"clock, giving way": func() {
		for t := time.Now(); time.Since(t) < spinFor; {
			runtime.Gosched()
		}
	},
	"flag": func() {
		for done := after(); !done.Load(); {
		}
	},
	"flag, giving way": func() {
		for done := after(); !done.Load(); {
			runtime.Gosched()
		}
	},
	"three words": func() {
		done := after()
		var v atomic.Value
		var head, tail atomic.Int64
		v.Store(1)
		for v.Load() == 1 && head.Load() == tail.Load() && !done.Load() {
		}
	},
	"swapped": func() {
		var lock atomic.Int32
		lock.Store(1)
		go func() { time.Sleep(spinFor); lock.Store(0) }()
		for !lock.CompareAndSwap(0, 1) {
		}
		go func() { time.Sleep(time.Second); lock.Store(0) }()
		for lock.Swap(1) == 1 {
		}
	},
	"channel": func() {
		c := make(chan bool)
		go func() { time.Sleep(spinFor); close(c) }()
		for {
			select {
			case <-c:
				return
			default:
			}
		}
	},
	"channels": func() {
		c, never := make(chan bool), make(chan int)
		go func() { time.Sleep(spinFor); <-c }()
		for {
			select {
			case <-never:
			case c <- true:
				return
			default:
			}
		}
	},
	"mutex": func() {
		var mu sync.Mutex
		mu.Lock()
		go func() { time.Sleep(spinFor); mu.Unlock() }()
		for !mu.TryLock() {
		}
	},
	"readers": func() {
		var mu sync.RWMutex
		mu.Lock()
		go func() { time.Sleep(spinFor); mu.Unlock() }()
		for !mu.TryRLock() {
		}
	},
	"calls": func() {
		for done := after(); !done.Load(); {
			syscall.Getppid()
		}
	},
	"calls and clock": func() {
		for t := time.Now(); time.Since(t) < spinFor; {
			os.Stat("/")
		}
	},
	"two at once": func() {
		var ready [2]atomic.Bool
		var all sync.WaitGroup
		for i := range ready {
			all.Go(func() {
				ready[i].Store(true)
				for !ready[1-i].Load() {
				}
				for t := time.Now(); time.Since(t) < spinFor; {
				}
			})
		}
		all.Wait()
	},
}

var spinner = sim.NewProgram("spinner", func() {
	t := time.Now()
	spins[os.Args[1]]()
	fmt.Println("waited", time.Since(t))
})

func TestSpinning(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		w.Budget(time.Hour)
		w.SafetyFor(spinFor + time.Minute)
		n.Start(spinner, w.Param("how"))
		w.Node("n2").Start(ticking)
		w.Recovers("the loop has ended", time.Second, func() error {
			if len(w.Log("n1")) == 0 {
				return errors.New("it goes on")
			}
			return nil
		})
	}, sim.Param("how", slices.Sorted(maps.Keys(spins))...))
}

// ticking is a program of another node, which must go on meanwhile.
var ticking = sim.NewProgram("ticking", func() {
	for range time.Tick(10 * time.Second) {
	}
})

// TestSpinningEnds: loops that wait without giving way get to what they wait for,
// in virtual time, at the same moment in every run.
func TestSpinningEnds(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestSpinning"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, how := range slices.Sorted(maps.Keys(spins)) {
		req := run.Request{Seed: 1, Params: map[string]string{"how": how}}
		a, err := w.Run(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := w.Run(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != run.Pass || a.Virtual < int64(spinFor) || a.Steps > 1_000_000 || a.Hash != b.Hash {
			t.Errorf("%s: %s %s %+v, %v of virtual time, %d steps, hashes %s and %s; want a pass after %v, in at most a million steps, twice the same",
				how, a.Verdict, a.Reason, a.Violation, time.Duration(a.Virtual), a.Steps, a.Hash, b.Hash, spinFor)
		}
		t.Logf("%-18s %8d steps, %7d calls, %s", how, a.Steps, a.Calls, lastLine(a, "n1"))
	}
}

func TestSpins(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Clients("c", 1)[0].Run(func() { spinning() })
	})
}

//go:noinline
func spinning() {
	for { // this is the loop
	}
}

// TestSpinningLine: a loop that nothing ends is told with its line.
func TestSpinningLine(t *testing.T) {
	src, err := os.ReadFile("spin_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := bytes.Cut(src, []byte("// this is the loop"))
	want := fmt.Sprintf("spin_test.go:%d ", 1+bytes.Count(before, []byte("\n")))
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestSpins"], run.WorkerOptions{Watchdog: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	out, err := w.Run(t.Context(), run.Request{Seed: 1})
	_, after, found := strings.Cut(out.Reason, "ends.spinning()\n")
	if place, _, _ := strings.Cut(after, "\n"); err != nil || out.Verdict != run.NoProgress || !found || !strings.Contains(place, want) {
		t.Fatalf("%s, %v, %s\nwant a stack with spinning at %s", out.Verdict, err, out.Reason, want)
	}
}

// TestRestless: goroutines that wake each other for ever.
func TestRestless(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Clients("c", 1)[0].Run(func() {
			a, b := make(chan int), make(chan int)
			go func() {
				for v := range a {
					b <- v
				}
			}()
			for {
				a <- 1
				<-b
			}
		})
	})
}

// TestRestlessEnds: a world in which somebody can always run ends by its budget of
// virtual time, as any other does.
func TestRestlessEnds(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestRestless"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	out, err := w.Run(t.Context(), run.Request{Seed: 1})
	if err != nil || out.Verdict != run.Unknown || !strings.Contains(out.Reason, "10m0s of virtual time") {
		t.Fatalf("%s %s, %d steps, %v; want an end by the budget", out.Verdict, out.Reason, out.Steps, err)
	}
	t.Logf("%d steps", out.Steps)
}

func lastLine(out run.Output, node string) (text string) {
	for _, l := range out.Log {
		if l.Node == node {
			text = l.Text
		}
	}
	return text
}
