package sqlite

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/internal/ledger"
)

// copied reads all that a view shows, and closes it.
func copied(v view) (out rows, err error) {
	err = v.Scan("", ledger.Ascending, func(key string, value []byte) error {
		out = append(out, row{key, bytes.Clone(value)})
		return nil
	})
	return out, errors.Join(err, v.Close())
}

// rows is a view of rows in memory, in order of their keys.
type rows []row

type row struct {
	key   string
	value []byte
}

func (r rows) Get(key string) ([]byte, bool, error) {
	i, found := slices.BinarySearchFunc(r, key, func(one row, key string) int { return strings.Compare(one.key, key) })
	if !found {
		return nil, false, nil
	}
	return r[i].value, true, nil
}

func (r rows) Scan(prefix string, o ledger.Order, f func(string, []byte) error) error {
	ordered := slices.Clone(r)
	if o == ledger.Descending {
		slices.Reverse(ordered)
	}
	for _, one := range ordered {
		if !strings.HasPrefix(one.key, prefix) {
			continue
		}
		if err := f(one.key, one.value); err != nil {
			return err
		}
	}
	return nil
}

func (rows) Close() error { return nil }
