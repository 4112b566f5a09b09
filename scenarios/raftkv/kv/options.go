package kv

import (
	"errors"
	"flag"
	"fmt"
	"time"
)

// Options as given on the command line. The timeouts are raft's own, and named
// after its Config.
type options struct {
	id        string
	raftAddr  string // where to listen
	httpAddr  string
	dataDir   string
	peers     peers
	bootstrap bool
	bug       bug
	reads     readMode
	logLevel  string

	heartbeatTimeout   time.Duration
	electionTimeout    time.Duration
	leaderLeaseTimeout time.Duration
	commitTimeout      time.Duration
	rpcTimeout         time.Duration // for one request to another node
	applyTimeout       time.Duration // for an entry to be accepted by the raft loop

	snapshotThreshold uint64 // entries
	snapshotInterval  time.Duration
	trailingLogs      uint64 // entries kept behind a snapshot
}

func parseOptions() (options, error) {
	opt := options{reads: readLog}
	flag.StringVar(&opt.id, "id", "", "this node's `name`, one of -peers")
	flag.StringVar(&opt.raftAddr, "raft-addr", "", "`address` to listen on for the other nodes (default: as in -peers)")
	flag.StringVar(&opt.httpAddr, "http-addr", "", "`address` to listen on for clients (default: as in -peers)")
	flag.StringVar(&opt.dataDir, "data-dir", "data", "`folder` of the log and the snapshots")
	flag.Var(&opt.peers, "peers", "all nodes: `id=host[:raft port][/host[:http port]],...`")
	flag.BoolVar(&opt.bootstrap, "bootstrap", true, "begin a group of -peers if the data folder has no state")
	flag.Var(&opt.bug, "bug", "a `name` of a planted bug: "+bugNames())
	flag.Var(&opt.reads, "reads", "`how` a read is made linearizable: log or verify")
	flag.StringVar(&opt.logLevel, "log-level", "WARN", "`level` of raft's log: DEBUG, INFO, WARN, ERROR")
	flag.DurationVar(&opt.heartbeatTimeout, "heartbeat-timeout", 500*time.Millisecond, "")
	flag.DurationVar(&opt.electionTimeout, "election-timeout", 500*time.Millisecond, "")
	flag.DurationVar(&opt.leaderLeaseTimeout, "leader-lease-timeout", 400*time.Millisecond, "")
	flag.DurationVar(&opt.commitTimeout, "commit-timeout", 500*time.Millisecond, "")
	flag.DurationVar(&opt.rpcTimeout, "rpc-timeout", 500*time.Millisecond, "")
	flag.DurationVar(&opt.applyTimeout, "apply-timeout", time.Second, "")
	flag.Uint64Var(&opt.snapshotThreshold, "snapshot-threshold", 64, "")
	flag.DurationVar(&opt.snapshotInterval, "snapshot-interval", 2*time.Second, "")
	flag.Uint64Var(&opt.trailingLogs, "trailing-logs", 32, "")
	flag.Parse()
	if flag.NArg() > 0 {
		return opt, fmt.Errorf("got argument %q, want only flags", flag.Arg(0))
	}
	return opt, opt.complete()
}

// complete fills in what follows from -peers.
func (opt *options) complete() error {
	if opt.id == "" {
		return errors.New("no -id: give this node's name")
	}
	self, ok := opt.peers.find(opt.id)
	if !ok {
		return fmt.Errorf("-id %s is not one of -peers %s: add it there", opt.id, opt.peers.String())
	}
	if opt.raftAddr == "" {
		opt.raftAddr = self.raftAddr
	}
	if opt.httpAddr == "" {
		opt.httpAddr = self.httpAddr
	}
	return nil
}
