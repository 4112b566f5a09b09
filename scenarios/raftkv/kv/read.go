package kv

import (
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/raft"
)

// A readMode is how a read is made linearizable.
type readMode string

const (
	// The read is an entry of the log.
	readLog readMode = "log"
	// The leader asks a majority whether it still leads, then reads its own
	// copy: raft.VerifyLeader. No entry is written, but raft counts any answer
	// to a heartbeat, even to one sent before the read began.
	readVerify readMode = "verify"
)

func (m *readMode) String() string { return string(*m) }

func (m *readMode) Set(s string) error {
	switch readMode(s) {
	case readLog, readVerify:
		*m = readMode(s)
		return nil
	}
	return fmt.Errorf("no way to read %q: want %s or %s", s, readLog, readVerify)
}

func (n *node) read(key string) (result, error) {
	if n.opt.bug == bugStaleRead {
		return n.readByLease(key)
	}
	return n.readFresh(key)
}

func (n *node) readFresh(key string) (result, error) {
	if n.opt.reads == readVerify {
		return n.readVerified(key)
	}
	return n.apply(command{op: opGet, key: key})
}

// readVerified reads the local copy if it holds all that was committed before
// this leader's term, and no other leader can have followed when the read
// began. Both must be so in one and the same term.
func (n *node) readVerified(key string) (result, error) {
	term := n.raft.CurrentTerm()
	if n.store.lastTerm() != term {
		return n.apply(command{op: opGet, key: key})
	}
	if err := n.raft.VerifyLeader().Error(); err != nil {
		return result{}, err
	}
	if n.raft.CurrentTerm() != term {
		return result{}, raft.ErrNotLeader
	}
	return n.store.get(key), nil
}

// readLease outlives an election, which is the bug.
const readLease = 3 * time.Second

type lease struct {
	mu    sync.Mutex
	until time.Time
}

func (l *lease) valid() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.until)
}

func (l *lease) renew(from time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = from.Add(readLease)
}

func (n *node) readByLease(key string) (result, error) {
	if n.lease.valid() {
		return n.store.get(key), nil
	}
	start := time.Now()
	res, err := n.readFresh(key)
	if err == nil {
		n.lease.renew(start)
	}
	return res, err
}
