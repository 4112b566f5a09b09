package futures

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// drawn returns the choices of a run by stream, those of one in order. A wake-up that
// finds nobody waiting draws none, so that indices of the schedule have gaps.
func drawn(t *testing.T, s run.Scenario, req run.Request) map[string][]trace.Drawn {
	t.Helper()
	req.Record = run.RecordEvents
	list, err := trace.Choices(one(t, s, req).Events)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]trace.Drawn{}
	for _, d := range list {
		if before := out[d.Stream]; len(before) > 0 && d.Index <= before[len(before)-1].Index {
			t.Fatalf("%s: choice %d comes after choice %d", d.Stream, d.Index, before[len(before)-1].Index)
		}
		out[d.Stream] = append(out[d.Stream], d)
	}
	return out
}

// departures counts the choices of streams of a family that are not 0.
func departures(choices map[string][]trace.Drawn, family string) (n int) {
	for name, list := range choices {
		if strings.HasPrefix(name, family) {
			n += len(slices.DeleteFunc(slices.Clone(list), func(d trace.Drawn) bool { return d.Value == 0 }))
		}
	}
	return n
}

// TestChoices: a run records every choice with its stream's name, and families
// that are neutral draw 0.
func TestChoices(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	as := drawn(t, s, run.Request{Seed: 7})
	for _, family := range []string{"sched/n1/0", "select/", "rand/", "map/", "net/c1>n1", "client/c1/wait", "client/c2/0", "drop/c3"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(as)), func(name string) bool { return strings.HasPrefix(name, family) }) {
			t.Errorf("no choice of %s was recorded", family)
		}
	}
	for _, c := range []struct{ neutral, stays []string }{
		{[]string{"sched"}, []string{"net/", "client/"}},
		{[]string{"net"}, []string{"sched/", "client/"}},
		{[]string{"net/c1>n1", "client/c1"}, []string{"net/n1>c1", "client/c2/", "sched/"}},
	} {
		choices := drawn(t, s, run.Request{Seed: 7, Neutral: c.neutral})
		if n := departures(choices, "select"); (n == 0) != (c.neutral[0] == "sched") {
			t.Errorf("%q neutral: %d cases of selects are not in the order of the source", c.neutral, n)
		}
		for _, family := range c.neutral {
			if before, after := departures(as, family), departures(choices, family); before == 0 || after != 0 {
				t.Errorf("%s: %d choices are not 0, and %d when it is neutral", family, before, after)
			}
		}
		for _, family := range c.stays {
			if departures(choices, family) == 0 {
				t.Errorf("%s: all choices are 0 when %q are neutral", family, c.neutral)
			}
		}
	}
	kept := run.Request{Seed: 7, Neutral: []string{"net"}, Overrides: []choice.Override{{Stream: "net/c1>n1", Index: 3, Value: 5}}}
	if list := drawn(t, s, kept)["net/c1>n1"]; departures(map[string][]trace.Drawn{"net/": list}, "net/") != 1 || list[3].Value != 5 {
		t.Errorf("with one choice overridden in a neutral stream: %v", list)
	}
}

// TestDrops: an operation that is left out takes its choices with it, and leaves
// those of all others as they were; so does a client.
func TestDrops(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	as := drawn(t, s, run.Request{Seed: 7})
	for _, c := range []struct {
		override choice.Override
		gone     string
	}{
		{choice.Override{Stream: "drop/c1", Index: 3, Value: 1}, "client/c1/2"},
		{choice.Override{Stream: "drop/c2", Index: 0, Value: 1}, "client/c2/"},
	} {
		choices := drawn(t, s, run.Request{Seed: 7, Overrides: []choice.Override{c.override}})
		for name, list := range as {
			if !strings.HasPrefix(name, "client/") || strings.HasSuffix(name, "/wait") {
				continue
			}
			switch got, ok := choices[name]; {
			case name == c.gone || strings.HasSuffix(c.gone, "/") && strings.HasPrefix(name, c.gone):
				if ok {
					t.Errorf("%v: %s has choices", c.override, name)
				}
			case ok && got[0].Value != list[0].Value:
				t.Errorf("%v: %s drew %d, want %d", c.override, name, got[0].Value, list[0].Value)
			}
		}
	}
}

// TestShorter: a run may leave out faults, and end its safety phase early.
func TestShorter(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	whole := one(t, s, run.Request{Seed: 7})
	out := one(t, s, run.Request{Seed: 7, Overrides: []choice.Override{{Stream: "drop/fault", Index: 0, Value: 1}}})
	if f := out.Faults; f[0].Landed || f[0].Evidence != "left out" || !f[1].Landed {
		t.Errorf("without its first fault, the run has %+v", f)
	}
	out = one(t, s, run.Request{Seed: 7, Safety: int64(2 * time.Second)})
	if f := out.Faults; !f[0].Landed || f[1].Evidence != "its time did not come" || out.Virtual > whole.Virtual-int64(2*time.Second) {
		t.Errorf("with a safety phase of 2 s, in place of 5 s, the run took %v, the whole one %v; faults %+v", time.Duration(out.Virtual), time.Duration(whole.Virtual), f)
	}
}
