package twophase

import (
	"flag"
	"log"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// inquireAfter is how long a participant that has voted waits before it asks.
const inquireAfter = 300 * time.Millisecond

// opening is the balance that every account has at first.
const opening = 100

// participant holds accounts.
type participant struct {
	coordinator wire.Addr
	bug         string
	log         *journal.Journal

	mu       sync.Mutex
	balances Balances
	locks    map[string]string // account to the transaction that has voted for it
	voted    map[string]promise
	done     map[string]verdict
}

// promise is what a participant that voted yes must be able to do.
type promise struct {
	moves []Move
	since time.Time
}

// record is a vote, if it has moves, or else a decision.
type record struct {
	Txn     string
	Moves   []Move  `json:",omitempty"`
	Verdict verdict `json:",omitempty"`
}

// A Ledger is what a participant has done.
type Ledger struct {
	Balances Balances
	Done     map[string]verdict // of each transaction that it knows the end of
	InDoubt  int
}

// ParticipantMain runs a participant until the process ends.
func ParticipantMain() {
	p := &participant{balances: Balances{}, locks: map[string]string{}, voted: map[string]promise{}, done: map[string]verdict{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar((*string)(&p.coordinator), "coordinator", "", "`address` of the coordinator")
	flags.StringVar(&p.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if p.log, err = journal.Open("/votes", p.apply); err != nil {
		log.Fatal(err)
	}
	if p.bug == bugLocksForgotten {
		clear(p.locks)
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/prepare", p.prepare)
	wire.Handle(mux, "/decide", p.decide)
	wire.Handle(mux, "/ledger", p.ledger)
	go p.inquire()
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// apply takes a record that is in the log.
func (p *participant) apply(r record) {
	if r.Verdict == "" {
		p.voted[r.Txn] = promise{r.Moves, time.Now()}
		for _, m := range r.Moves {
			if !p.readsUnlocked(m) {
				p.locks[m.Account] = r.Txn
			}
		}
		return
	}
	for _, m := range p.voted[r.Txn].moves {
		if p.locks[m.Account] == r.Txn {
			delete(p.locks, m.Account)
		}
		if r.Verdict == committed {
			p.balances[m.Account] += m.Amount
		}
	}
	if p.bug != bugCommitTwice || r.Verdict == aborted {
		delete(p.voted, r.Txn)
	}
	p.done[r.Txn] = r.Verdict
}

// prepare votes: yes is a promise that outlives a crash, no is a refusal.
func (p *participant) prepare(t Transaction) (Balances, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, over := p.done[t.ID]; over {
		return nil, wire.Refuse("%s is over", t.ID)
	}
	read := Balances{}
	for _, m := range t.Moves {
		if p.locks[m.Account] != "" && !p.readsUnlocked(m) {
			return nil, wire.Refuse("%s is locked by %s", m.Account, p.locks[m.Account])
		}
		read[m.Account] = opening + p.balances[m.Account]
		if read[m.Account]+m.Amount < 0 {
			return nil, wire.Refuse("%s has %d", m.Account, read[m.Account])
		}
	}
	r := record{Txn: t.ID, Moves: t.Moves}
	if err := p.keepVote(r); err != nil {
		log.Fatal(err)
	}
	p.apply(r)
	return read, nil
}

func (p *participant) keepVote(r record) error {
	if p.bug == bugVoteUnsynced {
		return p.log.Write(r)
	}
	return p.log.Append(r)
}

// decide carries out what the coordinator has decided. A transaction that is not
// known has been decided before, and the answer was lost.
func (p *participant) decide(d decision) (struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end(d)
	return struct{}{}, nil
}

// end must be called with mu held.
func (p *participant) end(d decision) {
	if _, known := p.voted[d.Txn]; !known && (d.Verdict == committed || p.done[d.Txn] != "") {
		return
	}
	r := record{Txn: d.Txn, Verdict: d.Verdict}
	if err := p.log.Append(r); err != nil {
		log.Fatal(err)
	}
	p.apply(r)
}

// inquire asks the coordinator for the transactions that are in doubt.
func (p *participant) inquire() {
	for {
		time.Sleep(inquireAfter / 2)
		for _, txn := range p.inDoubt() {
			d, err := wire.Call[decision](p.coordinator, "/inquire", decision{Txn: txn}, decideTimeout)
			if err != nil && p.bug == bugUnilateral {
				d, err = decision{txn, aborted}, nil
			}
			if err == nil && d.Verdict != pending {
				p.decide(d)
			}
		}
	}
}

// inDoubt returns the transactions that wait for their decision for long.
func (p *participant) inDoubt() (txns []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, txn := range slices.Sorted(maps.Keys(p.voted)) {
		if time.Since(p.voted[txn].since) > inquireAfter && p.done[txn] == "" {
			txns = append(txns, txn)
		}
	}
	return txns
}

func (p *participant) ledger(struct{}) (Ledger, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := Ledger{Balances: maps.Clone(p.balances), Done: maps.Clone(p.done)}
	for txn := range p.voted {
		if p.done[txn] == "" {
			l.InDoubt++
		}
	}
	return l, nil
}
