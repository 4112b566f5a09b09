// Package raftkv runs the replicated key-value service of package kv under
// crashes, kills and partitions, and checks that it is linearizable.
package raftkv

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/raftkv/kv"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

var program = sim.NewProgram("kv", kv.Main)

func TestKV(t *testing.T) {
	sim.Test(t, scenario,
		sim.Param("bug", append([]string{"none"}, kv.Bugs()...)...),
		sim.Param("nodes", "3", "5"),
		workload.Param(),
		sim.Param("lone", "none", "with", "without"), // a client of one node, for a test of the engine
	)
}

func scenario(w *sim.World) {
	size, _ := strconv.Atoi(w.Param("nodes"))
	nodes := w.Nodes("n", size)
	start(w, nodes)

	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { work(w, c, nodes, h) })
	}
	lone(w, nodes[0])
	w.Faults(sim.Swarm(sim.Crashes(), sim.Kills(), sim.Partitions(), sim.Cuts(), sim.Losses()))
	w.Recovers("a write is acknowledged", 30*time.Second, func() error { return write(nodes) })
	w.Check(oracle.Linearizable(h, oracle.KV()))
	w.Count(func() run.Ops {
		n := h.Counts()
		return run.Ops{Invoked: n.Invoked, OK: n.OK, Failed: n.Failed, Unknown: n.Unknown}
	})
}

// start starts the service on every node.
func start(w *sim.World, nodes []*sim.Node) {
	var peers []string
	for _, n := range nodes {
		peers = append(peers, n.Name()+"="+n.Addr())
	}
	for _, n := range nodes {
		args := []string{"-id", n.Name(), "-data-dir", "/var/lib/kv", "-peers", strings.Join(peers, ",")}
		if bug := w.Param("bug"); bug != "none" {
			args = append(args, "-bug", bug)
		}
		n.Start(program, args...)
	}
}

// keys are few, so that clients meet.
const keys = 3

// mixes are shares of calls, in percent; the rest is cas. Each client draws one
// for its whole life, so that some seeds have clients that hardly write.
var mixes = []struct{ gets, puts int }{{34, 33}, {95, 5}, {10, 60}}

// work makes random calls until the safety phase ends. A retry is another
// call, made by whatever comes next.
func work(w *sim.World, c *sim.Client, nodes []*sim.Node, h *oracle.History) {
	client := &caller{kv.NewClient(addresses(nodes)...), h, c.Name(), nodes}
	mix := mixes[c.Choices().Intn(len(mixes))]
	for op := range workload.Ops(w, c, 300*time.Millisecond) {
		key := "k" + strconv.Itoa(op.Intn(keys))
		value := fmt.Sprintf("%s-%d", c.Name(), op.Index)
		switch roll := op.Intn(100); {
		case roll < mix.gets:
			client.get(key)
		case roll < mix.gets+mix.puts:
			client.put(key, value)
		default:
			client.cas(key, value)
		}
	}
}

func addresses(nodes []*sim.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Addr()+":8000")
	}
	return out
}

// caller makes calls as one client, and records them.
type caller struct {
	*kv.Client
	h     *oracle.History
	name  string
	nodes []*sim.Node
}

func (c *caller) invoke(kind, key, input string) oracle.Pending {
	return c.h.Invoke(oracle.Call{Process: c.name, Type: kind, Key: key, Input: input})
}

// node names the node of an address.
func (c *caller) node(addr string) string {
	for i, a := range addresses(c.nodes) {
		if a == addr {
			return c.nodes[i].Name()
		}
	}
	return addr
}

func (c *caller) put(key, value string) {
	p := c.invoke("put", key, value)
	r, outcome, err := c.Put(context.Background(), key, value)
	complete(p.Node(c.node(r.Node)), outcome, "", err)
}

func (c *caller) get(key string) {
	p := c.invoke("get", key, "")
	r, outcome, err := c.Get(context.Background(), key)
	complete(p.Node(c.node(r.Node)), outcome, r.Value, err)
}

// cas swaps in value for what the client reads first.
func (c *caller) cas(key, value string) {
	r, outcome, _ := c.Get(context.Background(), key)
	if outcome != kv.OK {
		return
	}
	p := c.invoke("cas", key, oracle.Values(r.Value, value))
	s, outcome, err := c.CAS(context.Background(), key, r.Value, value)
	complete(p.Node(c.node(s.Node)), outcome, strconv.FormatBool(s.Swapped), err)
}

func complete(p oracle.Pending, outcome kv.Outcome, output string, err error) {
	switch outcome {
	case kv.OK:
		p.OK(output)
	case kv.Failed:
		p.Fail(err)
	default:
		p.Unknown(err)
	}
}

// write makes one write, by whichever node takes it.
func write(nodes []*sim.Node) error {
	client := kv.NewClient(addresses(nodes)...)
	err := errors.New("no node was asked")
	for range nodes {
		var outcome kv.Outcome
		if _, outcome, err = client.Put(context.Background(), "recovered", "yes"); outcome == kv.OK {
			return nil
		}
	}
	return err
}

// lone adds, if it is wanted, a client that asks one node for its status, now and
// then. Without it, its machine is there all the same.
func lone(w *sim.World, n *sim.Node) {
	if w.Param("lone") == "none" {
		return
	}
	c := w.Clients("lone", 1)[0]
	if w.Param("lone") == "without" {
		return
	}
	c.Run(func() {
		for c.Active() {
			kv.GetStatus(context.Background(), n.Addr()+":8000")
			c.Sleep(c.Choices().Between(10*time.Millisecond, 2*time.Second))
		}
	})
}
