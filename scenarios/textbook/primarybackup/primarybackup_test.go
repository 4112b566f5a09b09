package primarybackup

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
	viewProgram   = sim.NewProgram("views", ViewMain)
	serverProgram = sim.NewProgram("server", ServerMain)
)

var bugs = []trial.Bug{
	{Name: bugAckFirst, Kind: "asynchronous replication acknowledges first", Needs: "failover", Oracle: "linearizability"},
	{Name: bugStaleView, Kind: "a backup takes what a deposed primary sends", Needs: "partition, cut or pause", Oracle: "linearizability"},
	{Name: bugLocalRead, Kind: "a primary reads its own copy, unsure whether it is deposed", Needs: "partition or pause", Oracle: "linearizability"},
	{Name: bugUnclean, Kind: "failover to a replica that is not up to date, if no other is there", Needs: "crash, kill or partition of two", Oracle: "linearizability"},
	{Name: bugReadAtBackup, Kind: "reads at any replica", Needs: "partition", Oracle: "linearizability"},
	{Name: bugCASRace, Kind: "check, then act, outside of the lock", Needs: trial.Goroutines, Oracle: "linearizability"},
}

func TestPrimaryBackup(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestPrimaryBackup", bugs) }

func scenario(w *sim.World) {
	views, servers := w.Node("v1"), w.Nodes("n", 3)
	trial.Start(w, views, viewProgram, "-servers", trial.Addrs(servers).String())
	for _, n := range servers {
		trial.Start(w, n, serverProgram, "-views", string(trial.Addr(views)))
	}
	h := oracle.NewHistory(w)
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { trial.KV(w, c, &kv.Client{Servers: trial.Addrs(servers)}, h) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(2*time.Second), sim.Kills().For(2*time.Second), sim.Pauses().For(2*time.Second),
		sim.Partitions().For(2*time.Second), sim.Cuts().For(2*time.Second), sim.Delays().For(2*time.Second),
	))
	w.Recovers("a write is acknowledged", 10*time.Second, func() error {
		_, err := (&kv.Client{Servers: trial.Addrs(servers)}).Do(kv.Op{Type: "put", Key: "recovered", Value: "yes"})
		return err
	})
	w.Check(oracle.Linearizable(h, oracle.KV()))
	trial.Count(w, h)
}
