package chain

import (
	"flag"
	"log"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/journal"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
)

const (
	beatEvery = 100 * time.Millisecond
	// deadAfter is longer than readLease: a server that is left out of the chain
	// has stopped answering reads before the next one begins.
	deadAfter = 600 * time.Millisecond
	readLease = 400 * time.Millisecond
)

// A beat says that a server is there, and the config in which it has received all
// that its predecessor has; a head has at once.
type beat struct {
	Server wire.Addr
	Whole  int
}

// master decides the configs, one after another.
type master struct {
	path    string
	servers wire.List
	bug     string

	mu     sync.Mutex
	config Config
	seen   map[wire.Addr]time.Time
}

// MasterMain runs the master until the process ends.
func MasterMain() {
	m := &master{path: "/config.json", seen: map[wire.Addr]time.Time{}}
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := flags.String("listen", "", "`address` to listen on")
	flags.Var(&m.servers, "servers", "`addresses` of the servers")
	flags.StringVar(&m.bug, "bug", "", "`name` of a planted bug")
	flags.Parse(os.Args[1:])
	if err := journal.Load(m.path, &m.config); err != nil {
		log.Fatal(err)
	}
	for _, a := range m.servers {
		m.seen[a] = time.Now() // nobody is dead before it could say so
	}
	mux := http.NewServeMux()
	wire.Handle(mux, "/beat", m.beat)
	log.Fatal(http.ListenAndServe(*listen, mux))
}

// beat answers the config, which is durable before anybody knows it.
func (m *master) beat(b beat) (Config, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[b.Server] = time.Now()
	next := m.config.clone()
	if i := next.place(b.Server); i >= 0 && b.Whole == next.Num {
		next.Chain[i].Whole = true
	}
	next = m.reconfigure(next)
	if !next.equal(m.config) {
		next.Num++
		log.Printf("config %+v", next)
	}
	if next.Num != m.config.Num || !slices.Equal(next.Chain, m.config.Chain) {
		if err := journal.Replace(m.path, next); err != nil {
			return Config{}, err
		}
		m.config = next
	}
	return m.config, nil
}

// reconfigure leaves out the dead, if one that is whole is left, and then adds one
// that is alive at the end.
func (m *master) reconfigure(c Config) Config {
	if len(c.Chain) == 0 && c.Num == 0 {
		c.Chain = []Member{{m.servers[0], true}}
	}
	alive := slices.DeleteFunc(slices.Clone(c.Chain), func(s Member) bool { return !m.alive(s.Addr) })
	if !slices.ContainsFunc(alive, func(s Member) bool { return s.Whole || m.bug == bugJoinsWhole }) {
		return c // wait for one
	}
	for len(alive) > 0 && !alive[0].Whole && m.bug != bugJoinsWhole {
		alive = alive[1:]
	}
	c.Chain = alive
	for _, a := range m.servers {
		if m.alive(a) && c.place(a) < 0 {
			c.Chain = append(c.Chain, Member{Addr: a})
			break
		}
	}
	return c
}

func (m *master) alive(a wire.Addr) bool { return time.Since(m.seen[a]) < deadAfter }
