package tenant

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/sim"
)

func TestDocuments(t *testing.T) {
	sim.Test(t, documents, bugParam(documentBugs), workload.Param(), sim.Seeds("1-3"))
}

// papers are few documents, so that clients meet.
const papers = 4

// documents has clients of one tenant write, delete and read few documents.
func documents(w *sim.World) {
	v := start(w, time.Millisecond, tenants...)
	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { author(w, c, v.client(0), h) })
	}
	w.SafetyFor(15 * time.Second)
	w.Faults(sim.Swarm(
		sim.Crashes().For(time.Second).Most(8), sim.Kills().For(time.Second).Most(8), sim.Pauses().For(time.Second),
		sim.Partitions().For(time.Second), sim.Cuts().For(time.Second), sim.SlowDisks().For(2*time.Second),
	))
	w.Recovers("documents are read", 20*time.Second, func() error {
		for n := range papers {
			if err := read(v.client(0), h, "end", fmt.Sprintf("d%d", n+1)); err != nil {
				return err
			}
		}
		return nil
	})
	w.Check(oracle.Linearizable(h, oracle.KV()))
	tally(w, h)
}

func author(w *sim.World, c *sim.Client, client *Client, h *oracle.History) {
	for op := range workload.Ops(w, c, 150*time.Millisecond) {
		id := fmt.Sprintf("d%d", 1+op.Intn(papers))
		call := oracle.Call{Process: c.Name(), Key: id}
		switch op.Intn(5) {
		case 0, 1:
			call.Type, call.Input = "put", fmt.Sprintf("%s-%d", c.Name(), op.Index)
			do(h.Invoke(call), client, http.MethodPut, "/t/acme/docs/"+id, call.Input)
		case 2:
			call.Type = "delete"
			do(h.Invoke(call), client, http.MethodDelete, "/t/acme/docs/"+id, "")
		default:
			read(client, h, c.Name(), id)
		}
	}
}

// read reads a document; one that is not there has no value.
func read(client *Client, h *oracle.History, process, id string) error {
	p := h.Invoke(oracle.Call{Process: process, Type: "get", Key: id})
	a, err := client.Do(http.MethodGet, "/t/acme/docs/"+id, "")
	switch {
	case err != nil:
		p.Unknown(err)
	case a.Status == http.StatusOK:
		p.OK(a.Body)
	case a.Status == http.StatusNotFound:
		p.OK("")
	default:
		err = fmt.Errorf("%d: %s", a.Status, a.Body)
		p.Unknown(err)
	}
	return err
}
