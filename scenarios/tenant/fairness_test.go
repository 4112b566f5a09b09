package tenant

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/sim"
)

// The tenants of a fairness run: those that may be noisy come first.
var (
	noisyTenants = []string{"acme", "acme2"}
	quietTenants = []string{"acme-eu", "globex"}
)

const (
	calm = 6 * time.Second // until the noisy ones are
	loud = 8 * time.Second

	flock = 24                    // that a noisy tenant makes requests with at once
	round = 10                    // requests that each of them makes, one after another
	again = 20 * time.Millisecond // after one that came to nothing
)

func TestFairness(t *testing.T) {
	sim.Test(t, fairness, sim.Param("load", "steady", "noisy"), bugParam(fairnessBugs), workload.Param(), sim.Seeds("1-3"))
}

func fairness(w *sim.World) {
	all := append(append([]string{}, noisyTenants...), quietTenants...)
	v := start(w, 10*time.Millisecond, all...)
	h := oracle.NewHistory(w)
	// Two clients each, since a p99 takes many calls.
	for n, c := range w.Clients("c", 2*len(all)) {
		i := n / 2
		l := &load{name: all[i], process: c.Name(), client: v.client(i), h: h}
		noisy := w.Param("load") == "noisy" && i < len(noisyTenants) && n%2 == 0
		c.Run(func() { l.live(w, c, noisy) })
	}
	w.SafetyFor(calm + loud)
	// What a fault takes is to be less than what an unfair queue does. A connection whose
	// first packet is lost, in a crash or a partition, takes a second, whoever asks; a slow
	// disk or a delayed packet holds a worker as long.
	const short = 100 * time.Millisecond
	w.Faults(sim.Swarm(sim.Kills().For(short).Most(8), sim.Pauses().For(short).Most(8)))
	w.Recovers("an answer", 20*time.Second, func() error {
		_, err := v.client(0).Do(http.MethodGet, "/t/acme/docs", "")
		return err
	})
	owed := all
	if w.Param("load") == "noisy" {
		owed = quietTenants
	}
	w.Check(oracle.Fair(h, oracle.FairRules{
		Groups: owed, ToOthers: 3, ToBaseline: 3, From: calm, Slack: 200 * time.Millisecond,
		Window: 2 * time.Second, Answers: 6, SurfaceOf: surfaceOf,
	}))
	tally(w, h)
}

// surfaceOf is the way that a request takes.
func surfaceOf(op *oracle.Op) string {
	if op.Type == "search" {
		return "search"
	}
	return "api"
}

// load is one of a tenant's clients.
type load struct {
	name    string
	process string
	client  *Client
	h       *oracle.History
}

// live makes one request after another, or many at once when its time has come.
func (l *load) live(w *sim.World, c *sim.Client, noisy bool) {
	for op := range workload.Ops(w, c, 80*time.Millisecond) {
		if !noisy || w.Elapsed() < calm {
			l.ask(l.process, op.Intn(3))
			continue
		}
		var all sync.WaitGroup
		for i := range flock {
			all.Go(func() { l.hammer(fmt.Sprintf("%s.%d", l.process, i+1)) })
		}
		all.Wait()
	}
}

// hammer asks again and again, hardly waiting when it is refused.
func (l *load) hammer(process string) {
	for range round {
		if l.ask(process, 0) != nil {
			time.Sleep(again)
		}
	}
}

// ask makes a request that takes a worker its time.
func (l *load) ask(process string, kind int) error {
	calls := []struct{ name, method, path, body string }{
		{"search", http.MethodGet, "search?q=report", ""},
		{"get", http.MethodGet, "docs/d1", ""},
		{"put", http.MethodPut, "docs/d1", body(l.name)},
	}
	call := calls[kind]
	p := l.h.Invoke(oracle.Call{Process: process, Type: call.name, Key: l.name})
	_, err := do(p, l.client, call.method, "/t/"+l.name+"/"+call.path, call.body)
	return err
}
