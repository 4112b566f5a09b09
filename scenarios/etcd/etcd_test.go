// Package etcd runs unmodified etcd servers under crashes, kills and partitions:
// keys are linearizable registers, every revision is one change that all clients
// agree on, watches see all of them in order, and leases last while they are kept.
package etcd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"go.uber.org/zap"
)

var program = sim.NewProgram("etcd", func() { etcdmain.Main(os.Args) })

var params = []sim.Option{
	sim.Param("nodes", "3", "5"),
	sim.Param("unsafe-no-fsync", "off", "on"),
}

func TestEtcd(t *testing.T) { sim.Test(t, scenario, params...) }

// TestTwentyPuts is little more than a cluster's start: what it takes of real time
// is what a world costs.
func TestTwentyPuts(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		nodes, l := cluster(w), &ledger{}
		w.Clients("c", 1)[0].Run(func() {
			for done := 0; done < 20; {
				if _, err := write(nodes, l); err == nil {
					done++
				}
			}
		})
		w.Check(l)
	}, params...)
}

func scenario(w *sim.World) {
	nodes := cluster(w)
	h, l := oracle.NewHistory(w), &ledger{}
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { newCaller(c, nodes, h, l).work() })
	}
	watchers := make([]*watcher, 2)
	for i, c := range w.Clients("w", len(watchers)) {
		watchers[i] = &watcher{name: c.Name()}
		c.Run(func() { go watchers[i].watch(nodes) })
	}
	tenants := &tenants{w: w}
	for _, c := range w.Clients("l", 2) {
		c.Run(func() { tenants.work(c, nodes, l) })
	}
	w.Faults(sim.Swarm(sim.Crashes(), sim.Kills(), sim.Partitions(), sim.Cuts(), sim.Losses()))
	recovers(w, nodes, l, watchers)
	w.Recovers("leases that nobody keeps expire", 60*time.Second, func() error { return tenants.gone(nodes) })
	w.Check(oracle.Linearizable(h, oracle.KV()), l, revisionsSeen(l, watchers), tenants)
	w.Count(func() run.Ops {
		n := h.Counts()
		return run.Ops{Invoked: n.Invoked, OK: n.OK, Failed: n.Failed, Unknown: n.Unknown}
	})
}

// recovers promises that the cluster is whole again: it takes a write, the
// watches get to see it, and every member holds the same data up to it.
func recovers(w *sim.World, nodes []*sim.Node, l *ledger, watchers []*watcher) {
	var revision int64
	w.Recovers("a write is acknowledged", 30*time.Second, func() (err error) {
		revision, err = write(nodes, l)
		return err
	})
	w.Recovers("watches catch up", 60*time.Second, func() error {
		for _, wt := range watchers {
			if seen := wt.last(); seen < revision {
				return fmt.Errorf("%s has seen revision %d, want %d", wt.name, seen, revision)
			}
		}
		return nil
	})
	w.Recovers("the members agree", 30*time.Second, func() error { return agree(nodes, revision) })
}

// cluster starts an etcd of a new cluster on every node.
func cluster(w *sim.World) []*sim.Node {
	size, _ := strconv.Atoi(w.Param("nodes"))
	nodes := w.Nodes("n", size)
	var members []string
	for _, n := range nodes {
		members = append(members, n.Name()+"="+url(n, 2380))
	}
	args := []string{"--log-level", "error", "--initial-cluster", strings.Join(members, ","), "--initial-cluster-state", "new"}
	if w.Param("unsafe-no-fsync") == "on" {
		args = append(args, "--unsafe-no-fsync")
	}
	if w.Choices("config").Intn(2) == 1 {
		// Members that were away get a snapshot instead of the log.
		args = append(args, "--snapshot-count", "20", "--snapshot-catchup-entries", "5")
	}
	for _, n := range nodes {
		n.Start(program, append([]string{
			"--name", n.Name(), "--data-dir", "/var/lib/etcd",
			"--listen-peer-urls", url(n, 2380), "--initial-advertise-peer-urls", url(n, 2380),
			"--listen-client-urls", url(n, 2379), "--advertise-client-urls", url(n, 2379),
		}, args...)...)
	}
	return nodes
}

func url(n *sim.Node, port int) string { return fmt.Sprintf("http://%s:%d", n.Addr(), port) }

// dial returns a client of these nodes. It connects when it is first used, and
// notices within seconds that a node has gone without a word.
func dial(nodes ...*sim.Node) *clientv3.Client {
	var endpoints []string
	for _, n := range nodes {
		endpoints = append(endpoints, url(n, 2379))
	}
	c, err := clientv3.New(clientv3.Config{
		Endpoints: endpoints, Logger: zap.NewNop(),
		DialKeepAliveTime: 10 * time.Second, DialKeepAliveTimeout: time.Second,
	})
	if err != nil {
		panic(err) // of the configuration
	}
	return c
}

// callTimeout is longer than an election commonly takes.
const callTimeout = 2 * time.Second

func within(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}

// write makes one write, by whichever node takes it.
func write(nodes []*sim.Node, l *ledger) (revision int64, err error) {
	cl := dial(nodes...)
	defer cl.Close()
	ctx, cancel := within(callTimeout)
	defer cancel()
	begun := l.begin()
	r, err := cl.Put(ctx, "recovered", "yes")
	if err != nil {
		return 0, err
	}
	l.answered(begun, answer{by: "test", revision: r.Header.Revision, change: &change{r.Header.Revision, "recovered", "yes"}, wrote: true})
	return r.Header.Revision, nil
}

// agree compares every member's hash of all revisions up to one.
func agree(nodes []*sim.Node, revision int64) error {
	hashes := make([]uint32, len(nodes))
	for i, n := range nodes {
		cl := dial(n)
		ctx, cancel := within(callTimeout)
		r, err := cl.HashKV(ctx, url(n, 2379), revision)
		cancel()
		cl.Close()
		if err != nil {
			return fmt.Errorf("hash of %s: %w", n.Name(), err)
		}
		if hashes[i] = r.Hash; hashes[i] != hashes[0] {
			return errors.New("the data of " + n.Name() + " differs from that of " + nodes[0].Name())
		}
	}
	return nil
}
