// Package chain is a key-value service by chain replication (van Renesse and
// Schneider, 2004): writes enter at the head and go down the chain, reads are
// answered by the tail. A master leaves dead servers out of the chain, and adds
// others at its end.
package chain

import (
	"flag"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"
)

const callTimeout = 300 * time.Millisecond

// server is one member, or one that waits to be.
type server struct {
	self   wire.Addr
	master wire.Addr
	bug    string

	pass sync.Mutex // held while the successor is told something

	mu     sync.Mutex
	config Config // the latest that is known
	// whole is the number of the config in which all of the predecessor's log has
	// been received.
	whole int
	// passed is how many entries the successor holds, in config passedIn. It is not
	// known while passedIn is another.
	passed, passedIn int
	lease            time.Time // until which the config is the master's, for certain
	log              *history
}

// ServerMain runs a server until the process ends.
func ServerMain() {
	s := &server{}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flags.StringVar((*string)(&s.self), "listen", "", "`address` to listen on")
	flags.StringVar((*string)(&s.master), "master", "", "`address` of the master")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if s.log, err = openHistory("/log", s.bug); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/do", s.do)
	wire.Handle(mux, "/append", s.append)
	go s.beat()
	go s.keepPassing()
	log.Fatal(http.ListenAndServe(string(s.self), mux))
}

// beat keeps up with the configs.
func (s *server) beat() {
	for {
		asked := time.Now()
		s.mu.Lock()
		b := beat{s.self, s.whole}
		s.mu.Unlock()
		if c, err := wire.Call[Config](s.master, "/beat", b, callTimeout); err == nil {
			s.mu.Lock()
			s.adopt(c)
			if c.Num == s.config.Num {
				s.lease = asked.Add(readLease)
			}
			s.mu.Unlock()
		}
		time.Sleep(beatEvery)
	}
}

// adopt takes a config that is newer than ours. A head has nothing to receive.
func (s *server) adopt(c Config) {
	if c.Num > s.config.Num {
		s.config = c
	}
	if s.config.isHead(s.self) {
		s.whole = s.config.Num
	}
}

// keepPassing brings a new successor up to date without waiting for a write.
func (s *server) keepPassing() {
	for {
		time.Sleep(beatEvery)
		s.passOn()
	}
}

// do does an operation, as the head or as the tail.
func (s *server) do(op kv.Op) (kv.Result, error) {
	if op.Type == "get" {
		return s.read(op.Key)
	}
	s.mu.Lock()
	if !s.config.isHead(s.self) {
		defer s.mu.Unlock()
		return kv.Result{}, wire.Refuse("%s is not the head", s.self)
	}
	if s.passedIn != s.config.Num { // do not pile up what may never be passed on
		defer s.mu.Unlock()
		return kv.Result{}, wire.Refuse("the successor of %s has not caught up", s.self)
	}
	r, config, size := s.log.add(op), s.config.Num, s.log.len()
	s.mu.Unlock()
	if s.bug == bugAckAtHead {
		return r, nil
	}
	return r, s.passUpTo(config, size)
}

// read is for the tail, which holds what all others hold, and while it surely is one.
func (s *server) read(key string) (kv.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.bug == bugDirtyRead && s.config.isHead(s.self):
		return s.log.read(key), nil
	case !s.config.isTail(s.self):
		return kv.Result{}, wire.Refuse("%s is not the tail", s.self)
	case s.whole != s.config.Num:
		return kv.Result{}, wire.Refuse("%s has not caught up", s.self)
	case time.Now().After(s.lease) && s.bug != bugNoReadLease:
		return kv.Result{}, wire.Refuse("%s may not be the tail any more", s.self)
	}
	return s.log.read(key), nil
}
