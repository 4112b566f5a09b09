package kv

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
	"go.etcd.io/bbolt"
)

const (
	logCacheEntries  = 128
	snapshotsKept    = 2
	connsPerPeer     = 2
	dataLockTimeout  = time.Second
	entriesPerAppend = 64
)

// A node is one replica.
type node struct {
	opt   options
	raft  *raft.Raft
	store *store
	lease lease
}

func startNode(opt options) (*node, error) {
	logger := hclog.New(&hclog.LoggerOptions{
		Name:   opt.id,
		Level:  hclog.LevelFromString(opt.logLevel),
		Output: os.Stderr,
	})
	db, err := openLog(opt)
	if err != nil {
		return nil, err
	}
	snapshots, err := raft.NewFileSnapshotStoreWithLogger(opt.dataDir, snapshotsKept, logger)
	if err != nil {
		return nil, err
	}
	if err := syncFolders(opt.dataDir); err != nil {
		return nil, err
	}
	trans, err := raft.NewTCPTransportWithConfig(opt.raftAddr, nil, &raft.NetworkTransportConfig{
		MaxPool: connsPerPeer,
		Timeout: opt.rpcTimeout,
		Logger:  logger,
	})
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", opt.raftAddr, err)
	}
	config := raftConfig(opt, logger)
	if opt.bootstrap {
		if err := bootstrap(config, db, snapshots, trans, opt.peers); err != nil {
			return nil, err
		}
	}
	entries, err := raft.NewLogCache(logCacheEntries, db)
	if err != nil {
		return nil, err
	}
	n := &node{opt: opt, store: newStore()}
	n.raft, err = raft.NewRaft(config, n.store, entries, db, snapshots, trans)
	return n, err
}

func raftConfig(opt options, logger hclog.Logger) *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(opt.id)
	c.Logger = logger
	c.HeartbeatTimeout = opt.heartbeatTimeout
	c.ElectionTimeout = opt.electionTimeout
	c.LeaderLeaseTimeout = opt.leaderLeaseTimeout
	c.CommitTimeout = opt.commitTimeout
	c.MaxAppendEntries = entriesPerAppend
	c.SnapshotThreshold = opt.snapshotThreshold
	c.SnapshotInterval = opt.snapshotInterval
	c.TrailingLogs = opt.trailingLogs
	c.NoLegacyTelemetry = true
	return c
}

// openLog opens the log and the votes. The free list is rebuilt at each
// opening rather than written at each commit, which is as safe and costs less.
func openLog(opt options) (*raftboltdb.BoltStore, error) {
	db, err := raftboltdb.New(raftboltdb.Options{
		Path:   filepath.Join(opt.dataDir, "raft.db"),
		NoSync: opt.bug == bugNoFsync,
		BoltOptions: &bbolt.Options{
			Timeout:        dataLockTimeout,
			NoFreelistSync: true,
			NoGrowSync:     opt.bug == bugNoFsync,
			FreelistType:   bbolt.FreelistArrayType,
			NoStatistics:   true,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("open the log in %s: %w", opt.dataDir, err)
	}
	return db, nil
}

// bootstrap writes the first entry, the group's members, if there is no log
// and no snapshot. Every node may do so, because the entry is the same on all.
func bootstrap(config *raft.Config, db *raftboltdb.BoltStore, snapshots raft.SnapshotStore, trans raft.Transport, ps peers) error {
	last, err := db.LastIndex()
	if err != nil {
		return err
	}
	kept, err := snapshots.List()
	if err != nil {
		return err
	}
	if last > 0 || len(kept) > 0 {
		return nil
	}
	members := membersOf(ps)
	err = raft.BootstrapCluster(config, db, db, snapshots, trans, members)
	if err == raft.ErrCantBootstrap {
		// A crash came between the term and the entry. No node runs on an
		// empty log, so nothing was promised since.
		err = db.StoreLog(&raft.Log{
			Index: 1,
			Term:  1,
			Type:  raft.LogConfiguration,
			Data:  raft.EncodeConfiguration(members),
		})
	}
	return err
}

func membersOf(ps peers) raft.Configuration {
	var members raft.Configuration
	for _, p := range ps {
		members.Servers = append(members.Servers, raft.Server{
			ID:      raft.ServerID(p.id),
			Address: raft.ServerAddress(p.raftAddr),
		})
	}
	return members
}

// syncFolders makes the entries of the data folder, and its own, durable:
// neither bbolt nor raft's snapshot store does.
func syncFolders(folder string) error {
	for _, path := range [...]string{folder, filepath.Dir(folder)} {
		if err := syncFolder(path); err != nil {
			return fmt.Errorf("sync folder: %w", err)
		}
	}
	return nil
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
