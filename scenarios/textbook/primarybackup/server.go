// Package primarybackup is a key-value service of one primary and one backup, which
// takes over when a view service says so. Every operation of a primary, a read too,
// is confirmed by its backup, which obeys the primary of its own view alone: one
// that was deposed without knowing can do nothing.
package primarybackup

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"
)

const callTimeout = 300 * time.Millisecond

// server is one replica.
type server struct {
	self  wire.Addr
	views wire.Addr
	bug   string

	ops sync.Mutex // held for the whole of an operation: a primary does one at a time

	mu   sync.Mutex
	view View // the latest that is known
	// synced is set while the view's backup has confirmed all that we have.
	synced bool
	state  state
	log    *journal.Journal
}

// ServerMain runs a replica until the process ends.
func ServerMain() {
	var s server
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flags.StringVar((*string)(&s.self), "listen", "", "`address` to listen on")
	flags.StringVar((*string)(&s.views), "views", "", "`address` of the view service")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if s.log, err = journal.Open("/log", s.state.apply); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/do", s.do)
	wire.Handle(mux, "/forward", s.forward)
	wire.Handle(mux, "/copy", s.copy)
	go s.ping()
	go s.keepSynced()
	log.Fatal(http.ListenAndServe(string(s.self), mux))
}

// ping keeps up with the views.
func (s *server) ping() {
	for {
		s.mu.Lock()
		p := ping{s.self, s.view.Num}
		if s.view.Primary == s.self && !s.synced {
			p.Num = 0
		}
		s.mu.Unlock()
		if v, err := wire.Call[View](s.views, "/ping", p, callTimeout); err == nil {
			s.mu.Lock()
			s.adopt(v)
			s.mu.Unlock()
		}
		time.Sleep(pingEvery)
	}
}

func (s *server) adopt(v View) {
	if v.Num > s.view.Num {
		s.view, s.synced = v, v.Backup == ""
	}
}

// keepSynced brings a new backup up to date without waiting for an operation.
func (s *server) keepSynced() {
	for {
		time.Sleep(pingEvery)
		s.ops.Lock()
		s.sync()
		s.ops.Unlock()
	}
}

// do does an operation, as the primary.
func (s *server) do(op kv.Op) (kv.Result, error) {
	if s.bug == bugCASRace && op.Type == "cas" {
		return s.casUnlocked(op)
	}
	if op.Type == "get" && s.readsAlone() {
		return s.read(op.Key), nil
	}
	s.ops.Lock()
	defer s.ops.Unlock()
	return s.doLocked(op)
}

func (s *server) doLocked(op kv.Op) (kv.Result, error) {
	v, err := s.lead()
	if err != nil {
		return kv.Result{}, err
	}
	before := s.read(op.Key)
	if op.Type == "get" || op.Type == "cas" && before.Value != op.Old {
		return before, s.confirm(v)
	}
	return kv.Result{Value: before.Value, Done: true}, s.write(v, op)
}

// lead returns the view in which this server is the primary, and its backup up to
// date.
func (s *server) lead() (View, error) {
	if s.bug == bugAckFirst {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.view.Primary != s.self {
			return View{}, wire.Refuse("%s is not the primary", s.self)
		}
		return s.view, nil
	}
	return s.sync()
}

// sync has the backup hold all that the primary has.
func (s *server) sync() (View, error) {
	s.mu.Lock()
	v, synced, state := s.view, s.synced, s.state.clone()
	s.mu.Unlock()
	if v.Primary != s.self {
		return v, wire.Refuse("%s is not the primary", s.self)
	}
	if synced {
		return v, nil
	}
	if _, err := wire.Call[struct{}](v.Backup, "/copy", message{View: v, State: &state}, callTimeout); err != nil {
		return v, wire.Refuse("the backup: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view != v {
		return v, wire.Refuse("the view has changed")
	}
	s.synced = true
	return v, nil
}

// write makes a change durable here and then at the backup: at no time has a backup
// what its primary has not.
func (s *server) write(v View, op kv.Op) error {
	e, err := s.writeHere(v, op)
	if err != nil || s.bug == bugAckFirst {
		return err
	}
	return s.tell(v, message{View: v, Entry: &e})
}

// writeHere changes the state of a primary: that of a view's backup is another's.
func (s *server) writeHere(v View, op kv.Op) (entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view != v {
		return entry{}, wire.Refuse("the view has changed")
	}
	e := entry{Seq: s.state.Seq + 1, Key: op.Key, Value: op.Value}
	s.append(e)
	if s.bug == bugAckFirst {
		s.synced = v.Backup == ""
	}
	return e, nil
}

// confirm makes sure that the backup knows no later view.
func (s *server) confirm(v View) error {
	if s.bug == bugAckFirst {
		return nil
	}
	if err := s.tell(v, message{View: v}); err != nil {
		return wire.Refuse("the backup: %v", err)
	}
	return nil
}

// tell sends to the backup, which is out of date if that fails.
func (s *server) tell(v View, m message) error {
	if v.Backup == "" {
		return nil
	}
	_, err := wire.Call[struct{}](v.Backup, "/forward", m, callTimeout)
	if err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view == v {
		s.synced = false
	}
	// No refusal even if err is one: we have the change, and may pass it on yet.
	return fmt.Errorf("the backup: %v", err)
}

func (s *server) read(key string) kv.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return kv.Result{Value: s.state.Data[key]}
}

// append makes an entry durable and applies it. The caller holds mu.
func (s *server) append(e entry) {
	if err := s.log.Append(e); err != nil {
		log.Fatal(err) // what is on the disk is not known
	}
	s.state.apply(e)
}
