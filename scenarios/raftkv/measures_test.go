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
	if safety < 20*time.Second || m.Liveness.From != m.Safety.To || m.Liveness.To < m.Liveness.From {
		t.Errorf("phases %+v, %+v", m.Safety, m.Liveness)
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
