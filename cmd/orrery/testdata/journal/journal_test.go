// Package journal holds the scenarios that the tests of the command run: one for
// each way in which a run can end.
package journal

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

const (
	path  = "/var/lib/journal"
	acked = "wrote "
	found = "found "
)

// program appends a line to its journal every 50 ms, and says so once it is
// there to stay.
var program = sim.NewProgram("journal", func() {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	n := strings.Count(string(old), "\n")
	fmt.Println(found + strconv.Itoa(n))
	if n > 0 && os.Getenv("BUG") == "panic" {
		panic("the journal is not empty")
	}
	if os.Getenv("BUG") == "stuck" {
		for {
		}
	}
	for {
		n++
		if _, err := f.WriteString("a line\n"); err != nil {
			panic(err)
		}
		if os.Getenv("BUG") != "no-sync" {
			if err := f.Sync(); err != nil {
				panic(err)
			}
		}
		fmt.Println(acked + strconv.Itoa(n))
		time.Sleep(50 * time.Millisecond)
	}
})

func TestJournal(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Env("BUG=" + w.Param("bug"))
		n.Start(program)
		w.SafetyFor(4 * time.Second)
		w.Faults(sim.Swarm(sim.Crashes(), sim.Kills()))
		w.Check(outcome.Func("durability", func() outcome.Outcome { return durable(w.Log("n1")) }))
	}, sim.Param("bug", "none", "no-sync", "panic", "stuck"))
}

// durable checks that each start found what was acknowledged before it.
func durable(log []string) outcome.Outcome {
	last := 0
	for _, line := range log {
		if n, ok := number(line, found); ok && n < last {
			return outcome.Outcome{Verdict: outcome.Violation, Node: "n1", Message: fmt.Sprintf("line %d was acknowledged, found %d lines", last, n)}
		}
		if n, ok := number(line, acked); ok {
			last = n
		}
	}
	return outcome.Outcome{Verdict: outcome.OK}
}

func number(line, prefix string) (int, bool) {
	rest, ok := strings.CutPrefix(line, prefix)
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil
}

// A check that is given nothing says nothing.
func TestVacuous(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(time.Second)
		w.Check(outcome.Func("nothing", func() outcome.Outcome {
			return outcome.Outcome{Verdict: outcome.Vacuous, Reason: "there was nothing to check"}
		}))
	})
}

// process differs from worker to worker: it is read before there is a world.
var process = func() int {
	link, _ := os.Readlink("/proc/self") // the machine's: no world has started
	n, _ := strconv.Atoi(link)
	return n
}()

// A run that depends on its process does not repeat.
func TestDiffers(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.SafetyFor(time.Second + time.Duration(process)*time.Microsecond)
		w.Check(outcome.Func("nothing", func() outcome.Outcome { return outcome.Outcome{Verdict: outcome.OK} }))
	})
}

// A test of the ordinary kind: no scenario.
func TestOrdinary(t *testing.T) {}
