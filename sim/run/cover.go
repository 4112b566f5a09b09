package run

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// coverFiles numbers the files of counters that this process writes.
var coverFiles atomic.Uint64

// keepCounters writes a run's counters of coverage where package testing looks for
// them, and the go command's covdata tool: a file a run, named after the hash of what
// is counted, which the counters begin with.
func (b *Binary) keepCounters(counters []byte) error {
	const hashStart, hashEnd = 8, 24 // after a magic number and a version
	if b.CoverDir == "" || len(counters) == 0 {
		return nil
	}
	if len(counters) < hashEnd {
		return fmt.Errorf("coverage: %d bytes of counters, want at least %d", len(counters), hashEnd)
	}
	name := filepath.Join(b.CoverDir, fmt.Sprintf("covcounters.%x.%d.%d", counters[hashStart:hashEnd], os.Getpid(), coverFiles.Add(1)))
	if err := os.WriteFile(name+".tmp", counters, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}
