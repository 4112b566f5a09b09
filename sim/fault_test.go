package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
	"pgregory.net/rapid"
)

// A plan that the families draw prints, and reads back as what it was.
func TestFaultsReadBack(t *testing.T) {
	all := Swarm(Crashes(), Kills(), Drains(), Pauses(), Partitions(), Cuts(), Losses(), Delays(), SlowDisks(), Skews())
	rapid.Check(t, func(t *rapid.T) {
		nodes := []string{"n1", "n2", "n3", "n4", "n5"}[:rapid.IntRange(2, 5).Draw(t, "nodes")]
		for _, f := range plan(choice.New(rapid.Uint64().Draw(t, "seed")), all, Cluster{Nodes: nodes, Safety: 20 * time.Second}) {
			text := f.String()
			back, err := ParseFault(text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if got := back.String(); got != text {
				t.Fatalf("%q reads back as %q", text, got)
			}
		}
	})
}

// A family that is told how long its faults may last keeps to it, and draws the
// same victims at the same times.
func TestFaultsLast(t *testing.T) {
	c := Cluster{Nodes: []string{"n1", "n2", "n3"}, Safety: 20 * time.Second}
	longest := time.Duration(0)
	for seed := range uint64(50) {
		free, brief := plan(choice.New(seed), Swarm(Crashes()), c), plan(choice.New(seed), Swarm(Crashes().For(300*time.Millisecond)), c)
		if len(free) != len(brief) {
			t.Fatalf("seed %d: %d faults, %d that are told how long they last", seed, len(free), len(brief))
		}
		for i, f := range brief {
			if f.For > 300*time.Millisecond || f.At != free[i].At || f.Action.String() != free[i].Action.String() {
				t.Errorf("seed %d: %s, want %s for 300ms at most", seed, f, free[i])
			}
			longest = max(longest, free[i].For)
		}
	}
	if longest < 4*time.Second || longest > downMost {
		t.Errorf("the longest of all lasts %v, want about %v", longest, downMost)
	}
}

// A family that may have more faults in a seed has them.
func TestFaultsMost(t *testing.T) {
	c := Cluster{Nodes: []string{"n1"}, Safety: 20 * time.Second}
	most := 0
	for seed := range uint64(100) {
		n := len(plan(choice.New(seed), Swarm(Kills().Most(20)), c))
		if n > 20 {
			t.Errorf("seed %d: %d faults, want 20 at most", seed, n)
		}
		most = max(most, n)
	}
	if most < 15 {
		t.Errorf("%d faults in a seed, want about 20", most)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "kill: at most 0 faults: want 1 at least") {
			t.Errorf("Most(0): %s, want a panic that says how many there must be", got)
		}
	}()
	Kills().Most(0)
}

func TestFaultErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               `column 1: found the end, want "at"`,
		"at":                             `column 3: found the end, want a time`,
		"at 1x crash n1":                 `column 4: found "1x", want a time`,
		"at -1s crash n1":                `column 4: found "-1s", want a time that is not negative`,
		"at 1s explode n1":               `column 7: found "explode", want crash, kill`,
		"at 1s crash":                    `column 12: found the end, want nodes`,
		"at 1s crash n1,n1":              `column 13: found "n1,n1", want each node once`,
		"at 1s cut n1":                   `column 11: found "n1", want two nodes`,
		"at 1s partition n1":             `column 17: found "n1", want groups`,
		"at 1s partition n1|n1":          `column 17: found "n1|n1", want each node in one group`,
		"at 1s lose n1 n2 200%":          `column 18: found "200%", want a share`,
		"at 1s delay n1 n2 20ms":         `column 19: found "20ms", want "by"`,
		"at 1s drain n1 for 2s":          `column 16: found "for", want "within"`,
		"at 1s drain n1 within -1s":      `column 23: found "-1s", want a time that is not negative`,
		"at 1s crash n1 for 0s":          `column 20: found "0s", want a time above zero`,
		"at 1s crash n1 for 1s and more": `column 23: found "and", want the end`,
		"at 1s crash n1 until 2s":        `column 16: found "until", want "for" or the end`,
	} {
		if _, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func FuzzParseFault(f *testing.F) {
	for _, s := range []string{"at 1.2s crash n1 for 3s", "at 0s partition a|b,c", "at 1ms lose a b 0.5%", "at 1s skew n1 by -3s", "at 1s drain a,b within 1s", "at 0s pause a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := ParseFault(text)
		if err != nil {
			return
		}
		second, err := ParseFault(first.String())
		if err != nil || second.String() != first.String() {
			t.Fatalf("%q prints as %q, which reads as %q, %v", text, first, second, err)
		}
	})
}

// A family more, or less, changes none of the others' faults.
func TestFamiliesDrawApart(t *testing.T) {
	c := Cluster{Nodes: []string{"n1", "n2", "n3"}, Safety: 20 * time.Second}
	only := func(fs []Fault, kind string) (out []string) {
		for _, f := range fs {
			if f.Action.kind() == kind {
				out = append(out, f.String())
			}
		}
		return out
	}
	drawn := 0
	for seed := range uint64(50) {
		one := plan(choice.New(seed), Swarm(Crashes()), c)
		both := plan(choice.New(seed), Swarm(Partitions(), Crashes(), Losses()), c)
		if a, b := only(one, "crash"), only(both, "crash"); !slices.Equal(a, b) {
			t.Fatalf("seed %d: crashes alone are %q, beside other families %q", seed, a, b)
		}
		drawn += len(one)
	}
	if drawn < 50 {
		t.Fatalf("50 seeds have %d crashes", drawn)
	}
}
