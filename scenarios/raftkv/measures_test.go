package raftkv

import (
	"reflect"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

// What a run measured agrees with what it counted, and is the same again.
func TestMeasures(t *testing.T) {
	w := worker(t, find(t))
	out := once(t, w, run.Request{Seed: 3})
	m := out.Measures
	var load run.Ops
	for _, n := range m.Load {
		load = load.Plus(n)
	}
	if load.Invoked != out.Ops.Invoked || load.OK != out.Ops.OK || load.Failed != out.Ops.Failed || load.Invoked < 50 {
		t.Errorf("the windows hold %+v, the run %+v", load, out.Ops)
	}
	safety := time.Duration(m.Safety.To - m.Safety.From)
	if safety < 20*time.Second || m.Clients != m.Safety || m.Liveness.From != m.Safety.To || m.Liveness.To < m.Liveness.From {
		t.Errorf("phases %+v, %+v, %+v", m.Clients, m.Safety, m.Liveness)
	}
	if windows := time.Duration(len(m.Load)) * run.LoadWindow; windows < 15*time.Second || windows > time.Duration(out.Virtual)+run.LoadWindow {
		t.Errorf("%d windows in a run of %v", len(m.Load), time.Duration(out.Virtual))
	}
	if len(m.Recoveries) != 1 || !m.Recoveries[0].Kept || m.Recoveries[0].Took > m.Recoveries[0].Within {
		t.Errorf("recoveries %+v, want one that was kept", m.Recoveries)
	}
	want := run.Check{Name: "linearizability", Verdict: outcome.OK, Calls: out.Ops.Invoked}
	if len(m.Checks) != 1 || !reflect.DeepEqual(m.Checks[0], want) {
		t.Errorf("checks %+v, want %+v", m.Checks, want)
	}
}

// With calm, clients make calls before the first fault and after the last has ended.
func TestCalm(t *testing.T) {
	w := worker(t, find(t))
	const calm = 4 * time.Second
	out := once(t, w, run.Request{Seed: 3, Calm: int64(calm)})
	again := once(t, w, run.Request{Seed: 3, Calm: int64(calm)})
	if out.Verdict != run.Pass || out.Hash != again.Hash || out.Hash == once(t, w, run.Request{Seed: 3}).Hash {
		t.Fatalf("%s: %s, hashes %s and %s", out.Verdict, out.Reason, out.Hash, again.Hash)
	}
	m := out.Measures
	if got := time.Duration(m.Safety.To - m.Safety.From); got != 20*time.Second {
		t.Errorf("the safety phase took %v, want 20s", got)
	}
	if before, after := time.Duration(m.Safety.From-m.Clients.From), time.Duration(m.Clients.To-m.Safety.To); before != calm || after < calm || after > calm+2*time.Second {
		t.Errorf("calls for %v before and %v after, want %v", before, after, calm)
	}
	for _, f := range out.Faults {
		if f.At > 0 && (f.At < m.Safety.From || f.At > m.Safety.To) {
			t.Errorf("%s was injected at %v, the safety phase is %+v", f.Text, time.Duration(f.At), m.Safety)
		}
	}
	calls := 0
	for _, n := range m.Load[int(time.Duration(m.Safety.To)/run.LoadWindow)+1:] {
		calls += n.OK
	}
	if calls == 0 {
		t.Errorf("%d calls were answered after the faults", calls)
	}
}
