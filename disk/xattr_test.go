package disk

import (
	"syscall"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
)

func attr(d *Disk, ino Ino, name string) string {
	v, errno := d.Xattr(ino, name)
	if errno != 0 {
		return errno.Error()
	}
	return string(v)
}

// An attribute that was set survives a crash whole or not at all, and for sure once
// its file was synced.
func TestCrashKeepsAttributesWhole(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		kept, lost := 0, 0
		withSeeds(60, cfg, func(seed uint64, d *Disk) {
			ino := put(t, d, "a", nil)
			ok(t, d.SetXattr(ino, "user.synced", []byte("one"), XattrAny, 2))
			ok(t, d.SetXattr(ino, "user.changed", []byte("old"), XattrAny, 2))
			ok(t, d.Fsync(ino))
			ok(t, d.Fsync(Root))
			ok(t, d.SetXattr(ino, "user.changed", []byte("new"), XattrReplace, 3))
			d.Crash()
			if got := attr(d, ino, "user.synced"); got != "one" {
				t.Fatalf("seed %d: an attribute that was synced is %q, want one", seed, got)
			}
			switch got := attr(d, ino, "user.changed"); got {
			case "old":
				lost++
			case "new":
				kept++
			default:
				t.Fatalf("seed %d: an attribute is %q, want old or new", seed, got)
			}
		})
		if kept == 0 || lost == 0 {
			t.Errorf("a change of an attribute was kept %d times and lost %d times, want some of each", kept, lost)
		}
	})
}

func TestCrashStatesOfAttributes(t *testing.T) {
	show := func(d *Disk) string {
		ino := at(t, d, "a")
		return attr(d, ino, "user.x") + " " + attr(d, ino, "user.y")
	}
	for mode, want := range map[Mode][]string{
		Ext4:   {"1 1", "1 2", "2 2"},
		Strict: {"1 1", "1 2", "2 1", "2 2"},
	} {
		d := New(Config{Mode: mode}, choice.New(1), "n1")
		ino := put(t, d, "a", nil)
		set := func(name, value string) { ok(t, d.SetXattr(ino, name, []byte(value), XattrAny, 2)) }
		set("user.x", "1")
		set("user.y", "1")
		d.SyncAll()
		set("user.y", "2")
		set("user.x", "2")
		if got := states(t, d, show); !equal(got, want) {
			t.Errorf("%v: states %q, want %q", mode, got, want)
		}
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestAttributesHaveTheRoomOfExt4(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	ino := put(t, d, "a", nil)
	for _, c := range []struct {
		size   int
		errno  syscall.Errno
		blocks int64
	}{{68, 0, 0}, {69, 0, 8}, {4040, 0, 8}, {4041, syscall.ENOSPC, 8}, {65537, syscall.E2BIG, 8}, {1, 0, 0}} {
		errno := d.SetXattr(ino, "user.a", fill('v', c.size), XattrAny, 2)
		if got := d.Stat(ino).Blocks; errno != c.errno || got != c.blocks {
			t.Errorf("%d bytes: %v and %d blocks, want %v and %d", c.size, errno, got, c.errno, c.blocks)
		}
	}
}

// A file without a name is gone after a crash, unless its first name is durable.
func TestCrashOfAFileWithoutAName(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		withSeeds(30, cfg, func(seed uint64, d *Disk) {
			nameless := d.Unnamed(Root, 0o600, MayLink, 1)
			named := d.Unnamed(Root, 0o600, MayLink, 1)
			for _, ino := range []Ino{nameless, named} {
				if _, errno := d.WriteAt(ino, fill('x', 5000), 0, 1); errno != 0 {
					t.Fatal(errno)
				}
				ok(t, d.Fsync(ino))
			}
			ok(t, d.Link(named, Root, "a", 2))
			ok(t, d.Fsync(Root))
			d.Release(nameless)
			d.Release(named)
			d.Crash()
			if d.inodes[nameless] != nil {
				t.Fatalf("seed %d: a file without a name is kept", seed)
			}
			if got := text(t, d, "a"); got != string(fill('x', 5000)) {
				t.Fatalf("seed %d: a file that was synced and named has %d bytes", seed, len(got))
			}
			if u := d.Usage(); u.Used != 2 {
				t.Fatalf("seed %d: %d pages are used, want 2", seed, u.Used)
			}
		})
	})
	d := New(Config{}, choice.New(1), "n1")
	if errno := d.Link(d.Unnamed(Root, 0o600, NeverLink, 1), Root, "a", 2); errno != syscall.ENOENT {
		t.Errorf("link of a file that may get no name: %v, want ENOENT", errno)
	}
}
