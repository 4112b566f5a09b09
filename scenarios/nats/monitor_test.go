package nats

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/orrery-sim/orrery/sim"
)

// monitor asks each server what its own copy of the stream holds. Any other answer
// may come from a copy that lags: an INFO of the stream from a server that knows of
// no leader, and a direct get from whichever server has a copy.
type monitor struct {
	nodes  []*sim.Node
	client http.Client
}

// whole returns the stream's last sequence if every copy has all messages up to
// it, and it is not before reach.
func (m *monitor) whole(reach uint64) (last uint64, err error) {
	var held []uint64
	last = reach
	for _, n := range m.nodes {
		s, err := m.copyAt(n)
		if err != nil {
			return 0, fmt.Errorf("the copy at %s: %w", n.Name(), err)
		}
		held = append(held, s.Msgs)
		last = max(last, s.LastSeq)
	}
	for i, n := range m.nodes {
		if held[i] != last {
			return 0, fmt.Errorf("%s holds %d of %d messages", n.Name(), held[i], last)
		}
	}
	return last, nil
}

// copyAt returns the state of a server's copy.
func (m *monitor) copyAt(n *sim.Node) (s jetstream.StreamState, err error) {
	ctx, cancel := timeout()
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.Addr()+":8222/jsz?streams=true", nil)
	if err != nil {
		return s, err
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	var told struct {
		Accounts []struct {
			Streams []struct {
				State jetstream.StreamState `json:"state"`
			} `json:"stream_detail"`
		} `json:"account_details"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&told); err != nil {
		return s, err
	}
	for _, a := range told.Accounts {
		for _, stream := range a.Streams {
			return stream.State, nil // there is one
		}
	}
	return s, errors.New("there is none")
}
