package disk

import (
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// lostBySync counts how often a file that was synced under a fault is not intact
// after a crash.
func lostBySync(t *testing.T, faults Faults, sync func(d *Disk, ino Ino)) (lost int, d *Disk) {
	withSeeds(40, Config{}, func(_ uint64, each *Disk) {
		d = each
		ino := put(t, d, "a", fill('a', 5000))
		ok(t, d.SyncAll())
		d.WriteAt(ino, fill('b', 5000), 0, 2)
		d.SetFaults(faults)
		sync(d, ino)
		d.SetFaults(Faults{})
		d.Crash()
		if text(t, d, "a") != string(fill('b', 5000)) {
			lost++
		}
	})
	return lost, d
}

func TestLyingSyncLoses(t *testing.T) {
	sync := func(d *Disk, ino Ino) { ok(t, d.Fsync(ino)) }
	if lost, _ := lostBySync(t, Faults{}, sync); lost != 0 {
		t.Errorf("an honest sync lost data %d times", lost)
	}
	lost, d := lostBySync(t, Faults{SyncLie: 1}, sync)
	if lost == 0 {
		t.Error("a lying sync never lost data")
	}
	if l := d.Landed(FaultSyncLie); l.Calls != 1 || l.Size != 2*PageSize {
		t.Errorf("landed %+v, want 1 call of 2 pages", l)
	}
}

func TestSyncErrorHasPagesCountAsClean(t *testing.T) {
	lost, _ := lostBySync(t, Faults{SyncError: 1}, func(d *Disk, ino Ino) {
		if errno := d.Fsync(ino); errno != syscall.EIO {
			t.Fatalf("a failing sync answers %v, want EIO", errno)
		}
		d.SetFaults(Faults{})
		ok(t, d.Fsync(ino)) // the second one has nothing to do
		if b, _ := d.ReadFile("/a"); string(b) != string(fill('b', 5000)) {
			t.Fatal("the page cache lost what was written")
		}
	})
	if lost != 40 {
		t.Errorf("a failed sync and one that succeeds lost data %d times of 40, want always", lost)
	}
	kept, _ := lostBySync(t, Faults{SyncError: 1}, func(d *Disk, ino Ino) {
		d.Fsync(ino)
		d.SetFaults(Faults{})
		d.WriteAt(ino, fill('b', 5000), 0, 3)
		ok(t, d.Fsync(ino))
	})
	if kept != 0 {
		t.Errorf("what was written and synced again was lost %d times", kept)
	}
}

func TestErrorsOfReadsAndWrites(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	ino := put(t, d, "a", fill('a', 100))
	d.SetFaults(Faults{ReadError: 1, WriteError: 1})
	if _, errno := d.ReadAt(ino, make([]byte, 10), 0); errno != syscall.EIO {
		t.Errorf("read: %v, want EIO", errno)
	}
	if _, errno := d.WriteAt(ino, make([]byte, 10), 0, 1); errno != syscall.EIO {
		t.Errorf("write: %v, want EIO", errno)
	}
	d.SetFaults(Faults{})
	if text(t, d, "a") != string(fill('a', 100)) {
		t.Error("a write that failed changed the file")
	}
	if d.Landed(FaultReadError).Calls != 1 || d.Landed(FaultWriteError).Calls != 1 {
		t.Error("the faults were not counted")
	}
}

func TestFullDiskTakesWhatFits(t *testing.T) {
	d := New(Config{Size: 4 * PageSize}, choice.New(1), "n1")
	ino := put(t, d, "a", nil)
	if n, errno := d.WriteAt(ino, fill('a', 6*PageSize), 100, 1); n != 4*PageSize-100 || errno != 0 {
		t.Errorf("a write that fits in part took %d, %v, want %d", n, errno, 4*PageSize-100)
	}
	if _, errno := d.WriteAt(ino, fill('a', 1), 4*PageSize, 1); errno != syscall.ENOSPC {
		t.Errorf("a write to a full disk: %v, want ENOSPC", errno)
	}
	if _, errno := d.WriteAt(ino, fill('b', 1), 5, 1); errno != 0 {
		t.Errorf("a write over what there is, on a full disk: %v, want success", errno)
	}
	if errno := d.Allocate(ino, AllocateKeep, 0, 5*PageSize, 1); errno != syscall.ENOSPC {
		t.Errorf("allocating beyond the disk: %v, want ENOSPC", errno)
	}
	if d.Landed(FaultFull).Calls != 2 {
		t.Errorf("full counted %d times, want 2", d.Landed(FaultFull).Calls)
	}
	ok(t, d.Unlink(Root, "a", 1))
	if u := d.Usage(); u.Used != 0 {
		t.Errorf("an unlinked file takes %d pages, want 0", u.Used)
	}
}

func TestSlowAddsToTheLatencyOnly(t *testing.T) {
	draw := func(f Faults) (out [20]time.Duration) {
		d := New(Config{}, choice.New(1), "n1")
		d.SetFaults(f)
		for i := range out {
			out[i] = d.Delay(OpSync)
		}
		return out
	}
	plain, slow := draw(Faults{}), draw(Faults{Slow: Range{time.Second, time.Second}})
	for i := range plain {
		if plain[i] < 200*time.Microsecond || plain[i] > 2*time.Millisecond {
			t.Errorf("a sync takes %v, want 200µs to 2ms", plain[i])
		}
		if slow[i] != plain[i]+time.Second {
			t.Errorf("a slow sync takes %v, want a second more than %v", slow[i], plain[i])
		}
	}
}

func TestWritesAllocateNothingInSteadyState(t *testing.T) {
	d := New(Config{}, choice.New(1), "n1")
	ino := put(t, d, "a", fill('a', 64*PageSize))
	b := fill('b', 8000)
	ok(t, d.Fsync(ino))
	if n := testing.AllocsPerRun(100, func() {
		d.WriteAt(ino, b, 5000, 1)
		d.ReadAt(ino, b, 100)
		d.Fsync(ino)
	}); n != 0 {
		t.Errorf("a write, a read and a sync allocate %v times, want 0", n)
	}
}
