package lease

import (
	"flag"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

// A fence orders the requests to the store: by the token of the lease, and then as
// its holder made them.
type fence struct{ Token, Seq int }

func (f fence) after(g fence) bool {
	return f.Token > g.Token || f.Token == g.Token && f.Seq > g.Seq
}

// A request reads the value, or sets it if it is given. It is refused if one with a
// later fence, a read too, came before it.
type request struct {
	Fence fence
	Value *string `json:",omitempty"`
}

// store holds the value.
type store struct {
	bug string
	log *journal.Journal

	mu    sync.Mutex
	fence fence // the latest that was seen
	value string
}

// StoreMain runs the store until the process ends.
func StoreMain() {
	s := &store{}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	var err error
	if s.log, err = journal.Open("/requests", s.apply); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/request", s.request)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

func (s *store) apply(r request) {
	s.fence = r.Fence
	if r.Value != nil {
		s.value = *r.Value
	}
}

func (s *store) request(r request) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !r.Fence.after(s.fence) && s.bug != bugNoFencing {
		return "", wire.Refuse("fence %+v, after %+v", r.Fence, s.fence)
	}
	if err := s.log.Append(r); err != nil {
		log.Fatal(err)
	}
	s.apply(r)
	return s.value, nil
}
