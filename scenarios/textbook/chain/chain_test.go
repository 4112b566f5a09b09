package chain

import (
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/kv"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/trial"
	"github.com/orrery-sim/orrery/sim"
)

var (
	masterProgram = sim.NewProgram("master", MasterMain)
	serverProgram = sim.NewProgram("server", ServerMain)
)

var bugs = []trial.Bug{
	{Name: bugDirtyRead, Kind: "reads before the write is committed", Needs: "failover", Oracle: "linearizability"},
	{Name: bugAckAtHead, Kind: "acknowledged by the first replica alone", Needs: trial.Nodes, Oracle: "linearizability"},
	{Name: bugNoReadLease, Kind: "a tail that was left out answers reads", Needs: "partition", Oracle: "linearizability"},
	{Name: bugStaleConfig, Kind: "what a deposed head sends is taken", Needs: "partition or pause", Oracle: "linearizability"},
	{Name: bugSplice, Kind: "updates in flight are lost when the chain is spliced", Needs: "crash or kill", Oracle: "linearizability"},
	{Name: bugJoinsWhole, Kind: "failover to a replica that has not caught up", Needs: "two failures in a row", Oracle: "linearizability"},
	{Name: bugUnsynced, Kind: "the log is not synced", Needs: "crash", Oracle: "linearizability"},
}

func TestChain(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestChain", bugs) }

func scenario(w *sim.World) {
	master, servers := w.Node("m1"), w.Nodes("n", 3)
	trial.Start(w, master, masterProgram, "-servers", trial.Addrs(servers).String())
	for _, n := range servers {
		trial.Start(w, n, serverProgram, "-master", string(trial.Addr(master)))
	}
	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { trial.KV(w, c, &kv.Client{Servers: trial.Addrs(servers)}, h) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(1500*time.Millisecond), sim.Kills().For(1500*time.Millisecond), sim.Pauses().For(1500*time.Millisecond),
		sim.Partitions().For(2*time.Second), sim.Delays().For(time.Second),
	))
	w.Recovers("a write is acknowledged", 10*time.Second, func() error {
		_, err := (&kv.Client{Servers: trial.Addrs(servers)}).Do(kv.Op{Type: "put", Key: "recovered", Value: "yes"})
		return err
	})
	w.Check(oracle.Linearizable(h, oracle.KV()))
	trial.Count(w, h)
}
