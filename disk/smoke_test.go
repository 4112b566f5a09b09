package disk

import (
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
)

func TestSmoke(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	if e := d.WriteFile("/a/b", []byte("hello"), 0o644, 1); e != 0 {
		t.Fatal(e)
	}
	ino, _ := d.Lookup(Root, "/a/b", Follow)
	d.Fsync(ino)
	d.WriteFile("/a/c", []byte("world"), 0o644, 1)
	t.Log(d.Crash())
	b, e := d.ReadFile("/a/b")
	t.Log(string(b), e)
	b, e = d.ReadFile("/a/c")
	t.Log(string(b), e)
}
