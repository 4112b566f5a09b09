package sqlite

import (
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/planted"
)

// Transactions that are acknowledged before they are synced, or, with a journal
// that is deleted, before the deletion is.
func TestFindsLostWrites(t *testing.T) {
	for _, params := range []map[string]string{
		{"journal": "wal", "sync": "off"},
		{"journal": "wal", "sync": "normal"},
		{"journal": "delete", "sync": "off"},
		{"journal": "delete", "sync": "full"},
	} {
		planted.Find(t, planted.Case{Scenario: "TestSQLite", Params: params, Seeds: "1-30"})
	}
}
