package pebble

import (
	"bytes"
	"errors"
	"log"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
)

const dir = "/var/lib/pebble"

// store is a pebble of small memtables, so that it flushes and compacts all the
// time.
type store struct {
	db   *pebble.DB
	sync *pebble.WriteOptions // of transactions that must last
}

func open() (ledger.Store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	o := &pebble.Options{
		FormatMajorVersion:    pebble.FormatNewest,
		MemTableSize:          64 << 10,
		L0CompactionThreshold: 2,
		LBaseMaxBytes:         128 << 10,
		MaxManifestFileSize:   8 << 10,
		DisableWAL:            os.Getenv("SYNC") == "no-wal",
		Logger:                quiet{},
	}
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = 32 << 10
	}
	db, err := pebble.Open(dir, o)
	if err != nil {
		return nil, err
	}
	s := &store{db, pebble.Sync}
	if os.Getenv("SYNC") != "" {
		s.sync = pebble.NoSync
	}
	return s, nil
}

// quiet leaves out what pebble tells of its flushes and compactions.
type quiet struct{}

func (quiet) Infof(string, ...any)              {}
func (quiet) Errorf(format string, args ...any) { log.Printf(format, args...) }
func (quiet) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }

func (s *store) Check() error { return s.db.CheckLevels(nil) }

func (s *store) Commit(changes []ledger.Change, d ledger.Durability) error {
	b := s.db.NewBatch()
	defer b.Close()
	for _, c := range changes {
		if err := change(b, c); err != nil {
			return err
		}
	}
	if d == ledger.Buffered {
		return b.Commit(pebble.NoSync)
	}
	return b.Commit(s.sync)
}

func change(b *pebble.Batch, c ledger.Change) error {
	switch c.Kind {
	case ledger.Put:
		return b.Set([]byte(c.Key), c.Value, nil)
	case ledger.Append:
		return b.Merge([]byte(c.Key), c.Value, nil)
	case ledger.Delete:
		return b.Delete([]byte(c.Key), nil)
	default:
		return b.DeleteRange([]byte(c.Key), []byte(c.End), nil)
	}
}

func (s *store) View() (ledger.View, error) { return view{s.db.NewSnapshot()}, nil }

type view struct{ *pebble.Snapshot }

func (v view) Get(key string) ([]byte, bool, error) {
	value, closer, err := v.Snapshot.Get([]byte(key))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	value = bytes.Clone(value)
	return value, true, closer.Close()
}

func (v view) Scan(prefix string, o ledger.Order, f func(string, []byte) error) (err error) {
	it, err := v.NewIter(&pebble.IterOptions{LowerBound: []byte(prefix), UpperBound: []byte(prefix + "\xff")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	first, next := it.First, it.Next
	if o == ledger.Descending {
		first, next = it.Last, it.Prev
	}
	for ok := first(); ok; ok = next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if err := f(string(it.Key()), value); err != nil {
			return err
		}
	}
	return it.Error()
}
