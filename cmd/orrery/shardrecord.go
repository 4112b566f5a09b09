package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/orrery-sim/orrery/sim/run"
)

// shardRecord is the lines of a shard's sweep, kept in its folder of findings for a
// merge. They get their name once the sweep has ended.
type shardRecord struct {
	name string
	tmp  *os.File
}

// checkShardFolder reports a folder in which a shard was swept before.
func checkShardFolder(dir string) error {
	name := filepath.Join(dir, run.ShardFile)
	if _, err := os.Stat(name); err == nil {
		return usage(fmt.Errorf("--out: %s: a shard was swept into this folder: begin with a copy of the folder of findings, or with none", name))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func newShardRecord(dir string) (*shardRecord, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(dir, ".orrery-*")
	if err != nil {
		return nil, err
	}
	return &shardRecord{filepath.Join(dir, run.ShardFile), tmp}, nil
}

// keep gives the lines their name.
func (r *shardRecord) keep() error {
	if err := errors.Join(r.tmp.Chmod(0o644), r.tmp.Sync(), r.tmp.Close()); err != nil {
		return err
	}
	return os.Rename(r.tmp.Name(), r.name)
}

// drop removes what has no name yet.
func (r *shardRecord) drop() {
	r.tmp.Close()
	os.Remove(r.tmp.Name())
}
