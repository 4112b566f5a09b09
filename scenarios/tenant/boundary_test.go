package tenant

import (
	"fmt"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/sim"
)

// tenants are such that one's name begins with another's, and that names put together
// with those of exports meet.
var tenants = []string{"acme", "acme2", "acme-eu"}

func TestBoundary(t *testing.T) {
	sim.Test(t, boundary, sim.Param("surface", "api", "search", "export", "metrics"), bugParam(boundaryBugs), workload.Param(), sim.Seeds("1-3"))
}

func boundary(w *sim.World) {
	v := start(w, 4*time.Millisecond, tenants...)
	h := oracle.NewHistory(w)
	s := surfaces[w.Param("surface")]
	users := make([]*user, len(tenants))
	for i, name := range tenants {
		users[i] = &user{
			name: name, index: i + 1, process: name, surface: w.Param("surface"), client: v.client(i),
			h: h, all: users, docs: map[string]*document{},
		}
		users[i].enroll()
	}
	for i, c := range w.Clients("c", len(tenants)) {
		c.Run(func() { users[i].live(w, c, s) })
	}
	w.SafetyFor(15 * time.Second)
	w.Faults(sim.Swarm(
		sim.Crashes().For(time.Second).Most(8), sim.Kills().For(time.Second).Most(8), sim.Pauses().For(time.Second),
		sim.Partitions().For(time.Second), sim.Cuts().For(time.Second), sim.Delays().For(2*time.Second), sim.SlowDisks().For(2*time.Second),
	))
	w.Recovers("every control is answered", 2*time.Minute, func() error { return settle(v, users, s) })
	w.Check(oracle.Boundary(h, rules(w.Param("surface"))))
	tally(w, h)
}

// rules are what must have been tried, and what may differ.
func rules(surface string) oracle.BoundaryRules {
	r := oracle.BoundaryRules{Surfaces: []string{surface}, Variable: variable, Confusable: []oracle.Confusion{oracle.PrefixName}}
	switch surface {
	case "api":
		r.Timed = []string{"get"}
		r.Confusable = append(r.Confusable, oracle.SameName)
	case "search":
		r.Confusable = append(r.Confusable, oracle.SameName)
	case "export":
		r.Confusable = append(r.Confusable, oracle.SameName, oracle.JoinedName)
	}
	return r
}

// live works, and tries what others have, as long as faults come.
func (u *user) live(w *sim.World, c *sim.Client, s surface) {
	for op := range workload.Ops(w, c, 80*time.Millisecond) {
		if op.Intn(2) == 0 {
			s.work[op.Intn(len(s.work))](u, op)
			continue
		}
		if p, ok := s.probes[op.Intn(len(s.probes))](u, op); ok {
			u.try(op, p)
		}
	}
}

// settle makes every control once, when the background has caught up.
func settle(v *service, users []*user, s surface) error {
	for _, u := range users {
		u.process = "end-" + u.name
		if err := u.prepare(); err != nil {
			return err
		}
	}
	if err := v.idle(); err != nil {
		return err
	}
	for _, u := range users {
		for _, own := range s.settle {
			if err := own(u); err != nil {
				return err
			}
		}
		for _, probe := range s.probes {
			for _, c := range []chooser{first{}, second{}} {
				p, ok := probe(u, c)
				if !ok {
					continue
				}
				if err := u.try(c, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// prepare gives every user something to find: a document of which no write is late.
func (u *user) prepare() error {
	if !u.settled {
		u.tries++
		if err := u.put(fmt.Sprintf("e%d", u.tries)); err != nil {
			return err
		}
		u.settled = true
	}
	if u.surface != "export" || u.asked {
		return nil
	}
	err := u.export(lastExport)
	u.asked = err == nil
	return err
}
