// Package nats runs three unmodified NATS servers with JetStream under crashes,
// kills and partitions: a stream with three copies keeps what it has acknowledged,
// in order and once, and its consumer gets all of it.
package nats

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

func TestStream(t *testing.T) {
	sim.Test(t, scenario, sim.Param("sync", "always", "interval"))
}

// A copy that was cut off until the end lags for a while, and answers: that is no
// loss.
func TestLateCopy(t *testing.T) {
	late := func(w *sim.World) {
		w.SafetyFor(8 * time.Second)
		w.Plan("at 1s partition n1,n2|n3 for 7s")
		scenario(w)
	}
	sim.Test(t, late, sim.Param("sync", "always"))
}

func scenario(w *sim.World) {
	nodes := w.Nodes("n", copies)
	start(w, nodes)
	js := dial(w, nodes)
	deadline := w.Now() + int64(time.Minute)
	for err := create(js); err != nil; err = create(js) {
		if w.Now() > deadline {
			w.T().Fatalf("no stream after a minute without faults: %v", err)
		}
		time.Sleep(500 * time.Millisecond)
	}

	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { (&publisher{dial(w, nodes), h, c}).run() })
	}
	taker := w.Clients("worker", 1)[0]
	taker.Run(func() { (&worker{h, dial(w, nodes), taker.Name()}).run(taker) })
	w.Faults(sim.Swarm(sim.Crashes(), sim.Kills(), sim.Partitions(), sim.Cuts(), sim.Losses()))
	tail := &worker{h, js, "test"}
	m := &monitor{nodes: nodes}
	var stream []message
	w.Recovers("every copy holds all of the stream, which is delivered and acknowledged", time.Minute, func() (err error) {
		if err := tail.drain(); err != nil {
			return err
		}
		last, err := m.whole(reach(h.Ops()))
		if err != nil {
			return err
		}
		if stream, err = read(js, last); err != nil {
			return err
		}
		return undelivered(h.Ops(), stream)
	})
	w.Check(sound(h, &stream))
	w.Count(func() run.Ops {
		n := h.Counts()
		return run.Ops{Invoked: n.Invoked, OK: n.OK, Failed: n.Failed, Unknown: n.Unknown}
	})
}

func dial(w *sim.World, nodes []*sim.Node) jetstream.JetStream {
	js, err := connect(nodes)
	if err != nil {
		w.T().Fatal(err)
	}
	return js
}
