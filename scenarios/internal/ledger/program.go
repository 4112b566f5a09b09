package ledger

import (
	"encoding/binary"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Options configures the program.
type Options struct {
	Writers int
	// Buffered is how many of a hundred transactions are committed Buffered.
	Buffered int
}

// Main opens a store, checks its contents and commits transactions until the
// process ends. It exits with a status that is not 0 at whatever is wrong.
func Main(open func() (Store, error), o Options) {
	log.SetFlags(0)
	store, err := open()
	if err != nil {
		log.Fatalf("open: %v", err)
	}
	p := &program{store: store, o: o, nonce: rand.Uint64(), done: make([]uint64, o.Writers)}
	starts, err := p.load()
	if err != nil {
		log.Fatalf("after opening: %v", err)
	}
	fmt.Println(opened + counts(p.done))
	if err := p.store.Commit([]Change{p.startRecord(starts)}, Synced); err != nil {
		log.Fatalf("commit: %v", err)
	}
	var all sync.WaitGroup
	for i := range p.writers {
		all.Go(func() {
			if err := p.writers[i].work(); err != nil {
				log.Fatalf("writer %d: %v", i, err)
			}
		})
	}
	all.Wait()
}

type program struct {
	store   Store
	o       Options
	nonce   uint64
	writers []*writer

	mu   sync.Mutex
	done []uint64 // of each writer, the last transaction that was committed
}

// startRecord says that from here on transactions are this start's.
func (p *program) startRecord(i int) Change {
	value := binary.BigEndian.AppendUint64(nil, p.nonce)
	for _, n := range p.done {
		value = binary.BigEndian.AppendUint64(value, n)
	}
	return Change{Kind: Put, Key: startKey(i), Value: value}
}

// start is a start of the program, and what there was of each writer by then.
type start struct {
	nonce uint64
	done  []uint64
}

// load checks the store and returns how many starts there were before. The
// writers' contents are those that it has found.
func (p *program) load() (starts int, err error) {
	if err := p.store.Check(); err != nil {
		return 0, err
	}
	v, err := p.store.View()
	if err != nil {
		return 0, err
	}
	defer v.Close()
	all, err := p.starts(v)
	if err != nil {
		return 0, err
	}
	for i := range p.o.Writers {
		w := &writer{p: p, index: i, holds: contents{values: map[int][]data{}}}
		if err := w.load(v, all); err != nil {
			return 0, err
		}
		p.writers = append(p.writers, w)
		p.done[i] = w.holds.count
	}
	return len(all), nil
}

// starts reads the records of all starts, of which none may be missing.
func (p *program) starts(v View) (out []start, err error) {
	err = v.Scan(startPrefix, Ascending, func(key string, value []byte) error {
		if want := startKey(len(out)); key != want {
			return fmt.Errorf("found %s, want %s", key, want)
		}
		if want := 8 * (1 + p.o.Writers); len(value) != want {
			return fmt.Errorf("%s holds %d bytes, want %d", key, len(value), want)
		}
		s := start{nonce: binary.BigEndian.Uint64(value)}
		for i := range p.o.Writers {
			s.done = append(s.done, binary.BigEndian.Uint64(value[8*(1+i):]))
		}
		out = append(out, s)
		return nil
	})
	return out, err
}

// commit commits a transaction, and says how far every writer is if that must last.
func (p *program) commit(t transaction, d Durability) error {
	p.mu.Lock()
	lasts := slices.Clone(p.done)
	p.mu.Unlock()
	lasts[t.writer] = t.n
	if err := p.store.Commit(t.changes(), d); err != nil {
		return fmt.Errorf("commit %d: %w", t.n, err)
	}
	p.mu.Lock()
	p.done[t.writer] = t.n
	p.mu.Unlock()
	if d == Synced {
		fmt.Println(acked + counts(lasts))
	}
	return nil
}

// writer commits transactions about its own keys.
type writer struct {
	p     *program
	index int
	holds contents
	held  []heldView
}

// heldView is a view and what it holds.
type heldView struct {
	view  View
	holds contents
	until uint64 // the transaction after which it is looked at
}

// load computes what the store should hold of the writer's, and checks that it does.
func (w *writer) load(v View, starts []start) error {
	var count uint64
	if value, found, err := v.Get(counterKey(w.index)); err != nil {
		return err
	} else if found && len(value) == 8 {
		count = binary.BigEndian.Uint64(value)
	}
	for i, s := range starts {
		end := count
		if i+1 < len(starts) {
			end = starts[i+1].done[w.index]
		}
		if s.done[w.index] != w.holds.count {
			return fmt.Errorf("start %d found %d transactions of writer %d, want %d", i, s.done[w.index], w.index, w.holds.count)
		}
		for n := w.holds.count + 1; n <= end; n++ {
			w.holds.apply(transaction{s.nonce, w.index, n})
		}
	}
	if w.holds.count != count {
		return fmt.Errorf("%d transactions of writer %d, but the starts tell of %d", count, w.index, w.holds.count)
	}
	return w.holds.compare(v, w.index)
}

// work commits until something is wrong.
func (w *writer) work() error {
	for {
		t := transaction{w.p.nonce, w.index, w.holds.count + 1}
		d := Synced
		if rand.IntN(100) < w.p.o.Buffered {
			d = Buffered
		}
		if err := w.p.commit(t, d); err != nil {
			return err
		}
		w.holds.apply(t)
		if err := w.look(); err != nil {
			return fmt.Errorf("after transaction %d: %w", t.n, err)
		}
		time.Sleep(rand.N(10 * time.Millisecond))
	}
}

// look holds a view now and then, and compares those that were held for long.
func (w *writer) look() error {
	if rand.IntN(20) == 0 {
		v, err := w.p.store.View()
		if err != nil {
			return err
		}
		w.held = append(w.held, heldView{v, w.holds.clone(), w.holds.count + rand.Uint64N(30)})
	}
	var still []heldView
	for _, h := range w.held {
		if w.holds.count < h.until {
			still = append(still, h)
			continue
		}
		if err := h.holds.compare(h.view, w.index); err != nil {
			return fmt.Errorf("a view from after transaction %d: %w", h.holds.count, err)
		}
		if err := h.view.Close(); err != nil {
			return err
		}
	}
	w.held = still
	return nil
}
