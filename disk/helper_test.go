package disk

import (
	"syscall"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
)

func ok(t testing.TB, errno syscall.Errno) {
	t.Helper()
	if errno != 0 {
		t.Fatalf("%v, want success", errno)
	}
}

// fill returns n bytes of c.
func fill(c byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = c
	}
	return b
}

// put makes a file of the root directory and writes to it.
func put(t testing.TB, d *Disk, name string, data []byte) Ino {
	t.Helper()
	ok(t, d.WriteFile("/"+name, data, 0o644, 1))
	return at(t, d, name)
}

func at(t testing.TB, d *Disk, name string) Ino {
	t.Helper()
	ino, errno := d.Lookup(Root, name, Follow)
	ok(t, errno)
	return ino
}

func text(t testing.TB, d *Disk, name string) string {
	t.Helper()
	b, errno := d.ReadFile("/" + name)
	ok(t, errno)
	return string(b)
}

func missing(d *Disk, name string) bool {
	_, errno := d.Lookup(Root, name, NoFollow)
	return errno == syscall.ENOENT
}

// withSeeds runs f on a disk of each of n seeds.
func withSeeds(n int, cfg Config, f func(seed uint64, d *Disk)) {
	for seed := range uint64(n) {
		f(seed, New(cfg, choice.New(seed), "n1"))
	}
}

func modes(t *testing.T, f func(t *testing.T, cfg Config)) {
	for _, m := range []Mode{Ext4, Strict} {
		t.Run(m.String(), func(t *testing.T) { f(t, Config{Mode: m}) })
	}
}
