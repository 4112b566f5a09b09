package queue

import (
	"fmt"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	sendTries  = 4 // before a message is given up
	retryAfter = 150 * time.Millisecond
)

// A Producer sends messages.
type Producer struct {
	Broker wire.Addr
	Name   string // its own
	Bug    string
	sent   int
}

// Send has a piece of work done once. After an error it may be done, or not.
func (p *Producer) Send(body string) (err error) {
	m := Message{ID: p.id(), Body: body}
	for range sendTries {
		if _, err = wire.Call[Message](p.Broker, "/send", m, callTimeout); err == nil {
			return nil
		}
		if p.Bug == bugRetryNewID {
			m.ID = p.id()
		}
		time.Sleep(retryAfter)
	}
	return err
}

func (p *Producer) id() string {
	p.sent++
	return fmt.Sprintf("%s-%d", p.Name, p.sent)
}
