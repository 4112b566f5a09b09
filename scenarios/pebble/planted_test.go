package pebble

import (
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/planted"
)

// Transactions that are acknowledged before they are synced, and ones that are in
// no log at all.
func TestFindsLostWrites(t *testing.T) {
	for _, sync := range []string{"off", "no-wal"} {
		planted.Find(t, planted.Case{Scenario: "TestPebble", Params: map[string]string{"sync": sync}, Seeds: "1-30"})
	}
}
