package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
	"pgregory.net/rapid"
)

// Whatever the order in which levels are raised and taken away, the strongest that
// is left is set.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := levels[string, int]{}
		set := 0
		type raised struct {
			level int
			undo  func()
		}
		var on []raised
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if len(on) > 0 && rapid.Bool().Draw(t, "undo") {
				i := rapid.IntRange(0, len(on)-1).Draw(t, "which")
				on[i].undo()
				on = slices.Delete(on, i, i+1)
			} else {
				level := rapid.IntRange(0, 5).Draw(t, "level")
				on = append(on, raised{level, l.raise("x", level, func(v int) { set = v })})
			}
			want := 0
			for _, r := range on {
				want = max(want, r.level)
			}
			if set != want {
				t.Fatalf("%d is set, want %d", set, want)
			}
		}
	})
}

// Faults of one disk that overlap leave nothing behind, and do not end each other.
func TestOverlappingDiskFaults(t *testing.T) {
	w := newWorld(nil, run.Request{}, choice.New(0), nil)
	n := w.addNode("n1")
	n.program = &Program{name: "p"}
	on := func(text string) effect {
		f, err := ParseFault(text)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Action.inject(w)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	a, b, c := on("at 0s slow-disk n1 by 50ms"), on("at 0s slow-disk n1 by 20ms"), on("at 0s lie-sync n1")
	for _, step := range []struct {
		undo func()
		want disk.Faults
	}{
		{func() {}, disk.Faults{Slow: disk.Range{Least: 50 * time.Millisecond, Most: 50 * time.Millisecond}, SyncLie: 1}},
		{a.undo, disk.Faults{Slow: disk.Range{Least: 20 * time.Millisecond, Most: 20 * time.Millisecond}, SyncLie: 1}},
		{c.undo, disk.Faults{Slow: disk.Range{Least: 20 * time.Millisecond, Most: 20 * time.Millisecond}}},
		{b.undo, disk.Faults{}},
	} {
		step.undo()
		if got := n.host.Disk.Faults(); got != step.want {
			t.Fatalf("the disk has %+v, want %+v", got, step.want)
		}
	}
}

// Families that take two nodes draw nothing for one; all that is drawn reads back.
func TestOneNode(t *testing.T) {
	all := Swarm(Crashes(), Kills(), Partitions(), Cuts(), Losses(), Delays(), SlowDisks(), Skews())
	n := 0
	for seed := range uint64(50) {
		for _, f := range plan(choice.New(seed), all, Cluster{Nodes: []string{"n1"}, Safety: time.Second}) {
			n++
			if _, err := ParseFault(f.String()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n == 0 {
		t.Fatal("nothing was drawn")
	}
}

func TestUnknownParameter(t *testing.T) {
	c := config{params: []param{{"bug", []string{"none", "x"}}}}
	for _, set := range []map[string]string{{"bgu": "x"}, {"bug": "y"}} {
		if got, err := c.values(set); err == nil {
			t.Errorf("%v was taken as %v", set, got)
		}
	}
	if got, err := c.values(map[string]string{"bug": "x"}); err != nil || got["bug"] != "x" {
		t.Errorf("got %v, %v", got, err)
	}
}
