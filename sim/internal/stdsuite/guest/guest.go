// Package guest is what a test binary of the standard library is linked with to
// become a worker: it runs the whole program, main and all, as the process of a
// node, for one of its tests.
package guest

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// Names by which the driver asks for a run.
const (
	Scenario = "std"
	Test     = "test" // parameter: which test
	Node     = "n1"   // where it runs
)

// How much virtual time a test may take. Its stacks are printed first, then the
// testing package gives up, then the world does.
const (
	stacksAfter  = 28 * time.Minute
	timeoutAfter = 29 * time.Minute
	budget       = 30 * time.Minute
)

// Main makes a worker of this process if it was started as one, and then does not
// return: each run is a world in which a node runs program with the flags that
// select one of the tests.
func Main(tests []string, program func()) {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	folders, err := furniture(dir)
	if err != nil {
		panic(err)
	}
	p := sim.NewProgram(Scenario, func() {
		time.AfterFunc(stacksAfter, printStacks)
		program()
	})
	sim.Work(Scenario, func(w *sim.World) {
		n := w.Node(Node)
		furnish(n, folders)
		n.Dir(dir)
		run(w, n, p)
	}, sim.Param(Test, tests...))
}

// run runs the test that the request names until it ends.
func run(w *sim.World, n *sim.Node, p *sim.Program) {
	n.Start(p, "-test.run=^"+w.Param(Test)+"$", "-test.v", "-test.count=1", fmt.Sprintf("-test.timeout=%v", timeoutAfter))
	for end := w.Now() + int64(budget); n.Running() && w.Now() < end; {
		time.Sleep(time.Millisecond)
	}
	verdict := outcome.Outcome{Verdict: outcome.OK}
	if n.Running() {
		verdict = outcome.Outcome{Verdict: outcome.Unknown, Reason: fmt.Sprintf("the test did not end in %v of virtual time", budget)}
	}
	n.Stop()
	w.SafetyFor(0)
	w.Check(outcome.Func("budget", func() outcome.Outcome { return verdict }))
}

// printStacks prints what every goroutine of the process waits for.
func printStacks() {
	b := make([]byte, 1<<20)
	os.Stderr.Write(b[:runtime.Stack(b, true)])
}
