// Package twophase moves money between the accounts of several participants, by
// two-phase commit that presumes abort: a coordinator logs that a transaction
// commits, and whoever asks for one that it does not know is told that it aborted.
package twophase

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

const (
	voteTimeout   = 600 * time.Millisecond
	decideTimeout = 300 * time.Millisecond
	decideEvery   = 200 * time.Millisecond // until every participant has the decision
)

// A Move changes an account of a participant.
type Move struct {
	At      wire.Addr
	Account string
	Amount  int
}

// A Transaction is a client's request: all of its moves, or none.
type Transaction struct {
	ID    string // never used twice
	Moves []Move
}

// Balances are of accounts as they were before a transaction.
type Balances map[string]int

// verdict is what became of a transaction.
type verdict string

const (
	pending   verdict = "pending" // its votes are not counted yet
	committed verdict = "committed"
	aborted   verdict = "aborted"
)

type decision struct {
	Txn     string
	Verdict verdict
}

// coordinator runs transactions.
type coordinator struct {
	bug string
	log *journal.Journal

	mu     sync.Mutex
	active map[string]bool
	// commits are the transactions that commit, and which participants may not
	// know that yet.
	commits map[string][]wire.Addr
}

// commitRecord says that a transaction commits, or that all participants know it.
type commitRecord struct {
	Txn      string
	Untold   []wire.Addr
	Finished bool
}

// CoordinatorMain runs the coordinator until the process ends.
func CoordinatorMain() {
	c := &coordinator{active: map[string]bool{}, commits: map[string][]wire.Addr{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&c.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	var unfinished []string
	c.log, err = journal.Open("/commits", func(r commitRecord) {
		c.commits[r.Txn] = r.Untold
		if !r.Finished {
			unfinished = append(unfinished, r.Txn)
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, txn := range unfinished {
		if len(c.commits[txn]) > 0 {
			go c.finish(txn, c.commits[txn])
		}
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/transact", c.transact)
	wire.Handle(mux, "/inquire", c.inquire)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// transact runs a transaction. It is refused if it aborts.
func (c *coordinator) transact(t Transaction) (Balances, error) {
	c.mu.Lock()
	c.active[t.ID] = true
	c.mu.Unlock()
	shares := t.shares()
	balances, err := c.vote(shares)
	if err != nil {
		c.mu.Lock()
		delete(c.active, t.ID)
		c.mu.Unlock()
		for _, s := range shares {
			go tell(s.Moves[0].At, decision{t.ID, aborted})
		}
		return nil, wire.Refuse("aborted: %v", err)
	}
	untold := participants(shares)
	if c.bug == bugDecisionAfter {
		untold = tellAll(untold, decision{t.ID, committed})
	}
	c.commit(t.ID, untold)
	c.finish(t.ID, untold)
	return balances, nil
}

// shares splits a transaction by participants, in the order of its moves.
func (t Transaction) shares() (out []Transaction) {
	at := map[wire.Addr]int{}
	for _, m := range t.Moves {
		i, ok := at[m.At]
		if !ok {
			i = len(out)
			at[m.At] = i
			out = append(out, Transaction{ID: t.ID})
		}
		out[i].Moves = append(out[i].Moves, m)
	}
	return out
}

func participants(shares []Transaction) (out []wire.Addr) {
	for _, s := range shares {
		out = append(out, s.Moves[0].At)
	}
	return out
}

// vote asks all participants at once. No answer is a no.
func (c *coordinator) vote(shares []Transaction) (Balances, error) {
	type vote struct {
		Balances
		error
	}
	votes := make(chan vote)
	for _, s := range shares {
		go func() {
			b, err := wire.Call[Balances](s.Moves[0].At, "/prepare", s, voteTimeout)
			votes <- vote{b, err}
		}()
	}
	all := Balances{}
	var no error
	for range shares {
		v := <-votes
		for account, b := range v.Balances {
			all[account] = b
		}
		if v.error != nil {
			no = v.error
		}
	}
	return all, no
}

// commit makes the decision, which is done once it is durable.
func (c *coordinator) commit(txn string, untold []wire.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.log.Append(commitRecord{Txn: txn, Untold: untold}); err != nil {
		log.Fatal(err) // whether it commits is not known
	}
	c.commits[txn] = untold
	delete(c.active, txn)
}

// finish tells the participants that a transaction commits: once before it returns,
// and then until each has heard it.
func (c *coordinator) finish(txn string, untold []wire.Addr) {
	d := decision{txn, committed}
	untold = tellAll(untold, d)
	go func() {
		for len(untold) > 0 {
			time.Sleep(decideEvery)
			untold = tellAll(untold, d)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.log.Write(commitRecord{Txn: txn, Finished: true}); err != nil {
			log.Fatal(err)
		}
	}()
}

// tellAll returns whom it could not tell.
func tellAll(to []wire.Addr, d decision) (untold []wire.Addr) {
	failed := make([]bool, len(to))
	var wg sync.WaitGroup
	for i, addr := range to {
		wg.Go(func() { failed[i] = tell(addr, d) != nil })
	}
	wg.Wait()
	for i, addr := range to {
		if failed[i] {
			untold = append(untold, addr)
		}
	}
	return untold
}

func tell(to wire.Addr, d decision) error {
	_, err := wire.Call[struct{}](to, "/decide", d, decideTimeout)
	return err
}

// inquire answers a participant that is in doubt.
func (c *coordinator) inquire(d decision) (decision, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, commits := c.commits[d.Txn]
	switch {
	case commits:
		d.Verdict = committed
	case c.active[d.Txn] && c.bug != bugPendingAbort:
		d.Verdict = pending
	case c.bug == bugPresumeCommit:
		d.Verdict = committed
	default:
		d.Verdict = aborted
	}
	return d, nil
}
