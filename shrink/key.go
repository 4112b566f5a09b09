package shrink

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

	"github.com/orrery-sim/orrery/sim/run"
)

// key names a request: equal ones have equal keys.
type key [sha256.Size]byte

// candidate is a request that may fail, too.
type candidate struct {
	key key
	req run.Request
}

func named(req run.Request) candidate { return candidate{keyOf(req), req} }

func keyOf(req run.Request) (k key) {
	overrides := req.Overrides
	req.Overrides = nil // there may be many thousands
	core, err := json.Marshal(req)
	if err != nil {
		panic(err) // there is nothing in a request that JSON cannot hold
	}
	for _, o := range overrides {
		core = append(core, o.Stream...)
		core = append(core, 0)
		core = binary.LittleEndian.AppendUint64(core, o.Index)
		core = binary.LittleEndian.AppendUint64(core, o.Value)
	}
	return sha256.Sum256(core)
}
