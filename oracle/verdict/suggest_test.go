package verdict

import (
	"fmt"
	"testing"
)

func hit(kind string) Fault { return Fault{Text: kind, Kind: kind, Landing: Proven, Victim: "seen"} }

func TestSuggest(t *testing.T) {
	missed := Fault{Text: "kill", Kind: "kill", Landing: NotProven}
	for _, c := range []struct {
		s    Symptom
		want string
	}{
		{Symptom{"linearizability", []Category{Safety}, []Fault{hit("kill")}, Nominal}, "crash-recovery [safety] P0"},
		{Symptom{"linearizability", []Category{Safety}, []Fault{hit("partition")}, NotMeasured}, "partition [safety] P0"},
		{Symptom{"linearizability", []Category{Safety}, []Fault{hit("partition"), hit("crash")}, NotMeasured}, "crash-recovery [safety] P0"},
		{Symptom{"linearizability", []Category{Safety}, []Fault{hit("KILL"), hit("upgrade")}, NotMeasured}, "upgrade [safety] P0"},
		{Symptom{"linearizability", nil, []Fault{missed}, NotMeasured}, "ordering [safety] P0"},
		{Symptom{"linearizability", nil, []Fault{hit("skew")}, NotMeasured}, "timing [safety] P0"},
		{Symptom{"lease exclusion", []Category{Membership}, []Fault{hit("reconfigure")}, NotMeasured}, "config [leadership] P0"},
		{Symptom{"acked writes", []Category{Durability}, []Fault{hit("chew")}, NotMeasured}, "fault-handling [durability] P0"},
		{Symptom{"clock", []Category{Operational}, []Fault{{Kind: "warp", Clock: true, Landing: Proven, Victim: "x"}}, Nominal}, "timing [] P3"},
		{Symptom{"exactly once", []Category{Idempotency}, nil, NotMeasured}, "ordering [idempotency] P0"},
		{Symptom{"replica agreement", []Category{Safety}, []Fault{hit("lose")}, NotMeasured}, "partition [replication safety] P0"},
		{Symptom{"liveness", []Category{Liveness, Safety}, []Fault{hit("kill")}, NotMeasured}, "crash-recovery [liveness safety] P1"},
		{Symptom{"liveness", []Category{Liveness}, nil, Nominal}, "timing [liveness] P2"},
		{Symptom{"panic", []Category{Safety}, []Fault{hit("kill")}, Degraded}, "crash-recovery [safety] P1"},
		{Symptom{"panic", nil, nil, Nominal}, "fault-handling [] P2"},
		{Symptom{"race", nil, []Fault{hit("kill")}, NotMeasured}, "timing [] P1"},
		{Symptom{"p99 latency", []Category{PerformanceSLO}, []Fault{hit("kill")}, Degraded}, "performance [] P2"},
		{Symptom{"p99 latency", []Category{PerformanceSLO}, nil, Nominal}, "performance [] P3"},
		{Symptom{"shares", []Category{Fairness}, nil, NotMeasured}, "performance [] P2"},
		{Symptom{"tenants", []Category{Boundary}, nil, NotMeasured}, "config [safety] P0"},
		{Symptom{"steps", []Category{Liveness}, nil, NotMeasured}, "fault-handling [liveness] P1"},
		{Symptom{"own", nil, nil, NotMeasured}, "fault-handling [] P3"},
	} {
		p := Suggest(c.s)
		if got := fmt.Sprint(p.Taxonomy, " ", p.Tags, " ", p.Severity); got != c.want {
			t.Errorf("%+v: found %s, want %s", c.s, got, c.want)
		}
		a := Axes{Verdict: FailReproducible, Class: ClassSUT, Reduction: Reduction{120, 5, 77, "every experiment was made"}, Placing: p}
		if err := a.Validate(); err != nil || len(p.Why) != 2 {
			t.Errorf("%v: %v", p, err)
		}
	}
}

func TestReductionText(t *testing.T) {
	if got := (Reduction{120, 5, 77, ""}).String(); got != "120 events to 5 over 77 runs" {
		t.Error(got)
	}
}
