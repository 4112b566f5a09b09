package grpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
	"google.golang.org/grpc"
)

var (
	backendProgram = sim.NewProgram("backend", BackendMain)
	frontProgram   = sim.NewProgram("front", FrontMain)
)

var backendNames = []string{"b1", "b2"}

const frontName = "f1"

func TestCalls(t *testing.T) {
	sim.Test(t, scenario, sim.Param("bug", "none", bugDropMessage, bugRetry, bugAnswerFirst))
}

func scenario(w *sim.World) {
	pki := newAuthority(w)
	start(w, pki)
	var callers []*caller
	for _, c := range w.Clients("c", 3) {
		pki.equip(w.T(), c.Node)
		cl := &caller{c: c, w: w}
		callers = append(callers, cl)
		c.Run(cl.work)
	}
	probe := w.Clients("probe", 1)[0]
	pki.equip(w.T(), probe.Node)
	answered := make(chan error)
	probe.Run(func() { go probes(answered) })
	w.Faults(sim.Swarm(sim.Crashes(), sim.Kills(), sim.Partitions(), sim.Cuts(), sim.Losses(), sim.Delays()))
	w.Recovers("every backend answers", 60*time.Second, func() error { return <-answered })
	w.Check(executed(w, callers), streams(w, callers), deadlines(callers))
	w.Count(func() run.Ops { return count(callers) })
}

// start starts the backends, and the front that forwards to them.
func start(w *sim.World, pki *authority) {
	var args []string
	if bug := w.Param("bug"); bug != "none" {
		args = append(args, "-bug", bug)
	}
	var backends []string
	for _, name := range backendNames {
		n := w.Node(name)
		pki.equip(w.T(), n)
		n.Start(backendProgram, append(args, "-listen", n.Addr()+":443")...)
		backends = append(backends, name+":443")
	}
	f := w.Node(frontName)
	pki.equip(w.T(), f)
	f.Start(frontProgram, append(args, "-listen", f.Addr()+":443", "-backends", strings.Join(backends, ","))...)
}

// probes makes one call for each backend in a row, again and again, and tells how
// each row went.
func probes(answered chan<- error) {
	conn, err := dial(frontName + ":443")
	if err != nil {
		panic(err) // of the node's files
	}
	for i := 0; ; i++ {
		err = nil
		for range backendNames {
			err = errors.Join(err, probeOnce(conn, i))
		}
		answered <- err
	}
}

func probeOnce(conn *grpc.ClientConn, i int) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return conn.Invoke(ctx, methodDo, text(fmt.Sprintf("probe-%d", i), 1), new(message))
}
