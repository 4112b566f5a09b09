package lease

import (
	"flag"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	lockTimeout  = 1500 * time.Millisecond
	storeTimeout = 700 * time.Millisecond
	holdMost     = 3 * lifetime // then it is another's turn
	askEvery     = 50 * time.Millisecond
	releaseTries = 3
)

// A Swap changes the value from one to another.
type Swap struct{ Old, New string }

// A Result is the value before, and whether it was changed.
type Result struct {
	Value string
	Done  bool
}

// worker reads and changes the value while it holds the lock.
type worker struct {
	lock, store wire.Addr
	bug         string

	mu sync.Mutex
	// token is of the lease that this worker may hold, 0 if it holds none. It
	// holds it before until.
	token int
	until time.Time
	seq   int // of the last request to the store with this token
	// value is what the store holds, if known is set and the lease lasts.
	value string
	known bool
}

// WorkerMain runs a worker until the process ends.
func WorkerMain() {
	w := &worker{}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar((*string)(&w.lock), "lock", "", "`address` of the lock service")
	flags.StringVar((*string)(&w.store), "store", "", "`address` of the store")
	flags.StringVar(&w.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	go w.takeTurns()
	mux := http.NewServeMux()
	wire.Handle(mux, "/get", w.get)
	wire.Handle(mux, "/swap", w.swap)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// takeTurns takes the lock, holds it for a while, though no longer than the lease
// lasts, and lets it go.
func (w *worker) takeTurns() {
	for {
		asked := w.now()
		g, err := wire.Call[grant](w.lock, "/acquire", struct{}{}, lockTimeout)
		if err != nil {
			time.Sleep(askEvery)
			continue
		}
		if w.bug == bugLeaseFromAnswer {
			asked = w.now()
		}
		w.mu.Lock()
		w.token, w.until, w.seq, w.known = g.Token, asked.Add(lifetime), 0, false
		w.mu.Unlock()
		time.Sleep(rand.N(holdMost))
		w.mu.Lock()
		w.token = 0
		w.mu.Unlock()
		go w.release(g)
		time.Sleep(askEvery)
	}
}

// release may come to nothing: the lease ends all the same.
func (w *worker) release(g grant) {
	for range releaseTries {
		if _, err := wire.Call[struct{}](w.lock, "/release", g, lockTimeout); err == nil {
			return
		}
	}
}

// now reads the clock that leases are measured by, which nobody can set.
func (w *worker) now() time.Time {
	if w.bug == bugWallClock {
		return time.Now().Round(0)
	}
	return time.Now()
}

// held refuses to work without a lease. The caller holds mu.
func (w *worker) held() error {
	if w.token == 0 || !w.now().Before(w.until) {
		return wire.Refuse("no lease")
	}
	return nil
}

func (w *worker) get(struct{}) (Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.read()
}

func (w *worker) swap(s Swap) (Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, err := w.read()
	if err != nil || r.Value != s.Old {
		return r, err
	}
	if w.bug == bugSwapRace {
		return Result{r.Value, true}, w.askUnlocked(s.New)
	}
	_, err = w.ask(&s.New)
	return Result{r.Value, true}, err
}

// read returns the value: a copy, if there is one. If it fails nothing was done. The
// caller holds mu.
func (w *worker) read() (Result, error) {
	if err := w.held(); err != nil {
		return Result{}, err
	}
	if w.known {
		return Result{Value: w.value}, nil
	}
	value, err := w.ask(nil)
	if err != nil {
		return Result{}, wire.Refuse("read: %v", err)
	}
	return Result{Value: value}, nil
}

// ask makes a request to the store. If it fails, what the store holds is not known
// until a later one, whose fence leaves the failed one behind. The caller holds mu.
func (w *worker) ask(value *string) (string, error) {
	w.seq++
	w.known = false
	r := request{fence{w.token, w.seq}, value}
	got, err := wire.Call[string](w.store, "/request", r, storeTimeout)
	w.value, w.known = got, err == nil
	return got, err
}
