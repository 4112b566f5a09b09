// Package ledger is the workload of the scenarios that run a store of keys and
// values: a program that commits numbered transactions for ever and checks the
// store against a model whenever it opens and while it works, and the oracle that
// reads what the program says.
//
// A transaction's changes are a function of three numbers: the nonce of the start
// that made it, its writer and its place among the writer's transactions. The
// store itself holds each start's nonce and each writer's count. So the whole
// contents can be computed from a few keys, and a lost, torn, doubled or
// resurrected change is one that differs.
package ledger

// Store is a store under test.
type Store interface {
	// Commit makes changes as one transaction. It returns once they are as
	// durable as d asks.
	Commit(changes []Change, d Durability) error
	// View returns the contents as they are now, whatever is committed later.
	View() (View, error)
	// Check runs the store's own checks of its files.
	Check() error
}

// View is the contents of a store at one moment.
type View interface {
	Get(key string) (value []byte, found bool, err error)
	// Scan calls f with every key that begins with prefix, in order. f does not
	// keep the value.
	Scan(prefix string, o Order, f func(key string, value []byte) error) error
	Close() error
}

// Durability is what a transaction survives.
type Durability int

// The durabilities. Whatever a Synced transaction's durability, that of all before
// it is the same.
const (
	Synced   Durability = iota // survives a loss of power
	Buffered                   // may be lost, but only with all that follow
)

// Order is a direction of keys.
type Order int

// The orders.
const (
	Ascending Order = iota
	Descending
)

// Kind is a kind of change.
type Kind int

// The kinds of changes.
const (
	Put         Kind = iota // Key holds Value
	Append                  // Key holds what it held, if it held something, and then Value
	Delete                  // Key holds nothing
	DeleteRange             // from Key up to End, but not End, no key holds anything
)

// Change is one change of a transaction.
type Change struct {
	Kind  Kind
	Key   string
	End   string
	Value []byte
}
