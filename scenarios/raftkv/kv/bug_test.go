package kv

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
)

// A trio is three nodes in memory, on a clock of their own.
type trio struct {
	t     *testing.T
	nodes []*node
	trans []*raft.InmemTransport
}

func startTrio(t *testing.T, b bug, reads readMode) *trio {
	g := &trio{t: t}
	opt := options{bug: b, reads: reads, applyTimeout: time.Second}
	opt.heartbeatTimeout, opt.electionTimeout = 500*time.Millisecond, 500*time.Millisecond
	opt.leaderLeaseTimeout, opt.commitTimeout = 400*time.Millisecond, 200*time.Millisecond
	opt.snapshotThreshold, opt.snapshotInterval = 64, time.Hour
	if err := opt.peers.Set("n1=n1,n2=n2,n3=n3"); err != nil {
		t.Fatal(err)
	}
	for _, p := range opt.peers {
		_, trans := raft.NewInmemTransport(raft.ServerAddress(p.raftAddr))
		g.trans = append(g.trans, trans)
	}
	for i, p := range opt.peers {
		opt.id = p.id
		config := raftConfig(opt, hclog.NewNullLogger())
		db := raft.NewInmemStore()
		snapshots := raft.NewDiscardSnapshotStore()
		if err := raft.BootstrapCluster(config, db, db, snapshots, g.trans[i], membersOf(opt.peers)); err != nil {
			t.Fatal(err)
		}
		n := &node{opt: opt, store: newStore()}
		var err error
		if n.raft, err = raft.NewRaft(config, n.store, db, db, snapshots, g.trans[i]); err != nil {
			t.Fatal(err)
		}
		g.nodes = append(g.nodes, n)
	}
	for i := range g.nodes {
		g.heal(i)
	}
	return g
}

func (g *trio) stop() {
	for _, n := range g.nodes {
		n.raft.Shutdown().Error()
	}
}

func (g *trio) cut(i int) {
	g.trans[i].DisconnectAll()
	for _, trans := range g.trans {
		trans.Disconnect(g.trans[i].LocalAddr())
	}
}

func (g *trio) heal(i int) {
	for j, trans := range g.trans {
		if i != j {
			trans.Connect(g.trans[i].LocalAddr(), g.trans[i])
			g.trans[i].Connect(trans.LocalAddr(), trans)
		}
	}
}

// leader waits for a leader other than the one given (-1: any).
func (g *trio) leader(but int) int {
	for range 1000 {
		for i, n := range g.nodes {
			if i != but && n.raft.State() == raft.Leader {
				return i
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	g.t.Fatal("no leader")
	return -1
}

func TestStaleRead(t *testing.T) {
	for _, tc := range []struct {
		bug   bug
		reads readMode
		stale bool
	}{
		{"", readLog, false},
		{"", readVerify, false},
		{bugStaleRead, readLog, true},
		{bugStaleRead, readVerify, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := startTrio(t, tc.bug, tc.reads)
			defer g.stop()
			old := g.leader(-1)
			mustPut(t, g.nodes[old], "x", "1")
			if res, err := g.nodes[old].read("x"); err != nil || res.value != "1" {
				t.Fatalf("read by the leader: %+v, %v", res, err)
			}
			g.cut(old)
			mustPut(t, g.nodes[g.leader(old)], "x", "2")
			res, err := g.nodes[old].read("x")
			if tc.stale && (err != nil || res.value != "1") {
				t.Errorf("with the bug: %+v, %v, want the old value", res, err)
			}
			if !tc.stale && err == nil {
				t.Errorf("without the bug: %+v, want an error", res)
			}
			time.Sleep(readLease)
			if res, err := g.nodes[old].read("x"); err == nil {
				t.Errorf("after the lease: %+v, want an error", res)
			}
			g.heal(old)
			if res, err := g.nodes[g.leader(-1)].read("x"); err == nil && res.value != "2" {
				t.Errorf("after the heal: %+v, %v", res, err)
			}
		})
	}
}

func TestAckBeforeCommit(t *testing.T) {
	for _, b := range []bug{"", bugAckBeforeCommit} {
		synctest.Test(t, func(t *testing.T) {
			g := startTrio(t, b, readLog)
			defer g.stop()
			old := g.leader(-1)
			mustPut(t, g.nodes[old], "x", "1")
			g.cut(old)
			if err := g.nodes[old].put("x", "2"); (err == nil) != (b == bugAckBeforeCommit) {
				t.Errorf("bug %q: a put that no majority can have: error %v", b, err)
			}
			now := g.leader(old)
			g.heal(old)
			if res, err := g.nodes[now].read("x"); err != nil || res.value != "1" {
				t.Errorf("after the heal: %+v, %v, want 1", res, err)
			}
		})
	}
}

func mustPut(t *testing.T, n *node, key, value string) {
	t.Helper()
	if err := n.put(key, value); err != nil {
		t.Fatal(err)
	}
	// The bug's put does not wait.
	synctest.Wait()
	time.Sleep(100 * time.Millisecond)
}
