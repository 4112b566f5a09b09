package disk

import (
	"fmt"
	"time"
)

// Mode says what a crash may leave.
type Mode uint8

const (
	// Ext4 is what ext4 promises with its default options: the journal becomes
	// durable in order; syncing a file makes durable every operation up to the
	// last that touched it, its creation among them; a file that grew by writes
	// shows no byte that was not written; renaming over a file flushes the data
	// of the one renamed.
	Ext4 Mode = iota
	// Strict is what POSIX promises: an entry needs its directory synced;
	// operations that do not depend on each other survive each for itself, a
	// rename as a whole; a file may have its new size without its data.
	Strict
)

func (m Mode) String() string {
	switch m {
	case Ext4:
		return "ext4"
	case Strict:
		return "strict"
	}
	return fmt.Sprintf("mode(%d)", uint8(m))
}

// Range is a range of latencies, uniform between both ends. The least is the
// neutral choice.
type Range struct{ Least, Most time.Duration }

// Config describes a disk. The zero value is a working ext4 without a limit.
type Config struct {
	Mode Mode
	// Size bounds the bytes that files take up, in whole pages; 0 is no bound.
	Size int64
	// Sector is what the device writes whole: a dirty page may survive in part,
	// torn between sectors. 0 stands for 512; 4096 tears no page.
	Sector int
	// Latency by operation. Reads and writes are of the page cache: 0 by default.
	Read, Write Range
	// Sync is the latency of a sync; the zero value stands for 200 µs to 2 ms.
	Sync Range
}

const (
	defaultSector    = 512
	defaultSyncLeast = 200 * time.Microsecond
	defaultSyncMost  = 2 * time.Millisecond
)

// Validate reports what is wrong with a configuration.
func (c Config) Validate() error {
	if c.Mode > Strict {
		return fmt.Errorf("disk config: mode %d: want disk.Ext4 or disk.Strict", c.Mode)
	}
	if c.Size < 0 {
		return fmt.Errorf("disk config: size %d: want 0 (no bound) or more", c.Size)
	}
	if s := c.sector(); s < 512 || PageSize%s != 0 {
		return fmt.Errorf("disk config: sector %d: want 512, 1024, 2048 or 4096", s)
	}
	for _, r := range []struct {
		name string
		Range
	}{{"read", c.Read}, {"write", c.Write}, {"sync", c.Sync}} {
		if r.Least < 0 || r.Most < r.Least {
			return fmt.Errorf("disk config: %s latency %v to %v: want 0 <= least <= most", r.name, r.Least, r.Most)
		}
	}
	return nil
}

func (c Config) sector() int {
	if c.Sector == 0 {
		return defaultSector
	}
	return c.Sector
}

func (c Config) sync() Range {
	if c.Sync == (Range{}) {
		return Range{defaultSyncLeast, defaultSyncMost}
	}
	return c.Sync
}
