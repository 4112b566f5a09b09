package disk

import (
	"syscall"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
)

// pagesOfText shows a file by the first byte of each page.
func pagesOfText(t *testing.T, d *Disk) string {
	b := text(t, d, "a")
	out := ""
	for i := 0; i < len(b); i += PageSize {
		if b[i] == 0 {
			out += "."
		} else {
			out += string(b[i])
		}
	}
	return out
}

func letters(t *testing.T, d *Disk, s string) Ino {
	var all []byte
	for _, c := range []byte(s) {
		all = append(all, fill(c, PageSize)...)
	}
	return put(t, d, "a", all)
}

// What is moved within a file is durable at once, mapped or not, with all that the
// file held before.
func TestShiftIsDurable(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		for _, mapped := range []int{0, 1} {
			withSeeds(20, cfg, func(seed uint64, d *Disk) {
				ino := letters(t, d, "abcdef")
				ok(t, d.Fsync(Root))
				if mapped > 0 {
					ok(t, d.Pin(ino, make([]byte, 16*PageSize)))
					d.Share(ino)
				}
				ok(t, d.Collapse(ino, PageSize, 2*PageSize, 2))
				ok(t, d.Insert(ino, 2*PageSize, PageSize, 2))
				if got := pagesOfText(t, d); got != "ad.ef" {
					t.Fatalf("the file reads %q, want ad.ef", got)
				}
				if got := d.Stat(ino).Blocks; got != 4*8 {
					t.Fatalf("%d blocks, want 32", got)
				}
				d.Crash()
				if got := pagesOfText(t, d); got != "ad.ef" {
					t.Fatalf("seed %d: the file reads %q after a crash, want ad.ef", seed, got)
				}
			})
		}
	})
}

func TestShiftRefuses(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	ino := letters(t, d, "abc")
	for _, c := range []struct {
		do     func(Ino, int64, int64, int64) syscall.Errno
		off, n int64
		want   syscall.Errno
	}{
		{d.Collapse, 1, PageSize, syscall.EINVAL},
		{d.Collapse, 0, 100, syscall.EINVAL},
		{d.Collapse, PageSize, 2 * PageSize, syscall.EINVAL},
		{d.Insert, 3 * PageSize, PageSize, syscall.EINVAL},
		{d.Insert, 0, MaxSize, syscall.EFBIG},
	} {
		if got := c.do(ino, c.off, c.n, 1); got != c.want {
			t.Errorf("%d bytes at %d: %v, want %v", c.n, c.off, got, c.want)
		}
	}
}

func TestDataAndHoles(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	ino := letters(t, d, "abcd")
	ok(t, d.Allocate(ino, AllocatePunch, PageSize, PageSize, 1))
	ok(t, d.Truncate(ino, 1<<20, 1))
	ok(t, d.Allocate(ino, AllocateKeep, 8*PageSize, PageSize, 1)) // space is no data
	for _, c := range []struct{ from, data, hole int64 }{
		{0, 0, PageSize}, {100, 100, PageSize}, {PageSize + 7, 2 * PageSize, PageSize + 7}, {3 * PageSize, 3 * PageSize, 4 * PageSize},
	} {
		data, found := d.NextData(ino, c.from)
		if hole := d.NextHole(ino, c.from); !found || data != c.data || hole != c.hole {
			t.Errorf("from %d: data at %d, hole at %d, want %d and %d", c.from, data, hole, c.data, c.hole)
		}
	}
	if at, found := d.NextData(ino, 4*PageSize); found {
		t.Errorf("data at %d, want none after the last page", at)
	}
}

// What a mapping stored in a hole goes with the end of the file, and with a hole
// that is punched there.
func TestStoresInHolesAreCut(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		for name, cut := range map[string]func(d *Disk, ino Ino) syscall.Errno{
			"truncated": func(d *Disk, ino Ino) syscall.Errno { return d.Truncate(ino, PageSize, 2) },
			"punched":   func(d *Disk, ino Ino) syscall.Errno { return d.Allocate(ino, AllocatePunch, PageSize, 5*PageSize, 2) },
		} {
			withSeeds(1, cfg, func(_ uint64, d *Disk) {
				ino := put(t, d, "a", nil)
				ok(t, d.Truncate(ino, 6*PageSize, 1))
				region := make([]byte, 16*PageSize)
				ok(t, d.Pin(ino, region))
				d.Share(ino)
				region[2*PageSize] = 'x'
				ok(t, cut(d, ino))
				ok(t, d.Truncate(ino, 6*PageSize, 3))
				if got := pagesOfText(t, d); got != "......" || region[2*PageSize] != 0 {
					t.Errorf("%s: the file reads %q, and memory %q, want zeros", name, got, region[2*PageSize])
				}
			})
		}
	})
}
