package primarybackup

import "github.com/orrery-sim/orrery/scenarios/textbook/internal/wire"

// A Client asks the servers in turn until one is the primary.
type Client struct {
	Servers wire.List
	turn    int
}

// Do does an operation, once at most.
func (c *Client) Do(op Op) (r Result, err error) {
	for range c.Servers {
		r, err = wire.Call[Result](c.Servers[c.turn], "/do", op, 3*callTimeout)
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
