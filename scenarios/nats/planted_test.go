package nats

import (
	"testing"

	"github.com/orrery-sim/orrery/scenarios/internal/planted"
)

// Servers that sync every two minutes, as they do by default, lose acknowledged
// messages when two lose their power.
func TestFindsLostMessages(t *testing.T) {
	planted.Find(t, planted.Case{Scenario: "TestStream", Params: map[string]string{"sync": "interval"}, Seeds: "1-60"})
}
