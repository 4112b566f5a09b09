// Package kv is how clients ask the replicated key-value services.
package kv

import (
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// An Op is what a client asks for: "get", "put" or "cas", which puts Value if Old
// is there.
type Op struct {
	Type, Key  string
	Old, Value string
}

// A Result is the value before, and whether the operation changed it.
type Result struct {
	Value string
	Done  bool
}

// A Client asks the servers in turn until one does not refuse.
type Client struct {
	Servers wire.List
	turn    int
}

// timeout is for one server's answer.
const timeout = 900 * time.Millisecond

// Do does an operation, once at most.
func (c *Client) Do(op Op) (r Result, err error) {
	for range c.Servers {
		r, err = wire.Call[Result](c.Servers[c.turn], "/do", op, timeout)
		if err == nil {
			return r, nil
		}
		c.turn = (c.turn + 1) % len(c.Servers)
		if !wire.Refused(err) {
			return r, err
		}
	}
	return r, err
}
