// Package crdt is a replicated counter without a leader: each replica takes
// additions at any time, and they tell each other by UDP what the other may not know
// yet, until it says that it does.
package crdt

import (
	"flag"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// replica is one copy of the counter.
type replica struct {
	self string
	bug  string
	log  *journal.Journal
	conn *net.UDPConn

	mu      sync.Mutex
	counter Counter
	peers   []*peer
}

// ReplicaMain runs a replica until the process ends.
func ReplicaMain() {
	r := &replica{counter: Counter{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&r.self, "name", "", "this replica's `name`, for ever")
	gossip := flags.String("gossip", "", "`address` to gossip at")
	peers := flags.String("peers", "", "where the others gossip: `addresses`, separated by commas")
	flags.StringVar(&r.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	if err := r.open(*gossip, strings.Split(*peers, ",")); err != nil {
		log.Fatal(err)
	}
	go r.listen()
	go r.gossip()
	mux := http.NewServeMux()
	wire.Handle(mux, "/add", r.add)
	wire.Handle(mux, "/read", r.read)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

func (r *replica) open(gossip string, peers []string) (err error) {
	r.log, err = journal.Open("/slots", func(slots Counter) { maps.Copy(r.counter, slots) })
	if err != nil {
		return err
	}
	at, err := net.ResolveUDPAddr("udp", gossip)
	if err != nil {
		return err
	}
	if r.conn, err = net.ListenUDP("udp", at); err != nil {
		return err
	}
	for _, p := range peers {
		addr, err := net.ResolveUDPAddr("udp", p)
		if err != nil {
			return err
		}
		r.peers = append(r.peers, &peer{addr: addr, news: maps.Clone(r.counter)})
	}
	return nil
}

// add adds an amount to this replica's own slot, which nobody else changes.
func (r *replica) add(amount int) (struct{}, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.counter[r.self].add(amount)
	r.keepOwn(Counter{r.self: s})
	r.learn(r.self, s)
	return struct{}{}, nil
}

func (r *replica) keepOwn(slot Counter) {
	write := r.log.Append
	switch r.bug {
	case bugAddUnsynced:
		write = r.log.Write
	case bugAddRace:
		r.mu.Unlock()
		defer r.mu.Lock()
	}
	r.keep(slot, write)
}

// keep writes slots to the log.
func (r *replica) keep(slots Counter, write func(any) error) {
	if err := write(slots); err != nil {
		log.Fatal(err)
	}
}

// learn sets a slot, which is news to all peers.
func (r *replica) learn(name string, s Slot) {
	r.counter[name] = s
	for _, p := range r.peers {
		p.news[name] = s
	}
}

func (r *replica) read(struct{}) (Counter, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.counter), nil
}
