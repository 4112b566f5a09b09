package journal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func open(t *testing.T, path string) (*Journal, []int) {
	t.Helper()
	var got []int
	j, err := Open(path, func(n int) { got = append(got, n) })
	if err != nil {
		t.Fatal(err)
	}
	return j, got
}

// What a loss of power left of the last write is cut off, wherever it was cut, and
// the journal grows on from there.
func TestTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := open(t, path)
	for n := range 3 {
		if err := j.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := len(whole) * 2 / 3
	for size := last; size < len(whole); size++ {
		for _, tail := range []string{"", "\x00\x00", "\x00\x00\n", "00000000 7\n"} {
			if err := os.WriteFile(path, append(slices.Clone(whole[:size]), tail...), 0o600); err != nil {
				t.Fatal(err)
			}
			j, got := open(t, path)
			if !slices.Equal(got, []int{0, 1}) {
				t.Fatalf("%d bytes and %q: replayed %v, want [0 1]", size, tail, got)
			}
			if err := j.Append(9); err != nil {
				t.Fatal(err)
			}
			if _, got := open(t, path); !slices.Equal(got, []int{0, 1, 9}) {
				t.Fatalf("%d bytes and %q: then replayed %v, want [0 1 9]", size, tail, got)
			}
		}
	}
}

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "value")
	got := 1
	if err := Load(path, &got); err != nil || got != 1 {
		t.Fatalf("of no file: %d, %v, want 1 as it was", got, err)
	}
	for n := range 3 {
		if err := Replace(path, n); err != nil {
			t.Fatal(err)
		}
		if err := Load(path, &got); err != nil || got != n {
			t.Fatalf("replaced by %d: %d, %v", n, got, err)
		}
	}
}
