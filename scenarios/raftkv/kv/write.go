package kv

import "github.com/hashicorp/raft"

// apply puts a command in the log and waits until it is committed and applied
// here.
func (n *node) apply(cmd command) (result, error) {
	future := n.raft.Apply(cmd.encode(), n.opt.applyTimeout)
	if err := future.Error(); err != nil {
		return result{}, err
	}
	return future.Response().(result), nil
}

func (n *node) put(key, value string) error {
	cmd := command{op: opPut, key: key, new: value}
	if n.opt.bug == bugAckBeforeCommit {
		if n.raft.State() != raft.Leader {
			return raft.ErrNotLeader
		}
		n.raft.Apply(cmd.encode(), n.opt.applyTimeout)
		return nil
	}
	_, err := n.apply(cmd)
	return err
}
