package session

import (
	"fmt"
	"time"

	"github.com/orrery-sim/orrery/oracle/verdict"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// measured makes a cycle of a simulated run: what the verdict is computed from. Only
// what the run itself shows is in it.
func measured(r run.Result, c configuration, tier verdict.Tier) verdict.Cycle {
	m := r.Measures
	safety := m.Safety.To - m.Safety.From
	if m.Safety.To == 0 { // it ended before
		safety = max(r.Virtual-m.Safety.From, 0)
	}
	out := verdict.Cycle{
		Seed: r.Seed, Configuration: c.String(), Topology: nodes(m.Nodes), Tier: tier,
		Duration: time.Duration(safety), Timing: verdict.TimingTrue,
		Retries: verdict.RetriesRecorded, Timestamps: verdict.TimestampsVirtual,
		Load: wanted(m), Windows: windows(m.Load, length(m)), Oracles: oracles(r), Errors: strays(r),
	}
	for _, f := range r.Faults {
		out.Faults = append(out.Faults, landed(f, r))
	}
	out.Recovery = recovered(m)
	for _, k := range m.Checks {
		out.Surfaces = append(out.Surfaces, k.Covered.Surfaces...)
		out.Controls.Positive += k.Covered.Positive
		out.Controls.Negative += k.Covered.Negative
	}
	if r.Verdict.Lost() || r.Verdict == run.Nondeterministic || r.Verdict == run.Unknown && len(m.Checks) == 0 {
		out.Lost = fmt.Sprintf("%s: %s", r.Verdict, firstLine(r.Reason))
	}
	return out
}

// windowsOf is in how many windows the load of a run is looked at. One that is shorter
// than clients wait between calls would be empty of itself.
const windowsOf = 10

// length is that of a run's windows: whole seconds, a tenth of the time with load.
func length(m run.Measures) time.Duration {
	return max((time.Duration(m.Clients.To-m.Clients.From) / windowsOf).Truncate(run.LoadWindow), run.LoadWindow)
}

// windows are the load of a run in windows of a length, which is in whole seconds. What
// is left of it at the end is a window too.
func windows(load []run.Ops, length time.Duration) (out []verdict.Window) {
	open, each := 0, int(length/run.LoadWindow)
	for i := 0; i < len(load); i += each {
		w := verdict.Window{Span: verdict.Span{Start: time.Duration(i) * run.LoadWindow, Length: length}, Waiting: open}
		for _, n := range load[i:min(i+each, len(load))] {
			w.Invoked, w.OK, w.Failed, w.Unknown = w.Invoked+n.Invoked, w.OK+n.OK, w.Failed+n.Failed, w.Unknown+n.Unknown
		}
		out = append(out, w)
		open += w.Invoked - w.OK - w.Failed - w.Unknown
	}
	return out
}

// oracles are the checks that were asked, and the engine's own, which watches every
// run for panics, fatal errors and data races.
func oracles(r run.Result) (out []verdict.OracleRun) {
	for _, c := range r.Measures.Checks {
		o := verdict.OracleRun{Name: c.Name, Sees: verdict.SeesHistory, Verdict: c.Verdict, Reason: c.Reason, Saw: c.Calls, Calls: invoked(r)}
		if c.Calls == 0 && c.Verdict == outcome.OK {
			o.Reason = "it does not say how many calls it judged"
		}
		out = append(out, o)
	}
	for _, v := range r.Measures.Recoveries {
		o := verdict.OracleRun{Name: run.OracleLiveness, Sees: verdict.SeesSeries, Verdict: outcome.OK, Saw: 1, Calls: 1}
		if !v.Kept {
			o.Verdict, o.Reason = outcome.Violation, v.What
		}
		out = append(out, o)
	}
	return out
}

// invoked is how many calls there were: as the scenario counts them, or else as they
// were told to the load.
func invoked(r run.Result) int {
	if r.Ops.Invoked > 0 {
		return r.Ops.Invoked
	}
	n := 0
	for _, w := range r.Measures.Load {
		n += w.Invoked
	}
	return n
}

// landed is a fault of a run and what shows that it landed.
func landed(f run.Fault, r run.Result) verdict.Fault {
	out := verdict.Fault{
		Text: f.Text, Kind: f.Kind, Origin: verdict.Drawn, At: time.Duration(f.At), Clock: f.Kind == "skew",
		Landing: verdict.NotProven, Sides: sides(f.Kind),
	}
	if parsed, err := sim.ParseFault(f.Text); err == nil {
		out.Length = parsed.For
	}
	if f.At > 0 {
		out.Injector = fmt.Sprintf("injected at %v, in run %s", time.Duration(f.At), r.Hash)
	}
	if f.Landed {
		out.Landing, out.Victim = verdict.Proven, f.Evidence
	}
	return out
}

// sides says whom a fault of a kind keeps from hearing whom. Packets that are late or lost
// now and then are no partition.
func sides(kind string) verdict.Sides {
	switch kind {
	case "cut":
		return verdict.OneSide
	case "partition":
		return verdict.BothSides
	}
	return verdict.NoSides
}

// strays are the system calls that a run made and that no world answers: a program may
// have taken the error for nothing.
func strays(r run.Result) verdict.Errors {
	e := verdict.Errors{Counted: true}
	for _, u := range r.Unsupported {
		e.Swallowed += u.Count
		if e.Example == "" {
			e.Example = fmt.Sprintf("%s is not in the simulation: called by %s", u.Name, u.Caller)
		}
	}
	return e
}

// wanted is when a run was to have load: from the clients' start until the calm after the
// faults was over. What clients end later is no load that somebody asked for.
func wanted(m run.Measures) verdict.Span {
	end := m.Clients.To
	if m.Safety.To > 0 && end > m.Safety.To+int64(calm) {
		end = m.Safety.To + int64(calm)
	}
	whole := time.Duration(end).Truncate(length(m))
	return verdict.Span{Start: time.Duration(m.Clients.From), Length: max(whole-time.Duration(m.Clients.From), 0)}
}

// Before the first fault can come and after the last has ended, clients make calls for so
// long; the first part of it is left to the system to start, and to recover.
const (
	calm   = 10 * time.Second
	settle = 5 * time.Second
)

// recovered compares the calls that were answered before the faults with those after
// them. A system that kept its promise to recover is nominal, unless its rate says that it
// answers less than half of what it did.
func recovered(m run.Measures) verdict.Recovery {
	var out verdict.Recovery
	kept := len(m.Recoveries) > 0
	for _, r := range m.Recoveries {
		kept = kept && r.Kept
	}
	var before, after bool
	out.Before, before = rate(m.Load, time.Duration(m.Clients.From)+settle, time.Duration(m.Safety.From))
	out.After, after = rate(m.Load, time.Duration(m.Safety.To)+settle, time.Duration(m.Clients.To))
	switch {
	case !kept && len(m.Recoveries) > 0, before && after && out.After < out.Before/2:
		out.State = verdict.Degraded
	case kept && before && after:
		out.State = verdict.Nominal
	}
	return out
}

// rate is how many calls a second were answered in the whole windows of a time; ok is
// false if it holds fewer than two.
func rate(load []run.Ops, from, to time.Duration) (perSecond float64, ok bool) {
	first := int((from + run.LoadWindow - 1) / run.LoadWindow)
	last := min(int(to/run.LoadWindow), len(load))
	if last-first < 2 {
		return 0, false
	}
	n := 0
	for _, w := range load[first:last] {
		n += w.OK
	}
	return float64(n) / (float64(last-first) * run.LoadWindow.Seconds()), true
}

// grouping is what the run's check of fairness judged by.
func grouping(r run.Result) (g verdict.Grouping) {
	for _, c := range r.Measures.Checks {
		if c.Covered.Groups > 0 && c.Covered.Percentile != "" {
			g = verdict.Grouping{Percentile: c.Covered.Percentile, Scope: verdict.PerGroup, Groups: c.Covered.Groups}
		}
	}
	return g
}

// baseline is what the run's checks compared with. One of the same run is fair: it has the
// same clients, parameters and faults' seed. Of another's load nothing is known here.
func baseline(r run.Result) (b verdict.Baseline) {
	for _, c := range r.Measures.Checks {
		switch c.Covered.Baseline {
		case outcome.BaselineSameRun:
			b = verdict.Baseline{State: verdict.BaselineFair, Why: fmt.Sprintf("%s compares with %s", c.Name, c.Covered.Baseline)}
		case outcome.BaselineOther:
			return verdict.Baseline{State: verdict.BaselineUntold, Why: fmt.Sprintf("%s compares with %s", c.Name, c.Covered.Baseline)}
		}
	}
	return b
}

// nodes is how many machines the system had: what is known of how they stood to one
// another.
func nodes(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}
