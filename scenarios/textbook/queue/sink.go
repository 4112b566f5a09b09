package queue

import (
	"flag"
	"log"
	"net/http"
	"os"
	"slices"
	"sync"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// sinkState is what a sink has done, and of which messages, in one file: neither is
// there without the other.
type sinkState struct {
	Bodies []string // in the order in which they were done
	Seqs   []int
}

// sink does the work of each message once.
type sink struct {
	path string
	bug  string

	mu    sync.Mutex
	state sinkState
	seen  map[int]bool
}

// SinkMain runs the sink until the process ends.
func SinkMain() {
	s := &sink{path: "/done.json", seen: map[int]bool{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	if err := journal.Load(s.path, &s.state); err != nil {
		log.Fatal(err)
	}
	for _, seq := range s.state.Seqs {
		s.seen[seq] = s.bug != bugDedupInMemory
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/do", s.do)
	wire.Handle(mux, "/done", s.done)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// do does the work of a message, unless it has done it.
func (s *sink) do(m Message) (struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[m.Seq] {
		return struct{}{}, nil
	}
	if s.bug == bugDedupRace {
		s.askOthers()
	}
	next := sinkState{append(slices.Clone(s.state.Bodies), m.Body), append(slices.Clone(s.state.Seqs), m.Seq)}
	replace := journal.Replace
	if s.bug == bugRenameUnsynced {
		replace = journal.ReplaceLater
	}
	if err := replace(s.path, next); err != nil {
		log.Fatal(err)
	}
	s.state = next
	s.seen[m.Seq] = true
	return struct{}{}, nil
}

// done is all work that was done, in order.
func (s *sink) done(struct{}) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Bodies, nil
}
