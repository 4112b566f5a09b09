package kv

import (
	"fmt"
	"net/http"

	"github.com/hashicorp/raft"
)

// An Outcome is what the caller of a request may conclude.
type Outcome int

const (
	// Unknown: the request may have been carried out, or may be yet.
	Unknown Outcome = iota
	// OK: it was carried out, and the answer is true.
	OK
	// Failed: it was not carried out, and never will be.
	Failed
)

func (o Outcome) String() string {
	switch o {
	case Unknown:
		return "unknown"
	case OK:
		return "ok"
	case Failed:
		return "failed"
	}
	return fmt.Sprintf("Outcome(%d)", int(o))
}

// statusOf says what an error of raft means for the request. Before an entry
// is in the leader's log raft answers with one of the first three. Any other
// error leaves the entry with others, or on the local disk, from where it may
// still be committed: lost leadership, a failed write of the log, a shutdown.
func statusOf(err error) int {
	switch err {
	case raft.ErrNotLeader:
		return http.StatusMisdirectedRequest
	case raft.ErrEnqueueTimeout, raft.ErrLeadershipTransferInProgress:
		return http.StatusServiceUnavailable
	}
	return http.StatusGatewayTimeout
}

// outcomeOf reads a status back. One that no node sends tells nothing.
func outcomeOf(status int) Outcome {
	switch status {
	case http.StatusOK, http.StatusNoContent, http.StatusConflict:
		return OK
	case http.StatusMisdirectedRequest, http.StatusServiceUnavailable:
		return Failed
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusNotFound, http.StatusMethodNotAllowed:
		return Failed
	}
	return Unknown
}
