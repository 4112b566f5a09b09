package primarybackup

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/oracle"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/trial"
	"github.com/orrery-sim/orrery/sim"
)

var (
	viewProgram   = sim.NewProgram("views", ViewMain)
	serverProgram = sim.NewProgram("server", ServerMain)
)

var bugs = []trial.Bug{
	{Name: bugAckFirst, Kind: "asynchronous replication acknowledges first", Needs: "failover", Oracle: "linearizability"},
	{Name: bugStaleView, Kind: "a backup takes what a deposed primary sends", Needs: "partition or pause", Oracle: "linearizability"},
	{Name: bugLocalRead, Kind: "a primary reads its own copy, unsure whether it is deposed", Needs: "partition or pause", Oracle: "linearizability"},
	{Name: bugUnclean, Kind: "failover to a replica that is not up to date, if no other is there", Needs: "crash or kill of two", Oracle: "linearizability"},
	{Name: bugReadAtBackup, Kind: "reads at any replica", Needs: "partition", Oracle: "linearizability"},
	{Name: bugCASRace, Kind: "check, then act, outside of the lock", Needs: "goroutines of one node", Oracle: "linearizability"},
}

func TestPrimaryBackup(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), sim.Seeds("1-5"))
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
		c.Run(func() { workload(c, &Client{Servers: trial.Addrs(servers)}, h) })
	}
	w.SafetyFor(6 * time.Second)
	w.Faults([]sim.Family{
		sim.Crashes().For(2 * time.Second), sim.Kills().For(2 * time.Second), sim.Pauses().For(2 * time.Second),
		sim.Partitions().For(2 * time.Second), sim.Cuts().For(2 * time.Second), sim.Delays().For(2 * time.Second),
	})
	w.Recovers("a write is acknowledged", 10*time.Second, func() error {
		_, err := (&Client{Servers: trial.Addrs(servers)}).Do(Op{Type: "put", Key: "recovered", Value: "yes"})
		return err
	})
	w.Check(oracle.Linearizable(h, oracle.KV()))
	trial.Count(w, h)
}

// workload makes calls about few keys, so that clients meet, some of them often.
func workload(c *sim.Client, kv *Client, h *oracle.History) {
	last := map[string]string{}
	pause := c.Choices().Between(5*time.Millisecond, 300*time.Millisecond)
	for i := 0; c.Active(); i++ {
		op := Op{Type: "get", Key: "k" + strconv.Itoa(c.Choices().Intn(2))}
		input := ""
		switch c.Choices().Intn(4) {
		case 0:
			op.Type, op.Value = "put", fmt.Sprintf("%s-%d", c.Name(), i)
			input = op.Value
		case 1:
			op.Type, op.Old, op.Value = "cas", last[op.Key], fmt.Sprintf("%s-%d", c.Name(), i)
			input = oracle.Values(op.Old, op.Value)
		}
		p := h.Invoke(oracle.Call{Process: c.Name(), Type: op.Type, Key: op.Key, Input: input})
		r, err := kv.Do(op)
		output := ""
		switch {
		case err != nil:
		case op.Type == "cas":
			output = strconv.FormatBool(r.Done)
		case op.Type == "get":
			output = r.Value
		}
		trial.Complete(p, output, err)
		if err == nil {
			last[op.Key] = r.Value
			if r.Done {
				last[op.Key] = op.Value
			}
		}
		c.Sleep(c.Choices().Between(time.Millisecond, pause))
	}
}
