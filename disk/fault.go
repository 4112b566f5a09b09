package disk

import (
	"time"

	"github.com/orrery-sim/orrery/sim/choice"
)

// FaultKind is a kind of misbehaviour of a disk.
type FaultKind uint8

// The kinds of faults.
const (
	FaultReadError  FaultKind = iota // a read fails with EIO
	FaultWriteError                  // a write fails with EIO
	FaultSyncError                   // a sync fails with EIO, and its pages count as clean since
	FaultSyncLie                     // a sync succeeds and makes nothing durable
	FaultSlow                        // an operation takes longer
	FaultFull                        // a write fails with ENOSPC
	faultKinds
)

var faultNames = [faultKinds]string{"read-error", "write-error", "sync-error", "sync-lie", "slow", "full"}

func (k FaultKind) String() string {
	if k < faultKinds {
		return faultNames[k]
	}
	return "fault?"
}

// Faults is what is wrong with a disk; the zero value is nothing. A kind of fault
// draws from its own stream, "disk/NAME/KIND", and only while it is on.
type Faults struct {
	// Probabilities by call.
	ReadError, WriteError, SyncError, SyncLie float64
	// What every read, write and sync takes longer.
	Slow Range
}

// Landed counts what a kind of fault did.
type Landed struct {
	Calls int64         // that it hit
	Size  int64         // bytes of them; of a sync, that were not durable
	Delay time.Duration // that it added
}

type faults struct {
	on      Faults
	chance  [faultKinds]float64
	streams [faultKinds]*choice.Stream
	landed  [faultKinds]Landed
}

func (f *faults) init(src *choice.Source, name string) {
	for k := range f.streams {
		f.streams[k] = src.Stream("disk/" + name + "/" + FaultKind(k).String())
	}
}

// SetFaults replaces what is wrong with the disk.
func (d *Disk) SetFaults(f Faults) {
	d.faults.on = f
	d.faults.chance = [faultKinds]float64{
		FaultReadError:  f.ReadError,
		FaultWriteError: f.WriteError,
		FaultSyncError:  f.SyncError,
		FaultSyncLie:    f.SyncLie,
	}
}

// Faults returns what is wrong with the disk.
func (d *Disk) Faults() Faults { return d.faults.on }

// SetSize bounds the bytes that files take up from now on; 0 is no bound. Below
// what they take up already, the disk is full.
func (d *Disk) SetSize(size int64) { d.cfg.Size = max(size, 0) }

// Landed returns what a kind of fault did so far.
func (d *Disk) Landed(k FaultKind) Landed { return d.faults.landed[k] }

// fails draws whether a fault hits a call.
func (f *faults) fails(d *Disk, k FaultKind, ino Ino, size int64) bool {
	p := f.chance[k]
	if p == 0 || !f.streams[k].Chance(p) {
		return false
	}
	f.count(d, k, ino, size)
	return true
}

func (f *faults) count(d *Disk, k FaultKind, ino Ino, size int64) {
	f.landed[k].Calls++
	f.landed[k].Size += size
	d.observe(EventFault, ino, int64(k), size)
}

// slow draws how much longer an operation takes.
func (f *faults) slow(Op) time.Duration {
	if f.on.Slow == (Range{}) {
		return 0
	}
	more := f.streams[FaultSlow].Between(f.on.Slow.Least, f.on.Slow.Most)
	f.landed[FaultSlow].Calls++
	f.landed[FaultSlow].Delay += more
	return more
}
