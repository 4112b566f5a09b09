package lease

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/trial"
	"github.com/orrery-sim/orrery/sim"
)

var (
	lockProgram   = sim.NewProgram("lock", LockMain)
	storeProgram  = sim.NewProgram("store", StoreMain)
	workerProgram = sim.NewProgram("worker", WorkerMain)
)

var bugs = []trial.Bug{
	{Name: bugWallClock, Kind: "a lease is measured by the wall clock", Needs: "skew", Oracle: "linearizability"},
	{Name: bugNoFencing, Kind: "the store takes writes without a look at the token", Needs: "pause, delay or partition", Oracle: "linearizability"},
	{Name: bugNoGrace, Kind: "a lock service that restarts has forgotten its leases", Needs: "crash", Oracle: "linearizability"},
	{Name: bugForeignUnlock, Kind: "a late release frees another's lock", Needs: trial.Nodes, Oracle: "linearizability"},
	{Name: bugLeaseFromAnswer, Kind: "a lease is counted from the answer, not from the request", Needs: "delay or pause", Oracle: "linearizability"},
	{Name: bugSwapRace, Kind: "check, then act, outside of the lock", Needs: trial.Goroutines, Oracle: "linearizability"},
}

func TestLease(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestLease", bugs) }

func scenario(w *sim.World) {
	l, s, workers := w.Node("l1"), w.Node("s1"), w.Nodes("w", 2)
	trial.Start(w, l, lockProgram)
	trial.Start(w, s, storeProgram)
	for _, n := range workers {
		trial.Start(w, n, workerProgram, "-lock", string(trial.Addr(l)), "-store", string(trial.Addr(s)))
	}
	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { work(w, c, trial.Addrs(workers), h) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(500*time.Millisecond), sim.Pauses().For(1500*time.Millisecond),
		sim.Partitions().For(time.Second), sim.Delays().For(2*time.Second), sim.Skews().For(3*time.Second),
	))
	w.Recovers("the value is read", 10*time.Second, func() error {
		_, err := ask(trial.Addrs(workers), "/get", struct{}{})
		return err
	})
	w.Check(oracle.Linearizable(h, oracle.Register()))
	trial.Count(w, h)
}

// work reads the value, and swaps what it read last for another, at whichever
// worker holds the lock.
func work(w *sim.World, c *sim.Client, workers wire.List, h *oracle.History) {
	pause := c.Choices().Between(5*time.Millisecond, 150*time.Millisecond)
	last := ""
	for op := range workload.Ops(w, c, pause) {
		first := op.Intn(len(workers))
		turn := slices.Concat(workers[first:], workers[:first])
		if op.Intn(2) == 0 {
			p := h.Invoke(oracle.Call{Process: c.Name(), Type: "get"})
			r, err := ask(turn, "/get", struct{}{})
			trial.Complete(p, r.Value, err)
			last = cmp.Or(r.Value, last)
		} else {
			s := Swap{last, fmt.Sprintf("%s-%d", c.Name(), op.Index)}
			p := h.Invoke(oracle.Call{Process: c.Name(), Type: "cas", Input: oracle.Values(s.Old, s.New)})
			r, err := ask(turn, "/swap", s)
			trial.Complete(p, strconv.FormatBool(r.Done), err)
			last = cmp.Or(r.Value, last)
			if r.Done {
				last = s.New
			}
		}
	}
}

// ask asks one worker after another until one does not refuse.
func ask(workers wire.List, path string, in any) (r Result, err error) {
	for _, addr := range workers {
		r, err = wire.Call[Result](addr, path, in, 3*storeTimeout)
		if !wire.Refused(err) {
			return r, err
		}
	}
	return r, err
}
