package disk

import (
	"slices"
	"testing"

	"github.com/orrery-sim/orrery/sim/choice"
)

func TestCrashKeepsWhatWasSynced(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		withSeeds(50, cfg, func(seed uint64, d *Disk) {
			ino := put(t, d, "a", fill('a', 10000))
			ok(t, d.Fsync(ino))
			ok(t, d.Fsync(Root))
			put(t, d, "b", fill('b', 10000))
			d.Crash()
			if got := text(t, d, "a"); got != string(fill('a', 10000)) {
				t.Fatalf("seed %d: what was synced is not intact: %d bytes", seed, len(got))
			}
		})
	})
}

func TestSyncOfNewFileKeepsItsNameInExt4Only(t *testing.T) {
	lost := func(mode Mode) (n int) {
		withSeeds(50, Config{Mode: mode}, func(_ uint64, d *Disk) {
			ok(t, d.Fsync(put(t, d, "a", fill('a', 100))))
			d.Crash()
			if missing(d, "a") {
				n++
			}
		})
		return n
	}
	if n := lost(Ext4); n != 0 {
		t.Errorf("ext4 lost a synced file's name %d times of 50, want never", n)
	}
	if n := lost(Strict); n == 0 || n == 50 {
		t.Errorf("strict lost a synced file's name %d times of 50, want some", n)
	}
}

func TestNeutralCrashLosesEverythingUnsynced(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		src := choice.New(7, choice.Override{Stream: "disk/n1", Index: 0, Value: 0})
		d := New(cfg, src, "n1")
		ino := put(t, d, "a", fill('a', 5000))
		ok(t, d.SyncAll())
		before := d.Digest()
		if _, errno := d.WriteAt(ino, fill('b', 9000), 0, 2); errno != 0 {
			t.Fatal(errno)
		}
		put(t, d, "b", fill('b', 5000))
		ok(t, d.Rename(Place{Dir: Root, Name: "b"}, Place{Dir: Root, Name: "c"}, RenameReplace, 2))
		r := d.Crash()
		if d.Digest() != before {
			t.Errorf("the neutral crash left something that was not synced: %+v", r)
		}
		if r.PagesLost != 3 || r.PagesKept != 0 || r.PagesTorn != 0 || r.OpsLost != 2 {
			t.Errorf("report %+v, want 3 pages and 2 operations lost", r)
		}
	})
}

func TestCrashTearsPagesBetweenSectors(t *testing.T) {
	var whole, none, torn int
	withSeeds(200, Config{}, func(seed uint64, d *Disk) {
		ino := put(t, d, "a", fill('a', PageSize))
		ok(t, d.Fsync(ino))
		d.WriteAt(ino, fill('b', PageSize), 0, 2)
		r := d.Crash()
		b := text(t, d, "a")
		news := 0
		for s := 0; s < PageSize; s += 512 {
			sector := b[s : s+512]
			if sector == string(fill('b', 512)) {
				news++
			} else if sector != string(fill('a', 512)) {
				t.Fatalf("seed %d: a sector is neither old nor new", seed)
			}
		}
		switch {
		case news == 8 && r.PagesKept == 1:
			whole++
		case news == 0 && r.PagesLost == 1:
			none++
		case r.PagesTorn == 1:
			torn++
		default:
			t.Fatalf("seed %d: %d sectors are new, but the report is %+v", seed, news, r)
		}
	})
	if whole == 0 || none == 0 || torn == 0 {
		t.Errorf("of 200 pages %d were new, %d old, %d torn, want some of each", whole, none, torn)
	}
}

func TestSectorsOfAPageTearNothing(t *testing.T) {
	withSeeds(100, Config{Sector: PageSize}, func(_ uint64, d *Disk) {
		ino := put(t, d, "a", fill('a', PageSize))
		ok(t, d.Fsync(ino))
		d.WriteAt(ino, fill('b', PageSize), 0, 2)
		if r := d.Crash(); r.PagesTorn != 0 {
			t.Fatalf("%+v, want no page torn", r)
		}
	})
}

// A file that grew shows no byte that was not written, in ext4; in strict mode it
// may have its size without its data.
func TestSizeWithoutData(t *testing.T) {
	grown := func(mode Mode) (hole bool) {
		withSeeds(200, Config{Mode: mode}, func(_ uint64, d *Disk) {
			ino := put(t, d, "a", nil)
			ok(t, d.SyncAll())
			d.WriteAt(ino, fill('b', 3*PageSize), 0, 2)
			d.Crash()
			hole = hole || slices.Contains([]byte(text(t, d, "a")), 0)
		})
		return hole
	}
	if grown(Ext4) {
		t.Error("ext4 showed bytes that were never written")
	}
	if !grown(Strict) {
		t.Error("strict never showed a size without its data")
	}
}

func TestRenameOverFileFlushesItsDataInExt4Only(t *testing.T) {
	broken := func(mode Mode) (n int) {
		withSeeds(200, Config{Mode: mode}, func(_ uint64, d *Disk) {
			put(t, d, "conf", fill('a', 6000))
			ok(t, d.SyncAll())
			put(t, d, "conf.tmp", fill('b', 6000))
			ok(t, d.Rename(Place{Dir: Root, Name: "conf.tmp"}, Place{Dir: Root, Name: "conf"}, RenameReplace, 2))
			d.Crash()
			if got := text(t, d, "conf"); got != string(fill('a', 6000)) && got != string(fill('b', 6000)) {
				n++
			}
		})
		return n
	}
	if n := broken(Ext4); n != 0 {
		t.Errorf("ext4 left a mixed file after a rename over it %d times, want never", n)
	}
	if broken(Strict) == 0 {
		t.Error("strict never renamed a file without its data")
	}
}

func TestJournalIsAPrefixInExt4Only(t *testing.T) {
	gaps := func(mode Mode) (n int) {
		withSeeds(100, Config{Mode: mode}, func(_ uint64, d *Disk) {
			for _, name := range []string{"a", "b", "c", "d"} {
				d.Create(Root, name, File, 0o644, 1)
			}
			d.Crash()
			gone := false
			for _, name := range []string{"a", "b", "c", "d"} {
				if missing(d, name) {
					gone = true
				} else if gone {
					n++
				}
			}
		})
		return n
	}
	if n := gaps(Ext4); n != 0 {
		t.Errorf("ext4 kept a later file without an earlier one %d times, want never", n)
	}
	if gaps(Strict) == 0 {
		t.Error("strict never kept a later file without an earlier one")
	}
}

func TestTruncationUndoneGivesDataBack(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		kept, undone := 0, 0
		withSeeds(100, cfg, func(seed uint64, d *Disk) {
			ino := put(t, d, "a", fill('a', 9000))
			ok(t, d.SyncAll())
			ok(t, d.Truncate(ino, 100, 2))
			d.Crash()
			switch text(t, d, "a") {
			case string(fill('a', 9000)):
				undone++
			case string(fill('a', 100)):
				kept++
			default:
				t.Fatalf("seed %d: neither the old nor the new content", seed)
			}
		})
		if kept == 0 || undone == 0 {
			t.Errorf("a truncation was kept %d times and undone %d times, want some of each", kept, undone)
		}
	})
}

// What a page holds beyond a size that a crash left is not shown by growing the
// file again.
func TestLostSizeHidesData(t *testing.T) {
	shorter := 0
	withSeeds(100, Config{Mode: Strict}, func(seed uint64, d *Disk) {
		ino := put(t, d, "a", fill('a', 100))
		ok(t, d.SyncAll())
		d.WriteAt(ino, fill('b', 200), 100, 2)
		d.Crash()
		if d.Size(ino) == 100 {
			shorter++
			ok(t, d.Truncate(ino, 300, 3))
			if want := string(fill('a', 100)) + string(make([]byte, 200)); text(t, d, "a") != want {
				t.Fatalf("seed %d: growing a file shows what the crash cut off", seed)
			}
		}
	})
	if shorter == 0 {
		t.Error("the size was never lost")
	}
}

func TestSeedDecidesTheImage(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		run := func(seed uint64) [16]byte {
			d := New(cfg, choice.New(seed), "n1")
			for _, name := range []string{"x", "a", "m", "b"} {
				ino := put(t, d, name, fill('o', 20000))
				d.Fsync(ino)
				d.WriteAt(ino, fill('n', 20000), 1000, 2)
			}
			d.Unlink(Root, "m", 2)
			d.Crash()
			return d.Digest()
		}
		seen := map[[16]byte]bool{}
		for seed := range uint64(30) {
			first := run(seed)
			if run(seed) != first {
				t.Fatalf("seed %d left two images", seed)
			}
			seen[first] = true
		}
		if len(seen) < 10 {
			t.Errorf("30 seeds left %d images, want at least 10", len(seen))
		}
	})
}

func TestUnlinkedOpenFileLivesUntilReleased(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	ino := put(t, d, "a", fill('a', 5000))
	ok(t, d.SyncAll())
	d.Open(ino)
	ok(t, d.Unlink(Root, "a", 2))
	ok(t, d.Fsync(Root))
	b := make([]byte, 5000)
	if n, _ := d.ReadAt(ino, b, 0); n != 5000 {
		t.Fatalf("an open file without a name reads %d bytes, want 5000", n)
	}
	if u := d.Usage(); u.Used != 2 {
		t.Errorf("an open file without a name takes %d pages, want 2", u.Used)
	}
	d.Release(ino)
	if u := d.Usage(); u.Used != 0 {
		t.Errorf("a file that is gone takes %d pages, want 0", u.Used)
	}
	if d.inodes[ino] != nil {
		t.Error("a file that is gone keeps its inode")
	}
}

func TestSharedMappingIsDirtyWithoutACall(t *testing.T) {
	modes(t, func(t *testing.T, cfg Config) {
		lost, kept := 0, 0
		withSeeds(60, cfg, func(seed uint64, d *Disk) {
			ino := put(t, d, "a", fill('a', 3*PageSize))
			ok(t, d.SyncAll())
			region := make([]byte, 16*PageSize)
			ok(t, d.Pin(ino, region))
			d.Share(ino)
			copy(region, fill('b', 10))
			ok(t, d.Fsync(ino))
			copy(region[PageSize:], fill('c', 10))
			d.Unshare(ino)
			d.Crash()
			b := text(t, d, "a")
			if b[:10] != "bbbbbbbbbb" {
				t.Fatalf("seed %d: a synced change by a mapping is lost", seed)
			}
			if b[PageSize] == 'a' {
				lost++
			} else {
				kept++
			}
			if string(region[:3*PageSize]) != b {
				t.Fatalf("seed %d: the region does not read as the file", seed)
			}
		})
		if lost == 0 || kept == 0 {
			t.Errorf("an unsynced change by a mapping was lost %d times and kept %d times, want some of each", lost, kept)
		}
	})
}
