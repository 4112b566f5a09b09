package kv

import (
	"fmt"
	"strings"
)

// A bug is a mistake that real systems have made, switched on by name.
type bug string

const (
	// A leader answers reads from its own copy for readLease after it last
	// made sure of its leadership, which is longer than an election takes: cut
	// off, it misses the writes of its successor.
	bugStaleRead bug = "stale-read"
	// A leader acknowledges a PUT once raft has accepted the entry: until a
	// majority has it, a crash or a partition loses it.
	bugAckBeforeCommit bug = "ack-before-commit"
	// The log and the votes are written but never synced: a crash of the host
	// loses them.
	bugNoFsync bug = "no-fsync"
)

var bugs = [...]bug{bugStaleRead, bugAckBeforeCommit, bugNoFsync}

// Bugs returns the names that -bug takes.
func Bugs() []string {
	names := make([]string, len(bugs))
	for i, b := range bugs {
		names[i] = string(b)
	}
	return names
}

func bugNames() string { return strings.Join(Bugs(), ", ") }

func (b *bug) String() string { return string(*b) }

func (b *bug) Set(s string) error {
	for _, known := range bugs {
		if s == string(known) {
			*b = known
			return nil
		}
	}
	if s == "" {
		*b = ""
		return nil
	}
	return fmt.Errorf("no bug %q: want one of %s", s, bugNames())
}
