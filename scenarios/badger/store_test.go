package badger

import (
	"bytes"
	"errors"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
)

const dir = "/var/lib/badger"

// store is a badger of small tables and value logs, so that it flushes and
// compacts all the time.
type store struct{ db *badger.DB }

func open() (ledger.Store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if os.Getenv("EMPTY_LOGS") == "removed" {
		if err := removeEmptyLogs(); err != nil {
			return nil, err
		}
	}
	o := badger.DefaultOptions(dir).WithSyncWrites(os.Getenv("SYNC") == "on").
		WithMemTableSize(128 << 10).WithBaseTableSize(64 << 10).WithBaseLevelSize(256 << 10).WithNumLevelZeroTables(2).
		WithValueThreshold(512).WithValueLogFileSize(1 << 20).WithBlockCacheSize(1 << 20).
		WithLogger(quiet{})
	db, err := badger.Open(o)
	if err != nil {
		return nil, err
	}
	if os.Getenv("GC") == "on" {
		go collect(db)
	}
	return &store{db}, nil
}

// removeEmptyLogs removes the logs to which a crash has left no more than their names.
// Badger creates a log and then gives it its size, and does not open over one
// that has none: dgraph-io/badger's issue 2207.
func removeEmptyLogs() error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range all {
		info, err := e.Info()
		if err != nil {
			return err
		}
		if ext := filepath.Ext(e.Name()); info.Size() > 0 || ext != ".mem" && ext != ".vlog" {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// collect rewrites value logs of which half is garbage, which brings back keys that
// had been deleted: what is rewritten gets above the mark of its deletion, and
// outlives it.
func collect(db *badger.DB) {
	for {
		time.Sleep(300 * time.Millisecond)
		if err := db.RunValueLogGC(0.5); err != nil && !errors.Is(err, badger.ErrNoRewrite) {
			log.Fatalf("value log: %v", err)
		}
	}
}

// quiet leaves out what badger tells of its flushes and compactions.
type quiet struct{}

func (quiet) Errorf(format string, args ...any)   { log.Printf(format, args...) }
func (quiet) Warningf(format string, args ...any) { log.Printf(format, args...) }
func (quiet) Infof(string, ...any)                {}
func (quiet) Debugf(string, ...any)               {}

func (s *store) Check() error { return s.db.VerifyChecksum() }

// Commit tries again when badger asks for it: a transaction that deletes a range
// also reads the key behind it, which may be another writer's.
func (s *store) Commit(changes []ledger.Change, _ ledger.Durability) error {
	for {
		err := s.db.Update(func(tx *badger.Txn) error { return change(tx, changes) })
		if !errors.Is(err, badger.ErrConflict) {
			return err
		}
	}
}

func change(tx *badger.Txn, changes []ledger.Change) error {
	for _, c := range changes {
		if err := changeOne(tx, c); err != nil {
			return err
		}
	}
	return nil
}

func changeOne(tx *badger.Txn, c ledger.Change) error {
	switch c.Kind {
	case ledger.Put:
		return tx.Set([]byte(c.Key), c.Value)
	case ledger.Append:
		value, _, err := view{tx}.Get(c.Key)
		if err != nil {
			return err
		}
		return tx.Set([]byte(c.Key), append(value, c.Value...))
	case ledger.Delete:
		return tx.Delete([]byte(c.Key))
	default:
		return deleteRange(tx, c)
	}
}

func deleteRange(tx *badger.Txn, c ledger.Change) error {
	var keys [][]byte
	it := tx.NewIterator(badger.IteratorOptions{})
	for it.Seek([]byte(c.Key)); it.Valid() && bytes.Compare(it.Item().Key(), []byte(c.End)) < 0; it.Next() {
		keys = append(keys, it.Item().KeyCopy(nil))
	}
	it.Close()
	for _, k := range keys {
		if err := tx.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) View() (ledger.View, error) { return view{s.db.NewTransaction(false)}, nil }

type view struct{ tx *badger.Txn }

func (v view) Get(key string) ([]byte, bool, error) {
	item, err := v.tx.Get([]byte(key))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	value, err := item.ValueCopy(nil)
	return value, err == nil, err
}

func (v view) Scan(prefix string, o ledger.Order, f func(string, []byte) error) error {
	opt := badger.DefaultIteratorOptions
	opt.Reverse = o == ledger.Descending
	it := v.tx.NewIterator(opt)
	defer it.Close()
	from := prefix
	if opt.Reverse {
		from += "\xff"
	}
	for it.Seek([]byte(from)); it.ValidForPrefix([]byte(prefix)); it.Next() {
		item := it.Item()
		if err := item.Value(func(value []byte) error { return f(string(item.Key()), value) }); err != nil {
			return err
		}
	}
	return nil
}

func (v view) Close() error {
	v.tx.Discard()
	return nil
}
