package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	_ "github.com/ncruces/go-sqlite3/driver" // "sqlite3"
	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
)

const file = "/var/lib/app.db"

// store is a table of keys and values. JOURNAL is how SQLite keeps transactions
// whole: wal, a write-ahead log, or delete, a journal of what they overwrite, which
// goes when they are done. SYNC is when it syncs: with extra transactions last, with
// full they do if there is a write-ahead log, with normal and off they do not.
type store struct{ db *sql.DB }

func open() (ledger.Store, error) {
	db, err := sql.Open("sqlite3", fmt.Sprintf("file:%s?_pragma=busy_timeout(20000)&_pragma=journal_mode(%s)&_pragma=synchronous(%s)&_pragma=wal_autocheckpoint(50)",
		file, os.Getenv("JOURNAL"), os.Getenv("SYNC")))
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS kv (k TEXT PRIMARY KEY, v BLOB NOT NULL)"); err != nil {
		return nil, err
	}
	return &store{db}, nil
}

func (s *store) Check() error {
	var found string
	if err := s.db.QueryRow("PRAGMA integrity_check").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("integrity check: %s", found)
	}
	return nil
}

func (s *store) Commit(changes []ledger.Change, _ ledger.Durability) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := change(tx, c); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

func change(tx *sql.Tx, c ledger.Change) (err error) {
	switch c.Kind {
	case ledger.Put:
		_, err = tx.Exec("INSERT INTO kv VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v", c.Key, c.Value)
	case ledger.Append:
		_, err = tx.Exec("INSERT INTO kv VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = CAST(v || excluded.v AS BLOB)", c.Key, c.Value)
	case ledger.Delete:
		_, err = tx.Exec("DELETE FROM kv WHERE k = ?", c.Key)
	case ledger.DeleteRange:
		_, err = tx.Exec("DELETE FROM kv WHERE k >= ? AND k < ?", c.Key, c.End)
	}
	return err
}

// View holds a connection, on which a transaction that only reads has begun: its
// first read fixes what it sees. Without a write-ahead log nobody could write
// meanwhile, so that there a view is a copy.
func (s *store) View() (ledger.View, error) {
	conn, err := s.db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	v := view{conn}
	if _, err := conn.ExecContext(context.Background(), "BEGIN DEFERRED"); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if os.Getenv("JOURNAL") == "delete" {
		return copied(v)
	}
	if _, _, err := v.Get(""); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

type view struct{ conn *sql.Conn }

func (v view) Get(key string) (value []byte, found bool, err error) {
	err = v.conn.QueryRowContext(context.Background(), "SELECT v FROM kv WHERE k = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return value, err == nil, err
}

func (v view) Scan(prefix string, o ledger.Order, f func(string, []byte) error) error {
	query := "SELECT k, v FROM kv WHERE k >= ? AND k < ? ORDER BY k"
	if o == ledger.Descending {
		query += " DESC"
	}
	rows, err := v.conn.QueryContext(context.Background(), query, prefix, prefix+"\x7f")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var value sql.RawBytes
		if err := rows.Scan(&key, &value); err != nil {
			return err
		}
		if err := f(key, value); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (v view) Close() error {
	_, err := v.conn.ExecContext(context.Background(), "ROLLBACK")
	return errors.Join(err, v.conn.Close())
}
