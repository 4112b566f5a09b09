package audit

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// TestGoroutineProfile: a process's profile has its own goroutines.
func TestGoroutineProfile(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for _, n := range w.Nodes("n", 2) {
			n.Start(profiled)
		}
		w.SafetyFor(time.Second)
	})
}

var profiled = sim.NewProgram("profiled", func() {
	go time.Sleep(time.Hour)
	time.Sleep(time.Millisecond)
	var list [10]runtime.StackRecord
	if n, ok := runtime.GoroutineProfile(list[:]); n != 2 || !ok {
		panic(fmt.Sprintf("GoroutineProfile: %d, %v, want 2, true", n, ok))
	}
	if n, ok := runtime.GoroutineProfile(list[:1]); n != 2 || ok {
		panic(fmt.Sprintf("GoroutineProfile with too little room: %d, %v, want 2, false", n, ok))
	}
	var text strings.Builder
	pprof.Lookup("goroutine").WriteTo(&text, 1)
	if s := text.String(); !strings.HasPrefix(s, "goroutine profile: total 2\n") || strings.Count(s, "time.Sleep") != 1 {
		panic("want 2 goroutines, one of which sleeps:\n" + s)
	}
})

// TestProfileOfBlocking: a profile of blocking tells virtual time.
func TestProfileOfBlocking(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n")
		n.Start(blocked)
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			text := strings.Join(w.Log("n"), "\n")
			if !strings.Contains(text, "cycles/second=1000000000\n500000000 1 @ ") {
				t.Errorf("no wait of half a second in\n%s", text)
			}
		})
	})
}

var blocked = sim.NewProgram("blocked", func() {
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	c := make(chan int)
	time.AfterFunc(500*time.Millisecond, func() { c <- 1 })
	<-c
	pprof.Lookup("block").WriteTo(os.Stdout, 1)
})
