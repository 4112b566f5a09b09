package queue

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/trial"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

var (
	brokerProgram = sim.NewProgram("broker", BrokerMain)
	workerProgram = sim.NewProgram("worker", WorkerMain)
	sinkProgram   = sim.NewProgram("sink", SinkMain)
)

var bugs = []trial.Bug{
	{Name: bugSendUnsynced, Kind: "a message is acknowledged before it is synced", Needs: "crash", Oracle: "exactly once"},
	{Name: bugSeqReused, Kind: "numbers are used again after a restart", Needs: "crash or kill", Oracle: "exactly once"},
	{Name: bugShortWindow, Kind: "a message's id is forgotten before the last retry", Needs: "a lost answer", Oracle: "exactly once"},
	{Name: bugRetryNewID, Kind: "a retry has another id", Needs: "a lost answer", Oracle: "exactly once"},
	{Name: bugAckFirst, Kind: "acknowledged before it is processed", Needs: "crash, kill or partition", Oracle: "exactly once"},
	{Name: bugErrorDropped, Kind: "a timeout is taken for success", Needs: "crash, kill or partition", Oracle: "exactly once"},
	{Name: bugDedupInMemory, Kind: "the table of what was done is lost at a restart", Needs: "crash or kill, and a redelivery", Oracle: "exactly once"},
	{Name: bugRenameUnsynced, Kind: "a folder is not synced after a rename", Needs: "crash", Oracle: "exactly once"},
	{Name: bugDedupRace, Kind: "check, then act, with the lock let go in between", Needs: "goroutines of one node, and a redelivery", Oracle: "exactly once"},
}

func TestQueue(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestQueue", bugs) }

func scenario(w *sim.World) {
	b, s, workers := w.Node("q1"), w.Node("s1"), w.Nodes("w", 2)
	trial.Start(w, b, brokerProgram)
	trial.Start(w, s, sinkProgram)
	for _, n := range workers {
		trial.Start(w, n, workerProgram, "-broker", string(trial.Addr(b)), "-sink", string(trial.Addr(s)))
	}
	l := &ledger{sent: map[string]error{}}
	for _, c := range w.Clients("c", 2) {
		c.Run(func() { l.produce(w, c, &Producer{Broker: trial.Addr(b), Name: c.Name(), Bug: w.Param("bug")}) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.Pauses().For(time.Second),
		sim.Partitions().For(time.Second), sim.Cuts().For(time.Second), sim.Delays().For(2*time.Second), sim.SlowDisks().For(2*time.Second),
	))
	w.Recovers("the queue is empty", 10*time.Second, func() error { return l.read(trial.Addr(b), trial.Addr(s)) })
	w.Check(outcome.Func("exactly once", l.exactlyOnce))
	w.Count(l.count)
}

// ledger is what the producers know, and what was done in the end.
type ledger struct {
	sent map[string]error // by body, what the producer was told
	done []string
}

func (l *ledger) produce(w *sim.World, c *sim.Client, p *Producer) {
	pause := c.Choices().Between(20*time.Millisecond, 300*time.Millisecond)
	for op := range workload.Ops(w, c, pause) {
		body := fmt.Sprintf("work-%s-%d", c.Name(), op.Index)
		l.sent[body] = errors.New("not answered yet")
		l.sent[body] = p.Send(body)
	}
}

// read reads what was done, once nothing is left to do.
func (l *ledger) read(broker, sink wire.Addr) error {
	depth, err := wire.Call[int](broker, "/depth", struct{}{}, callTimeout)
	if err != nil {
		return err
	}
	if depth > 0 {
		return fmt.Errorf("%d messages wait", depth)
	}
	l.done, err = wire.Call[[]string](sink, "/done", struct{}{}, callTimeout)
	return err
}

// exactlyOnce checks that what was acknowledged was done, that nothing was done
// twice, and nothing that nobody sent.
func (l *ledger) exactlyOnce() outcome.Outcome {
	done := map[string]bool{}
	for i, body := range l.done {
		if done[body] {
			return trial.Violated("%s was done again, as the %d. of %d", body, i+1, len(l.done))
		}
		if _, sent := l.sent[body]; !sent {
			return trial.Violated("%s was done, and nobody sent it", body)
		}
		done[body] = true
	}
	lost, first := 0, ""
	for body, err := range l.sent {
		if err == nil && !done[body] {
			if lost++; lost == 1 || body < first {
				first = body
			}
		}
	}
	if lost > 0 {
		return trial.Violated("%s was acknowledged and never done, and %d more", first, lost-1)
	}
	return trial.Kept(len(l.done), "work")
}

func (l *ledger) count() (n run.Ops) {
	for _, err := range l.sent {
		trial.Tally(&n, err)
	}
	return n
}
