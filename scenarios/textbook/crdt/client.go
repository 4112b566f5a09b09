package crdt

import (
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const callTimeout = 400 * time.Millisecond

// A Client uses one replica.
type Client struct {
	Replica wire.Addr
	Bug     string
}

// Add adds an amount. After an error that is no refusal it may have been added, so
// that to try again might add it twice.
func (c Client) Add(amount int) error {
	_, err := wire.Call[struct{}](c.Replica, "/add", amount, callTimeout)
	for try := 0; c.Bug == bugAddRetried && err != nil && try < 3; try++ {
		time.Sleep(callTimeout / 2)
		_, err = wire.Call[struct{}](c.Replica, "/add", amount, callTimeout)
	}
	return err
}

// Read reads the counter.
func (c Client) Read() (Counter, error) {
	return wire.Call[Counter](c.Replica, "/read", struct{}{}, callTimeout)
}
