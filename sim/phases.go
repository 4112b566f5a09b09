package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// injection is a fault of the plan and what became of it.
type injection struct {
	fault  Fault
	effect effect
	on     bool
	report run.Fault
}

// main is the world's first goroutine: the setup by the test, then the phases.
func (w *World) main(setup func(*World)) {
	w.boot()
	defer w.failedTest("test")
	setup(w)
	w.safetyPhase()
	w.livenessPhase()
	w.runChecks()
	w.complete = true
}

// boot starts the kernel, and makes the test a process.
func (w *World) boot() {
	rt.Spawn(0, "kernel", 0, w.serve)
	time.Sleep(1) // the kernel starts
	w.inKernel(func() { w.newProcess(w.kern.AddHost(testHost()), kernel.Start{}, "test") })
}

// testHost is the machine of the test itself, which may read real files.
func testHost() kernel.HostConfig {
	return kernel.HostConfig{Name: "test", Addrs: addrs(testAddr), Outside: outside}
}

// safetyPhase runs the clients until all have returned: under faults, but for the calm
// before and after.
func (w *World) safetyPhase() {
	faults := w.plan()
	if s := time.Duration(w.req.Safety); s > 0 {
		w.safety = min(w.safety, s)
	}
	w.calm = time.Duration(max(w.req.Calm, 0))
	w.drops = w.src.NeutralStream("drop/fault")
	w.inKernel(func() {
		w.began, w.safe, w.calling = rt.Now(), true, true
		w.measures.Clients.From, w.measures.Safety.From = since(), since()+int64(w.calm)
		left := w.budget - time.Duration(w.began-rt.Start)
		w.kern.After(left, func() {
			w.finish(run.Unknown, fmt.Sprintf("the budget of %v of virtual time ran out%s", w.budget, w.waiting()), nil)
		})
		w.kern.After(deadlockEvery, w.watchDeadlocks)
		for _, f := range faults {
			in := &injection{fault: f, report: run.Fault{Text: f.String(), Kind: f.Action.kind(), Evidence: "its time did not come"}}
			in.report.Beyond = beyond[in.report.Kind] && !w.endures[in.report.Kind]
			w.faults = append(w.faults, in)
			w.kern.After(w.calm+f.At, func() { w.inject(in) })
		}
		if w.calm > 0 {
			w.kern.After(w.calm+w.safety, w.healAll)
		}
		for _, c := range w.clients {
			w.startClient(c)
		}
	})
	for _, c := range w.clients {
		<-c.done
	}
	if len(w.clients) == 0 {
		time.Sleep(w.safety + 2*w.calm)
	}
	w.inKernel(func() {
		w.calling = false
		w.measures.Clients.To, w.measures.Liveness.From = since(), since()
		w.healAll()
	})
}

// plan is the run's faults: the request's, or else the seed's.
func (w *World) plan() (out []Fault) {
	if w.req.Faults == nil && w.planned != nil {
		return w.planned
	}
	if w.req.Faults == nil {
		c := Cluster{Safety: w.safety}
		for _, n := range w.nodes {
			c.Nodes = append(c.Nodes, n.name)
		}
		return plan(w.src, w.families, c)
	}
	for _, text := range w.req.Faults {
		f, err := ParseFault(text)
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

func (w *World) inject(in *injection) {
	if !w.safe {
		return
	}
	in.report.At = since()
	if w.drops.Draw(2) != 0 {
		in.report.Evidence = "left out"
		return
	}
	e, err := in.fault.Action.inject(w)
	if err != nil {
		w.finish(run.Unknown, fmt.Sprintf("fault %q: %v", in.fault, err), nil)
		return
	}
	in.effect, in.on = e, true
	if in.fault.For > 0 {
		w.kern.After(in.fault.For, func() { w.heal(in) })
	}
}

// heal undoes a fault and notes whether it landed.
func (w *World) heal(in *injection) {
	if !in.on {
		return
	}
	in.note()
	in.on = false
	in.effect.undo()
}

// note writes down whether the fault has landed so far.
func (in *injection) note() { in.report.Landed, in.report.Evidence = in.effect.evidence() }

// healAll ends the safety phase: faults stop, and every node is back. The caller is the
// kernel. After calm it is over already.
func (w *World) healAll() {
	if !w.safe {
		return
	}
	w.safe = false
	w.measures.Safety.To = since()
	for _, in := range w.faults {
		w.heal(in)
	}
	for _, n := range w.nodes {
		w.restart(n)
	}
}

// livenessPhase gives the system time to recover, as the test promises it does.
func (w *World) livenessPhase() {
	for _, r := range w.recovers {
		deadline := rt.Now() + int64(r.within)
		err := r.try()
		for err != nil && rt.Now() < deadline {
			time.Sleep(100 * time.Millisecond)
			err = r.try()
		}
		w.measures.Recoveries = append(w.measures.Recoveries, run.Recovery{What: r.what, Within: int64(r.within), Took: since() - w.measures.Safety.To, Kept: err == nil})
		if err != nil {
			w.violate(&run.Violation{Oracle: run.OracleLiveness, Message: fmt.Sprintf("%s: not within %v of the last fault's end: %v", r.what, r.within, err)})
			return
		}
	}
	w.measures.Liveness.To = since()
}

// runChecks runs every check. The first violation decides, or else the first that
// could not decide, or else the first that was given nothing.
func (w *World) runChecks() {
	w.checking = true
	unwatched() // a check may think long
	worst, by := outcome.Outcome{Verdict: outcome.OK}, outcome.Checker(nil)
	for _, c := range w.checks {
		o := c.Conclude()
		w.measures.Checks = append(w.measures.Checks, run.Check{Name: c.Name(), Verdict: o.Verdict, Reason: o.Reason, Calls: o.Calls, Covered: o.Covered})
		if severity(o.Verdict) > severity(worst.Verdict) {
			worst, by = o, c
		}
	}
	switch worst.Verdict {
	case outcome.OK:
	case outcome.Violation:
		if d, ok := by.(outcome.Doubter); ok {
			w.doubts = d.Doubts()
		}
		w.violate(&run.Violation{Oracle: by.Name(), Message: worst.Message, Node: worst.Node, At: worst.At, Detail: worst.Detail})
	case outcome.Vacuous:
		w.finish(run.Vacuous, by.Name()+": "+worst.Reason, nil)
	default:
		w.finish(run.Unknown, by.Name()+": "+worst.Reason, nil)
	}
}

// severity orders what a check concludes. A verdict that is none of the four is as
// good as unknown.
func severity(v outcome.Verdict) int {
	switch v {
	case outcome.OK:
		return 0
	case outcome.Vacuous:
		return 1
	case outcome.Violation:
		return 3
	}
	return 2
}

// violate ends the run with a violation, whose time is now unless it has one.
func (w *World) violate(v *run.Violation) {
	if v.At == 0 {
		v.At = since()
	}
	v.Names = w.namesIn(v.Message)
	w.finish(run.Violated, "", v)
}

// namesIn returns the nodes and clients that a text names.
func (w *World) namesIn(text string) (names []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !isNamed(r) })
	for _, word := range words {
		if w.byName[word] != nil && !slices.Contains(names, word) {
			names = append(names, word)
		}
	}
	return names
}

// isNamed reports whether a word with this letter in it may be a name.
func isNamed(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }

// finish ends the run. The first verdict stands, but a violation replaces any
// other.
func (w *World) finish(v run.Verdict, reason string, violation *run.Violation) {
	if w.end == nil || violation != nil && w.end.violation == nil {
		w.end = &ending{v, reason, violation}
	}
	for _, in := range w.faults {
		if in.on {
			in.note()
		}
	}
	rt.Halt()
}

// failedTest, deferred, turns a failed *testing.T into a violation: its output is
// in the log of who wrote it.
func (w *World) failedTest(who string) {
	if w.t == nil || raceErrors() > 0 || !w.t.Failed() || w.end != nil && w.end.violation != nil {
		return
	}
	msg := ""
	w.inKernel(func() {
		for _, p := range w.procs {
			if p != nil {
				w.flush(p)
			}
		}
	})
	for _, l := range w.log {
		if l.Node == who {
			if text := strings.TrimSpace(l.Text); !strings.HasPrefix(text, "===") && !strings.HasPrefix(text, "---") {
				msg = text
			}
		}
	}
	w.violate(&run.Violation{Oracle: "test", Message: msg, Node: who})
}
