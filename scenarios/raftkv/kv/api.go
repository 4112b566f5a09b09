package kv

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// leaderHeader names the leader's HTTP address in an answer of a node that
// does not lead. It is left out while the leader is not known.
const leaderHeader = "Kv-Leader"

const valueMax = 1 << 20 // bytes

// Status is how a node sees the group.
type Status struct {
	ID      string `json:"id"`
	State   string `json:"state"`  // Follower, Candidate, Leader, Shutdown
	Leader  string `json:"leader"` // ID, or empty while not known
	Term    uint64 `json:"term"`
	Applied uint64 `json:"applied"` // index
	Commit  uint64 `json:"commit"`  // index
}

func (n *node) handle(mux *http.ServeMux) {
	mux.HandleFunc("PUT /kv/{key}", n.servePut)
	mux.HandleFunc("GET /kv/{key}", n.serveGet)
	mux.HandleFunc("POST /cas/{key}", n.serveCAS)
	mux.HandleFunc("GET /status", n.serveStatus)
}

func (n *node) servePut(w http.ResponseWriter, r *http.Request) {
	value, err := io.ReadAll(http.MaxBytesReader(w, r.Body, valueMax))
	if err != nil {
		refuse(w, err)
		return
	}
	if err := n.put(r.PathValue("key"), string(value)); err != nil {
		n.fail(w, err)
	}
}

func (n *node) serveGet(w http.ResponseWriter, r *http.Request) {
	res, err := n.read(r.PathValue("key"))
	if err != nil {
		n.fail(w, err)
		return
	}
	if !res.found {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	io.WriteString(w, res.value)
}

func (n *node) serveCAS(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 2*valueMax)
	if err := r.ParseForm(); err != nil {
		refuse(w, err)
		return
	}
	res, err := n.apply(command{
		op:  opCAS,
		key: r.PathValue("key"),
		old: r.PostForm.Get("old"),
		new: r.PostForm.Get("new"),
	})
	if err != nil {
		n.fail(w, err)
		return
	}
	if !res.swapped {
		w.WriteHeader(http.StatusConflict)
	}
	io.WriteString(w, res.value)
}

func (n *node) serveStatus(w http.ResponseWriter, r *http.Request) {
	_, leader := n.raft.LeaderWithID()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(Status{
		ID:      n.opt.id,
		State:   n.raft.State().String(),
		Leader:  string(leader),
		Term:    n.raft.CurrentTerm(),
		Applied: n.raft.AppliedIndex(),
		Commit:  n.raft.CommitIndex(),
	})
}

// refuse answers a request that did not arrive whole, so was not carried out.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, err.Error(), status)
}

// fail answers a request that raft did not carry out, and says who leads.
func (n *node) fail(w http.ResponseWriter, err error) {
	_, id := n.raft.LeaderWithID()
	if leader, ok := n.opt.peers.find(string(id)); ok && leader.id != n.opt.id {
		w.Header().Set(leaderHeader, leader.httpAddr)
	}
	http.Error(w, err.Error(), statusOf(err))
}
