// Package tenant keeps documents of several tenants, who are to know nothing of each
// other: a gateway that knows who asks, limits them and shares a pool of workers among
// them, a store, and jobs in the background, which build an index to search and write
// exports.
package tenant

import (
	"flag"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// change is a document as a write left it. Versions of a document count on over its
// deletion: what a cache has of it never fits again.
type change struct {
	Tenant, ID string
	Version    int
	Body       string
	Deleted    bool `json:",omitempty"`
}

// entry is a document as lists show it.
type entry struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func (c *change) entry() entry {
	title, _, _ := strings.Cut(c.Body, "\n")
	return entry{c.ID, title}
}

// has reports whether a word is in the document.
func (c *change) has(word string) bool {
	return !c.Deleted && slices.Contains(strings.Fields(c.Body), word)
}

// store keeps the documents.
type store struct {
	bug string
	log *journal.Journal

	mu      sync.Mutex
	docs    map[string]change // by key
	changes []change          // all, in order
}

// StoreMain runs the store until the process ends.
func StoreMain() {
	s := &store{docs: map[string]change{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if s.log, err = journal.Open("/docs", s.apply); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/write", s.write)
	wire.Handle(mux, "/read", s.read)
	wire.Handle(mux, "/list", s.list)
	wire.Handle(mux, "/scan", s.scan)
	wire.Handle(mux, "/changes", s.since)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// separator is in no name of a tenant.
const separator = "\x00"

func (s *store) apply(c change) {
	key := c.Tenant + separator + c.ID
	s.docs[key] = c
	if c.Deleted && s.bug == bugVersionReset {
		delete(s.docs, key)
	}
	s.changes = append(s.changes, c)
}

// write stores or deletes a document, durably.
func (s *store) write(c change) (version int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Version = s.docs[c.Tenant+separator+c.ID].Version + 1
	write := s.log.Append
	if s.bug == bugPutUnsynced {
		write = s.log.Write
	}
	if err := write(c); err != nil {
		log.Fatal(err)
	}
	s.apply(c)
	return c.Version, nil
}

// query asks for a document. Have is the version that the asker has, if any.
type query struct {
	Tenant, ID string
	Have       int
}

// read returns a document, without its body if that is the one which the asker has.
func (s *store) read(q query) (change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, known := s.docs[q.Tenant+separator+q.ID]
	if !known {
		c.Deleted = true
	}
	if c.Version == q.Have {
		c.Body = ""
	}
	return c, nil
}

// list returns a tenant's documents by id.
func (s *store) list(tenant string) ([]change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	prefix := tenant + separator
	if s.bug == bugListPrefix {
		prefix = tenant
	}
	var keys []string
	for key, c := range s.docs {
		if strings.HasPrefix(key, prefix) && !c.Deleted {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var out []change
	for _, key := range keys {
		out = append(out, s.docs[key])
	}
	return out, nil
}

// words asks for the documents with a word, of one tenant or, for "", of all.
type words struct{ Tenant, Word string }

// scan goes through all documents: it is right without an index, and slow.
func (s *store) scan(q words) (found []entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []string
	for key, c := range s.docs {
		if c.has(q.Word) && (q.Tenant == "" || c.Tenant == q.Tenant) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		c := s.docs[key]
		found = append(found, c.entry())
	}
	return found, nil
}

// feed is a page of changes, and how many there are in all.
type feed struct {
	Changes []change
	Head    int
}

// feedMost is how many changes a page has.
const feedMost = 4

// since returns the changes after the first n.
func (s *store) since(n int) (feed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	head := len(s.changes)
	n = min(n, head)
	return feed{s.changes[n:min(n+feedMost, head)], head}, nil
}
