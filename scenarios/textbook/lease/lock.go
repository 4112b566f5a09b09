// Package lease is a lock service whose locks are leases with fencing tokens, a
// store that obeys the tokens, and workers that hold the lock in turn to change the
// value in the store. A worker answers reads from its own copy while its lease lasts.
package lease

import (
	"flag"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// lifetime is how long a lease lasts: for its holder since it asked, for the lock
// service since it was granted, which is later.
const lifetime = time.Second

// A grant is a lease by its token. Each token is larger than all before it.
type grant struct{ Token int }

// lock is the lock service's one lock.
type lock struct {
	bug string
	log *journal.Journal

	mu    sync.Mutex
	token int       // of the last grant
	until time.Time // when it ends, on the monotonic clock
}

// LockMain runs the lock service until the process ends.
func LockMain() {
	l := &lock{}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&l.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if l.log, err = journal.Open("/grants", func(g grant) { l.token = g.Token }); err != nil {
		log.Fatal(err)
	}
	if l.bug != bugNoGrace {
		l.until = time.Now().Add(lifetime) // the last grant may be from just before
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/acquire", l.acquire)
	wire.Handle(mux, "/release", l.release)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

func (l *lock) acquire(struct{}) (grant, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Now().Before(l.until) {
		return grant{}, wire.Refuse("held by token %d", l.token)
	}
	next := grant{l.token + 1}
	if err := l.log.Append(next); err != nil {
		log.Fatal(err)
	}
	l.token, l.until = next.Token, time.Now().Add(lifetime)
	return next, nil
}

// release ends a lease, unless it has ended: the request may be late, or a repetition.
func (l *lock) release(g grant) (struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g.Token == l.token || l.bug == bugForeignUnlock {
		l.until = time.Time{}
	}
	return struct{}{}, nil
}
