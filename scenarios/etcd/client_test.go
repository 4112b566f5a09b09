package etcd

import (
	"fmt"
	"strconv"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// caller makes calls as one client, and records them.
type caller struct {
	c       *sim.Client
	nodes   []*sim.Node
	clients []*clientv3.Client // of one node each
	turn    int                // index of the node that is asked
	h       *oracle.History
	l       *ledger
}

func newCaller(c *sim.Client, nodes []*sim.Node, h *oracle.History, l *ledger) *caller {
	out := &caller{c: c, nodes: nodes, h: h, l: l}
	for _, n := range nodes {
		out.clients = append(out.clients, dial(n))
	}
	return out
}

// keys are few, so that clients meet.
const keys = 3

// mixes are shares of calls, in percent; the rest is cas. Each client draws one
// for its whole life, so that some seeds have clients that hardly write.
var mixes = []struct{ gets, puts, deletes int }{{40, 25, 10}, {90, 5, 2}, {10, 50, 20}}

// work makes random calls until the safety phase ends. A retry is another call,
// made by whatever comes next.
func (c *caller) work() {
	choices := c.c.Choices()
	c.turn = choices.Intn(len(c.nodes))
	mix := mixes[choices.Intn(len(mixes))]
	for i := 0; c.c.Active(); i++ {
		key := "k" + strconv.Itoa(choices.Intn(keys))
		value := fmt.Sprintf("%s-%d", c.c.Name(), i)
		var err error
		switch roll := choices.Intn(100); {
		case roll < mix.gets:
			_, err = c.get(key)
		case roll < mix.gets+mix.puts:
			err = c.put(key, value)
		case roll < mix.gets+mix.puts+mix.deletes:
			err = c.delete(key)
		default:
			err = c.swap(key, value)
		}
		if err != nil || choices.Intn(5) == 0 {
			c.turn = (c.turn + 1 + choices.Intn(len(c.nodes)-1)) % len(c.nodes)
		}
		c.c.Sleep(choices.Between(time.Millisecond, 300*time.Millisecond))
	}
}

func (c *caller) invoke(kind, key, input string) oracle.Pending {
	call := oracle.Call{Process: c.c.Name(), Type: kind, Key: key, Input: input, Node: c.nodes[c.turn].Name()}
	return c.h.Invoke(call)
}

// get reads a key: a read has no effect, so it is done or it failed.
func (c *caller) get(key string) (value string, err error) {
	ctx, cancel := within(callTimeout)
	defer cancel()
	p, begun := c.invoke("get", key, ""), c.l.begin()
	r, err := c.clients[c.turn].Get(ctx, key)
	if err != nil {
		p.Fail(err)
		return "", err
	}
	read := answer{by: c.c.Name(), revision: r.Header.Revision}
	if len(r.Kvs) > 0 {
		value = string(r.Kvs[0].Value)
		read.change = &change{r.Kvs[0].ModRevision, key, value}
	}
	p.OK(value)
	c.l.answered(begun, read)
	return value, nil
}

func (c *caller) put(key, value string) error {
	ctx, cancel := within(callTimeout)
	defer cancel()
	p, begun := c.invoke("put", key, value), c.l.begin()
	r, err := c.clients[c.turn].Put(ctx, key, value)
	if err != nil {
		p.Unknown(err)
		return err
	}
	p.OK("")
	c.wrote(begun, change{r.Header.Revision, key, value})
	return nil
}

func (c *caller) delete(key string) error {
	ctx, cancel := within(callTimeout)
	defer cancel()
	p, begun := c.invoke("delete", key, ""), c.l.begin()
	r, err := c.clients[c.turn].Delete(ctx, key)
	if err != nil {
		p.Unknown(err)
		return err
	}
	p.OK("")
	if r.Deleted == 0 {
		c.l.answered(begun, answer{by: c.c.Name(), revision: r.Header.Revision})
		return nil
	}
	c.wrote(begun, change{r.Header.Revision, key, ""})
	return nil
}

// swap writes a key in a transaction, if it still holds what the client reads
// first.
func (c *caller) swap(key, value string) error {
	old, err := c.get(key)
	if err != nil {
		return err
	}
	same := clientv3.Compare(clientv3.Value(key), "=", old)
	if old == "" {
		same = clientv3.Compare(clientv3.CreateRevision(key), "=", 0)
	}
	ctx, cancel := within(callTimeout)
	defer cancel()
	p, begun := c.invoke("cas", key, oracle.Values(old, value)), c.l.begin()
	r, err := c.clients[c.turn].Txn(ctx).If(same).Then(clientv3.OpPut(key, value)).Commit()
	if err != nil {
		p.Unknown(err)
		return err
	}
	p.OK(strconv.FormatBool(r.Succeeded))
	if !r.Succeeded {
		c.l.answered(begun, answer{by: c.c.Name(), revision: r.Header.Revision})
		return nil
	}
	c.wrote(begun, change{r.Header.Revision, key, value})
	return nil
}

// wrote notes a write that is acknowledged: it is what its revision changed.
func (c *caller) wrote(begun int, ch change) {
	c.l.answered(begun, answer{by: c.c.Name(), revision: ch.revision, change: &ch, wrote: true})
}
