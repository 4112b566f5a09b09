package tenant

import (
	"log"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	backendTimeout = 400 * time.Millisecond
	followEvery    = 50 * time.Millisecond
	saveEvery      = 24 // changes
)

// indexState is what the index knows: the documents as the first changes left them.
type indexState struct {
	Changes int
	Docs    []change // that are there, in the order in which they came
}

// index finds documents by their words. It follows the store, and after a restart goes on
// from what it had saved.
type index struct {
	store wire.Addr
	bug   string

	mu      sync.Mutex
	state   indexState
	head    int // of the store, when it was last heard
	current bool
}

const indexFile = "/index.json"

// follow keeps the index up with the store, for ever.
func (x *index) follow() {
	saved := x.state.Changes
	for ; ; time.Sleep(followEvery) {
		page, err := wire.Call[feed](x.store, "/changes", x.state.Changes, backendTimeout)
		if err != nil {
			continue
		}
		x.take(page)
		if x.state.Changes >= saved+saveEvery {
			if err := journal.Replace(indexFile, x.state); err != nil {
				log.Fatal(err)
			}
			saved = x.state.Changes
		}
	}
}

func (x *index) take(page feed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range page.Changes {
		x.state.Docs = slices.DeleteFunc(x.state.Docs, func(old change) bool { return old.Tenant == c.Tenant && old.ID == c.ID })
		if !c.Deleted {
			x.state.Docs = append(x.state.Docs, c)
		}
	}
	x.state.Changes += len(page.Changes)
	x.head = page.Head
	x.current = x.current || x.state.Changes == x.head
}

// found is the answer to a search.
type found struct {
	Hits  []entry `json:"hits"`
	Total int     `json:"total"`
}

// search finds a tenant's documents. Until the index has caught up after a restart, the
// store looks for them itself.
func (x *index) search(q words) (found, error) {
	x.mu.Lock()
	current := x.current
	x.mu.Unlock()
	if current {
		return x.lookup(q), nil
	}
	if x.bug == bugSearchFallback {
		q.Tenant = ""
	}
	hits, err := wire.Call[[]entry](x.store, "/scan", q, backendTimeout)
	return found{hits, len(hits)}, err
}

func (x *index) lookup(q words) (out found) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range x.state.Docs {
		if !c.has(q.Word) {
			continue
		}
		if c.Tenant == q.Tenant {
			out.Hits = append(out.Hits, c.entry())
			out.Total++
		} else if x.bug == bugSearchTotal {
			out.Total++
		}
	}
	slices.SortFunc(out.Hits, func(a, b entry) int { return strings.Compare(a.ID, b.ID) })
	return out
}
