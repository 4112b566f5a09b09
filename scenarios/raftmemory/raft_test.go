// Package raftmemory is hashicorp/raft without network and disk: what goroutines,
// channels and timers cost in a world.
package raftmemory

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
)

// TestRaft is five members of hashicorp/raft in one process, without network
// and disk, that lose their leader five times: what it takes of real time is what
// goroutines, channels and timers cost in a world.
func TestRaft(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		var g group
		w.SafetyFor(17 * time.Second)
		w.Clients("c", 1)[0].Run(func() { g = newGroup(5); g.work() })
		w.Check(outcome.Func("members agree", func() outcome.Outcome {
			if err := g.agree(); err != nil {
				return outcome.Outcome{Verdict: outcome.Violation, Message: err.Error()}
			}
			return outcome.Outcome{Verdict: outcome.OK}
		}))
	})
}

// group is members of one cluster.
type group struct {
	members      []*member
	acknowledged []string
	stopped      bool
}

type member struct {
	*raft.Raft
	transport *raft.InmemTransport
	applied   []string
}

func (m *member) Apply(l *raft.Log) any               { m.applied = append(m.applied, string(l.Data)); return nil }
func (m *member) Snapshot() (raft.FSMSnapshot, error) { return nil, errors.New("no snapshots") }
func (m *member) Restore(io.ReadCloser) error         { return errors.New("no snapshots") }

func newGroup(n int) (g group) {
	var servers raft.Configuration
	for i := range n {
		addr, transport := raft.NewInmemTransport(raft.ServerAddress(fmt.Sprint("m", i+1)))
		g.members = append(g.members, &member{transport: transport})
		servers.Servers = append(servers.Servers, raft.Server{ID: raft.ServerID(addr), Address: addr})
	}
	for _, m := range g.members {
		g.connect(m)
	}
	for i, m := range g.members {
		c := raft.DefaultConfig()
		c.LocalID, c.Logger = servers.Servers[i].ID, hclog.NewNullLogger()
		store, snapshots := raft.NewInmemStore(), raft.NewInmemSnapshotStore()
		err := raft.BootstrapCluster(c, store, store, snapshots, m.transport, servers)
		if err == nil {
			m.Raft, err = raft.NewRaft(c, m, store, store, snapshots, m.transport)
		}
		if err != nil {
			panic(err)
		}
	}
	return g
}

// connect connects a member with the others, both ways.
func (g group) connect(m *member) {
	for _, other := range g.members {
		if other != m {
			m.transport.Connect(other.transport.LocalAddr(), other.transport)
			other.transport.Connect(m.transport.LocalAddr(), m.transport)
		}
	}
}

func (g group) leader() *member {
	for {
		if i := slices.IndexFunc(g.members, func(m *member) bool { return m.State() == raft.Leader }); i >= 0 {
			return g.members[i]
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// work applies fifty commands. Before each tenth, the leader is cut off for 3 s.
func (g *group) work() {
	for i := range 50 {
		if i%10 == 9 {
			old := g.leader()
			old.transport.DisconnectAll()
			time.Sleep(3 * time.Second)
			g.connect(old)
		}
		command := fmt.Sprint("command ", i)
		if g.leader().Raft.Apply([]byte(command), time.Second).Error() == nil {
			g.acknowledged = append(g.acknowledged, command)
		}
	}
	time.Sleep(time.Second)
	for _, m := range g.members {
		m.Shutdown().Error()
	}
	g.stopped = true
}

// agree reports a member that lacks what was acknowledged, or differs from another.
func (g group) agree() error {
	switch {
	case !g.stopped:
		return errors.New("the members still run")
	case len(g.acknowledged) < 40:
		return fmt.Errorf("%d commands were acknowledged, want most of 50", len(g.acknowledged))
	}
	for i, m := range g.members {
		if !slices.Equal(m.applied, g.members[0].applied) {
			return fmt.Errorf("member %d applied %q, and member 1 %q", i+1, m.applied, g.members[0].applied)
		}
		for _, command := range g.acknowledged {
			if !slices.Contains(m.applied, command) {
				return fmt.Errorf("member %d lacks %q, which was acknowledged", i+1, command)
			}
		}
	}
	return nil
}
