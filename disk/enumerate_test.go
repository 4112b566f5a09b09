package disk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
)

// states returns what text shows of each state that a crash could leave, sorted.
func states(t *testing.T, d *Disk, show func(*Disk) string) []string {
	t.Helper()
	var out []string
	before := d.Digest()
	if !d.CrashStates(10000, func(s *Disk, _ CrashReport) bool {
		out = append(out, show(s))
		return true
	}) {
		t.Fatal("not every state was tried")
	}
	if d.Digest() != before {
		t.Fatal("trying the states changed the disk")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func list(d *Disk) string {
	s := ""
	d.ReadDir(Root, 0, func(e Entry) bool {
		s += e.Name + " "
		return true
	})
	return s
}

// smallHistories are histories of a few operations, and what can be seen after a
// crash at their end.
var smallHistories = []struct {
	name string
	mode Mode
	do   func(d *Disk)
	show func(d *Disk) string
	want []string
}{
	{
		name: "create, write, rename, without a sync",
		do: func(d *Disk) {
			d.WriteFile("/t", []byte("new"), 0o644, 1)
			d.Rename(Place{Dir: Root, Name: "t"}, Place{Dir: Root, Name: "f"}, RenameReplace, 1)
		},
		show: func(d *Disk) string { b, _ := d.ReadFile("/f"); return list(d) + string(b) },
		want: []string{"", "f ", "f new", "t "},
	},
	{
		name: "a rename may come without its data in strict mode",
		mode: Strict,
		do: func(d *Disk) {
			d.WriteFile("/f", []byte("old"), 0o644, 1)
			d.SyncAll()
			d.WriteFile("/t", []byte("new"), 0o644, 1)
			d.Fsync(Root)
			d.Rename(Place{Dir: Root, Name: "t"}, Place{Dir: Root, Name: "f"}, RenameReplace, 1)
		},
		show: func(d *Disk) string { b, _ := d.ReadFile("/f"); return list(d) + string(b) },
		want: []string{"f ", "f \x00\x00\x00", "f new", "f t old"},
	},
	{
		name: "synced file and directory: one state",
		mode: Strict,
		do: func(d *Disk) {
			d.WriteFile("/f", []byte("new"), 0o644, 1)
			ino, _ := d.Lookup(Root, "f", Follow)
			d.Fsync(ino)
			d.Fsync(Root)
		},
		show: func(d *Disk) string { b, _ := d.ReadFile("/f"); return list(d) + string(b) },
		want: []string{"f new"},
	},
	{
		name: "a page of two sectors: old, new, and torn both ways",
		do: func(d *Disk) {
			d.WriteFile("/f", fill('a', PageSize), 0o644, 1)
			d.SyncAll()
			ino, _ := d.Lookup(Root, "f", Follow)
			d.WriteAt(ino, fill('b', PageSize), 0, 1)
		},
		show: func(d *Disk) string {
			b, _ := d.ReadFile("/f")
			return string([]byte{b[0], b[2048]})
		},
		want: []string{"aa", "ab", "ba", "bb"},
	},
	{
		name: "data that was cut off never comes back",
		do: func(d *Disk) {
			d.WriteFile("/f", fill('a', 2*PageSize), 0o644, 1)
			d.SyncAll()
			ino, _ := d.Lookup(Root, "f", Follow)
			d.Truncate(ino, 100, 1)
			d.Truncate(ino, 2*PageSize, 1)
			d.WriteAt(ino, []byte("b"), PageSize, 1)
		},
		show: func(d *Disk) string {
			b, _ := d.ReadFile("/f")
			s := fmt.Sprintf("%d ", len(b))
			for _, i := range []int{50, 150, PageSize, PageSize + 50} {
				if i < len(b) {
					s += string(b[i])
				}
			}
			return strings.ReplaceAll(s, "\x00", "0")
		},
		want: []string{"100 a", "8192 a000", "8192 a0b0", "8192 aaaa"},
	},
	{
		name: "no directory comes to be within itself",
		mode: Strict,
		do: func(d *Disk) {
			c, _ := d.MkdirAll("/a/x/b/c", 0o755, 1)
			d.SyncAll()
			x, _ := d.Lookup(Root, "a/x", Follow)
			d.Rename(Place{Dir: x, Name: "b"}, Place{Dir: Root, Name: "b"}, RenameReplace, 1)
			d.Rename(Place{Dir: Root, Name: "a"}, Place{Dir: c, Name: "a"}, RenameReplace, 1)
		},
		show: list,
		want: []string{"a ", "b ", "b a "},
	},
	{
		name: "what is in a new directory goes with it",
		mode: Strict,
		do: func(d *Disk) {
			dir, _ := d.Mkdir(Root, "d", 0o755, 1)
			d.Create(dir, "f", File, 0o644, 1)
			d.Create(Root, "g", File, 0o644, 1)
		},
		show: func(d *Disk) string {
			s := list(d)
			if dir, errno := d.Lookup(Root, "d", Follow); errno == 0 {
				d.ReadDir(dir, 0, func(e Entry) bool { s += "d/" + e.Name; return true })
			}
			return s
		},
		want: []string{"", "d ", "d d/f", "d g ", "d g d/f", "g "},
	},
}

func TestEveryStateOfASmallHistory(t *testing.T) {
	for _, c := range smallHistories {
		t.Run(c.name, func(t *testing.T) {
			d := New(Config{Mode: c.mode, Sector: 2048}, choice.New(1), "n1")
			c.do(d)
			if got := states(t, d, c.show); !slices.Equal(got, c.want) {
				t.Errorf("states %q, want %q", got, c.want)
			}
		})
	}
}

// Every image that a seed leaves is one of the states.
func TestCrashLeavesAStateThatIsEnumerated(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		cfg.Sector = 2048
		history := func(seed uint64) *Disk {
			d := New(cfg, choice.New(seed), "n1")
			ino := put(t, d, "a", fill('a', 5000))
			ok(t, d.SyncAll())
			d.WriteAt(ino, fill('b', 6000), 0, 2)
			d.Create(Root, "b", File, 0o644, 2)
			d.Unlink(Root, "a", 2)
			return d
		}
		all := map[[16]byte]bool{}
		if !history(0).CrashStates(100000, func(d *Disk, _ CrashReport) bool {
			all[d.Digest()] = true
			return true
		}) {
			t.Fatal("not every state was tried")
		}
		for seed := range uint64(300) {
			d := history(seed)
			if d.Crash(); !all[d.Digest()] {
				t.Fatalf("seed %d left a state that is not among the %d enumerated", seed, len(all))
			}
		}
	})
}
