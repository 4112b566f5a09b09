package main

import (
	"errors"
	"io/fs"

	"github.com/orrery-sim/orrery/sim/run"
)

// mergeFolders makes one folder of those in which the shards kept findings, and tells
// the reports of it.
func mergeFolders(into *run.Findings, wholes []merged) error {
	var shards []run.Shard
	for i, first := range wholes[0].shards {
		shard := run.Shard{Dir: first.folder}
		for _, m := range wholes {
			shard.Sweeps = append(shard.Sweeps, m.shards[i].seen())
		}
		shards = append(shards, shard)
	}
	var all []run.Whole
	for _, m := range wholes {
		all = append(all, run.Whole{Scenario: m.report.scenario, Buckets: m.report.summary.Buckets})
	}
	tracked, err := into.Merge(all, shards)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return err
	case err != nil:
		return usage(err)
	}
	for i, m := range wholes {
		m.report.summary.Findings = tracked[i]
	}
	return nil
}

// seen is what the shard's last line tells of its findings.
func (s shardSweep) seen() run.ShardSweep {
	out := run.ShardSweep{Seen: map[string]uint64{}, Notes: map[string]string{}}
	for _, b := range s.summary.Buckets {
		out.Seen[b.Signature] = b.Count
	}
	for _, f := range s.summary.Findings {
		out.Notes[f.Signature] = f.Note
	}
	return out
}
