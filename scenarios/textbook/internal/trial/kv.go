package trial

import (
	"fmt"
	"strconv"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"
	"github.com/orrery-sim/orrery/sim"
)

// KV makes calls of a key-value service about few keys, so that clients meet, some of
// them often.
func KV(w *sim.World, c *sim.Client, client *kv.Client, h *oracle.History) {
	last := map[string]string{}
	pause := c.Choices().Between(5*time.Millisecond, 300*time.Millisecond)
	for o := range workload.Ops(w, c, pause) {
		op := kv.Op{Type: "get", Key: "k" + strconv.Itoa(o.Intn(2))}
		input := ""
		switch o.Intn(4) {
		case 0:
			op.Type, op.Value = "put", fmt.Sprintf("%s-%d", c.Name(), o.Index)
			input = op.Value
		case 1:
			op.Type, op.Old, op.Value = "cas", last[op.Key], fmt.Sprintf("%s-%d", c.Name(), o.Index)
			input = oracle.Values(op.Old, op.Value)
		}
		p := h.Invoke(oracle.Call{Process: c.Name(), Type: op.Type, Key: op.Key, Input: input})
		r, err := client.Do(op)
		output := ""
		switch {
		case err != nil:
		case op.Type == "cas":
			output = strconv.FormatBool(r.Done)
		case op.Type == "get":
			output = r.Value
		}
		Complete(p, output, err)
		if err == nil {
			last[op.Key] = r.Value
			if r.Done {
				last[op.Key] = op.Value
			}
		}
	}
}
