package kv

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
)

func bootstrapFolder(t *testing.T) (*raftboltdb.BoltStore, func(peers) error) {
	opt := options{id: "n1", dataDir: t.TempDir()}
	opt.heartbeatTimeout, opt.electionTimeout, opt.leaderLeaseTimeout = time.Second, time.Second, time.Second
	opt.commitTimeout, opt.snapshotInterval = time.Second, time.Second
	db, err := openLog(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	snapshots := raft.NewInmemSnapshotStore()
	_, trans := raft.NewInmemTransport("")
	return db, func(ps peers) error {
		return bootstrap(raftConfig(opt, hclog.NewNullLogger()), db, snapshots, trans, ps)
	}
}

func firstEntry(t *testing.T, db *raftboltdb.BoltStore) raft.Log {
	t.Helper()
	if last, err := db.LastIndex(); last != 1 || err != nil {
		t.Fatalf("last index %d, %v, want 1", last, err)
	}
	var entry raft.Log
	if err := db.GetLog(1, &entry); err != nil {
		t.Fatal(err)
	}
	return entry
}

// A crash between raft's two writes leaves a term and no entry.
func TestBootstrapAfterCrash(t *testing.T) {
	var three, one peers
	if err := errors.Join(three.Set("n1=a,n2=b,n3=c"), one.Set("n1=a")); err != nil {
		t.Fatal(err)
	}
	whole, start := bootstrapFolder(t)
	if err := start(three); err != nil {
		t.Fatal(err)
	}
	want := firstEntry(t, whole)

	crashed, start := bootstrapFolder(t)
	if err := crashed.SetUint64([]byte("CurrentTerm"), 1); err != nil {
		t.Fatal(err)
	}
	if err := start(three); err != nil {
		t.Fatal(err)
	}
	if got := firstEntry(t, crashed); !reflect.DeepEqual(got, want) {
		t.Errorf("after a crash: got %+v, want %+v", got, want)
	}

	if err := start(one); err != nil {
		t.Fatal(err)
	}
	if got := firstEntry(t, crashed); !reflect.DeepEqual(got, want) {
		t.Errorf("a second time: got %+v, want %+v as it was", got, want)
	}
}
