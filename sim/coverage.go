package sim

import (
	"fmt"
	"runtime/coverage"
	"testing"
)

// coverDir is the folder for coverage: descriptor 7, by a name that is the same in
// every worker, since the heap's layout depends on its length.
const coverDir = "/proc/self/fd/7"

// startCoverage writes what the counters of this binary mean, if it has any.
func startCoverage() error {
	if testing.CoverMode() == "" {
		return nil
	}
	if err := coverage.WriteMetaDir(coverDir); err != nil {
		return fmt.Errorf("coverage: %w", err)
	}
	return nil
}

// writeCoverage writes what this run's counters have come to, if there are any.
func writeCoverage() {
	if testing.CoverMode() == "" {
		return
	}
	if err := coverage.WriteCountersDir(coverDir); err != nil {
		fatalf("coverage: %v", err)
	}
}
