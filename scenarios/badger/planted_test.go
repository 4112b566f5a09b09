package badger

import (
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/planted"
)

// Transactions that are acknowledged before they are synced, which is badger's
// default.
func TestFindsLostWrites(t *testing.T) {
	planted.Find(t, planted.Case{Scenario: "TestBadger", Params: map[string]string{"sync": "off"}, Seeds: "1-30"})
}

// The faults that badger has. Once a release has one no more, its parameter can go.
func TestFindsBadgersOwnFaults(t *testing.T) {
	for _, params := range []map[string]string{{"empty-logs": "kept"}, {"gc": "on"}} {
		planted.Find(t, planted.Case{Scenario: "TestBadger", Params: params, Seeds: "1-60"})
	}
}
