package session

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/oracle/verdict"
)

func ran(config string, seed uint64) Ran {
	return Ran{Cycle: verdict.Cycle{Configuration: config, Seed: seed}}
}

// What a kill cut off is taken away; what was whole stays, and is not run again.
func TestJournalGoesOn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "S1.cycles.jsonl")
	j, err := openJournal(name, "S1", "binary 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Ran{ran("three", 1), ran("three", 2), ran("five", 1)} {
		if err := j.add(r); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(name, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(name, "S1", "binary 1")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		lines := strings.Count(string(whole[:cut]), "\n")
		if want := max(lines-1, 0); len(j.ran) != want {
			t.Fatalf("cut at %d: %d cycles, want %d", cut, len(j.ran), want)
		}
		left := j.left(configuration{name: "three"}, []uint64{1, 2, 3})
		want := []uint64{1, 2, 3}[min(len(j.ran), 2):]
		if !reflect.DeepEqual(left, want) {
			t.Fatalf("cut at %d: seeds %v are left, want %v", cut, left, want)
		}
		if err := j.add(ran("three", 9)); err != nil {
			t.Fatal(err)
		}
		j.Close()
		again, err := openJournal(name, "S1", "binary 1")
		if err != nil || len(again.ran) != max(lines-1, 0)+1 {
			t.Fatalf("cut at %d: read again: %v, %d cycles", cut, err, len(again.ran))
		}
		again.Close()
	}
}

// A journal of another unit or binary, or one that somebody has changed, is refused.
func TestJournalRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"another unit", `{"schema":"orrery.cycles/1","unit":"S2","identity":"b"}` + "\n", "want the head of the cycles of S1"},
		{"another binary", `{"schema":"orrery.cycles/1","unit":"S1","identity":"a"}` + "\n", "its cycles are of a, and what runs now is b"},
		{"no head", "{}\n", ":1: found"},
		{"no JSON", "nonsense\n", ":1: found"},
		{"broken line", `{"schema":"orrery.cycles/1","unit":"S1","identity":"b"}` + "\n{\n", ":2: "},
	} {
		name := filepath.Join(t.TempDir(), "S1.cycles.jsonl")
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := openJournal(name, "S1", "b")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
		if after, _ := os.ReadFile(name); string(after) != c.text {
			t.Errorf("%s: the file was changed to %q", c.name, after)
		}
	}
}
