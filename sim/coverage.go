package sim

import (
	"bytes"
	"fmt"
	"io"
	"runtime/coverage"
	"testing"
)

// startCoverage makes the counters of this binary ready, if it has any.
func startCoverage() error {
	if testing.CoverMode() == "" {
		return nil
	}
	if err := coverage.WriteMeta(io.Discard); err != nil {
		return fmt.Errorf("coverage: %w", err)
	}
	return nil
}

// writeCoverage writes what this run's counters have come to, if there are any.
func writeCoverage() {
	if testing.CoverMode() == "" {
		return
	}
	var b bytes.Buffer
	if err := coverage.WriteCounters(&b); err != nil {
		fatalf("coverage: %v", err)
	}
	frame('V', 0, b.Bytes())
}
