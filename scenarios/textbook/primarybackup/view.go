package primarybackup

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

// A View says who serves. Views are numbered from 1; each has one primary, and a
// backup or none.
type View struct {
	Num             int
	Primary, Backup wire.Addr
}

// A ping says that a server is there, and in which view it is ready: a primary is
// when its backup holds its state.
type ping struct {
	Server wire.Addr
	Num    int
}

const (
	pingEvery = 100 * time.Millisecond
	deadAfter = 500 * time.Millisecond // since the last ping
)

// viewService decides the views, one after another.
type viewService struct {
	path    string
	servers wire.List
	bug     string

	mu   sync.Mutex
	view View
	// ready is set when the view's primary has said that it is: its backup may
	// follow it.
	ready bool
	seen  map[wire.Addr]time.Time
}

// ViewMain runs the view service until the process ends.
func ViewMain() {
	s := &viewService{path: "/view.json", seen: map[wire.Addr]time.Time{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.Var(&s.servers, "servers", "`addresses` of the servers")
	flags.StringVar(&s.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	if err := journal.Load(s.path, &s.view); err != nil {
		log.Fatal(err)
	}
	for _, a := range s.servers {
		s.seen[a] = time.Now() // nobody is dead before it could say so
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/ping", s.ping)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// ping answers the view, which is durable before anybody knows it.
func (s *viewService) ping(p ping) (View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[p.Server] = time.Now()
	if p.Server == s.view.Primary && p.Num == s.view.Num {
		s.ready = true
	}
	if next := s.next(); next != s.view {
		next.Num++
		if err := journal.Replace(s.path, next); err != nil {
			return View{}, err
		}
		s.view, s.ready = next, false
		log.Printf("view %+v", next)
	}
	return s.view, nil
}

// next is who should serve now. Only a backup of a view that is ready becomes
// primary; a primary that has none is waited for.
func (s *viewService) next() View {
	v := s.view
	if v.Primary == "" {
		v.Primary = s.idle(v)
	}
	if s.ready && !s.alive(v.Primary) && s.alive(v.Backup) {
		v.Primary, v.Backup = v.Backup, ""
	}
	if s.bug == bugUnclean && !s.alive(v.Primary) {
		if next := s.idle(v); next != "" {
			v.Primary = next
		}
	}
	if !s.alive(v.Backup) {
		v.Backup = ""
		v.Backup = s.idle(v)
	}
	return v
}

func (s *viewService) alive(a wire.Addr) bool {
	return a != "" && time.Since(s.seen[a]) < deadAfter
}

func (s *viewService) idle(v View) wire.Addr {
	for _, a := range s.servers {
		if s.alive(a) && a != v.Primary && a != v.Backup {
			return a
		}
	}
	return ""
}
