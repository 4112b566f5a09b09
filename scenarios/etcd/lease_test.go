package etcd

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// leaseTTL is the shortest that etcd grants with its default timeouts.
const leaseTTL = 2 * time.Second

// tenants hold keys by leases. Until a lease could have run out, its key must be
// there; once it is over, the key must go.
type tenants struct {
	w *sim.World

	mu    sync.Mutex
	wrong string // the first that did not find it
}

// work holds one lease after another.
func (ts *tenants) work(c *sim.Client, nodes []*sim.Node, l *ledger) {
	clients := make([]*clientv3.Client, len(nodes))
	for i, n := range nodes {
		clients[i] = dial(n)
	}
	for i := 0; c.Active(); i++ {
		t := &tenant{c, ts, l, clients[c.Choices().Intn(len(clients))], fmt.Sprintf("lease/%s-%d", c.Name(), i), 0, 0}
		t.stay()
		c.Sleep(c.Choices().Between(time.Millisecond, time.Second))
	}
}

// tenant holds one lease.
type tenant struct {
	c     *sim.Client
	ts    *tenants
	l     *ledger
	cl    *clientv3.Client
	key   string
	id    clientv3.LeaseID
	until int64 // true time at which the lease may be over
}

func (t *tenant) stay() {
	if t.grant() != nil || t.put() != nil {
		return
	}
	choices := t.c.Choices()
	for range choices.Intn(6) {
		t.c.Sleep(choices.Between(time.Millisecond, leaseTTL*3/4))
		t.keep()
		t.look()
	}
	if choices.Intn(3) == 0 {
		ctx, cancel := within(callTimeout)
		defer cancel()
		t.until = 0
		t.cl.Revoke(ctx, t.id)
	}
}

func (t *tenant) grant() error {
	ctx, cancel := within(callTimeout)
	defer cancel()
	asked := t.ts.w.Now()
	r, err := t.cl.Grant(ctx, int64(leaseTTL/time.Second))
	if err == nil {
		t.id, t.until = r.ID, asked+r.TTL*int64(time.Second)
	}
	return err
}

func (t *tenant) put() error {
	ctx, cancel := within(callTimeout)
	defer cancel()
	begun := t.l.begin()
	r, err := t.cl.Put(ctx, t.key, "held", clientv3.WithLease(t.id))
	if err == nil {
		ch := change{r.Header.Revision, t.key, "held"}
		t.l.answered(begun, answer{by: t.c.Name(), revision: ch.revision, change: &ch, wrote: true})
	}
	return err
}

// keep renews the lease: once that is answered, it holds its whole time from when
// that was asked.
func (t *tenant) keep() {
	ctx, cancel := within(callTimeout)
	defer cancel()
	asked := t.ts.w.Now()
	if r, err := t.cl.KeepAliveOnce(ctx, t.id); err == nil {
		t.until = max(t.until, asked+r.TTL*int64(time.Second))
	}
}

// look reads the key. A read that is answered before the lease could have run out
// must find it.
func (t *tenant) look() {
	ctx, cancel := within(callTimeout)
	defer cancel()
	begun := t.l.begin()
	r, err := t.cl.Get(ctx, t.key)
	if err != nil {
		return
	}
	read := answer{by: t.c.Name(), revision: r.Header.Revision}
	if len(r.Kvs) > 0 {
		read.change = &change{r.Kvs[0].ModRevision, t.key, string(r.Kvs[0].Value)}
	}
	t.l.answered(begun, read)
	if now := t.ts.w.Now(); now < t.until {
		t.ts.read(t, len(r.Kvs) > 0, time.Duration(t.until-now))
	}
}

func (ts *tenants) read(t *tenant, found bool, left time.Duration) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if !found && ts.wrong == "" {
		ts.wrong = fmt.Sprintf("%s did not find %s, whose lease had %v to go at least", t.c.Name(), t.key, left)
	}
}

// gone reports whether all leases are over: nobody keeps one by now.
func (ts *tenants) gone(nodes []*sim.Node) error {
	cl := dial(nodes...)
	defer cl.Close()
	ctx, cancel := within(callTimeout)
	defer cancel()
	r, err := cl.Get(ctx, "lease/", clientv3.WithPrefix(), clientv3.WithKeysOnly())
	switch {
	case err != nil:
		return err
	case len(r.Kvs) > 0:
		return errors.New(string(r.Kvs[0].Key) + " is still there")
	}
	return nil
}

// Name is the promise that the tenants check.
func (ts *tenants) Name() string { return "leases" }

// Conclude tells the first key that was gone too early. That no lease was ever
// looked at in time is left to the other checks: it is rare, and not their fault.
func (ts *tenants) Conclude() outcome.Outcome {
	if ts.wrong != "" {
		return outcome.Outcome{Verdict: outcome.Violation, Message: ts.wrong}
	}
	return outcome.Outcome{Verdict: outcome.OK}
}
