package crdt

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/scenarios/internal/wire"
	"github.com/orrery-sim/orrery/scenarios/internal/workload"
	"github.com/orrery-sim/orrery/scenarios/textbook/internal/trial"
	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/outcome"
	"github.com/orrery-sim/orrery/sim/run"
)

var program = sim.NewProgram("replica", ReplicaMain)

var bugs = []trial.Bug{
	{Name: bugMergeSum, Kind: "merge by sum in place of maximum", Needs: trial.Nodes, Oracle: "liveness"},
	{Name: bugMergeNet, Kind: "one number for ups and downs", Needs: trial.Nodes, Oracle: "liveness"},
	{Name: bugAddUnsynced, Kind: "an own change is told before it is synced, and its number used again", Needs: "crash", Oracle: "sum"},
	{Name: bugMergeUnsynced, Kind: "what was received is acknowledged before it is synced", Needs: "crash", Oracle: "liveness"},
	{Name: bugNoAcks, Kind: "a delta is sent once", Needs: "loss, partition, crash or kill", Oracle: "liveness"},
	{Name: bugAddRetried, Kind: "a request that is not idempotent is retried", Needs: "a lost answer", Oracle: "sum"},
	{Name: bugAddRace, Kind: "read, modify and write, with the lock let go in between", Needs: trial.Goroutines, Oracle: "session"},
}

func TestCounter(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestCounter", bugs) }

func scenario(w *sim.World) {
	nodes := w.Nodes("n", 3)
	for i, n := range nodes {
		var peers []string
		for j, p := range nodes {
			if j != i {
				peers = append(peers, p.Addr()+":7000")
			}
		}
		trial.Start(w, n, program, "-name", n.Name(), "-gossip", n.Addr()+":7000", "-peers", strings.Join(peers, ","))
	}
	l := &ledger{replicas: trial.Addrs(nodes)}
	for i, c := range w.Clients("c", 6) {
		n := nodes[i%len(nodes)]
		s := &session{replica: n.Name(), client: Client{trial.Addr(n), w.Param("bug")}}
		l.sessions = append(l.sessions, s)
		c.Run(func() { s.work(w, c) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.Pauses().For(time.Second),
		sim.Partitions().For(2*time.Second), sim.Cuts().For(2*time.Second), sim.Losses().For(2*time.Second), sim.SlowDisks().For(2*time.Second),
	))
	w.Recovers("all replicas agree", 5*time.Second, l.agree)
	w.Check(outcome.Func("session", l.sessionsKept), outcome.Func("sum", l.summed))
	w.Count(l.count)
}

// session is what one client knows of its replica's slot.
type session struct {
	replica string
	client  Client
	acked   Slot // what was added for certain
	maybe   Slot // what may have been added beside that
	broken  string
	calls   run.Ops
}

// work adds, and reads what was added, for some of the time: what a replica that rests
// has missed, no later addition brings.
func (s *session) work(w *sim.World, c *sim.Client) {
	pause := c.Choices().Between(20*time.Millisecond, 400*time.Millisecond)
	end := time.Now().Add(c.Choices().Between(0, trial.Safety))
	for op := range workload.Ops(w, c, pause) {
		if time.Now().After(end) {
			return
		}
		var err error
		if op.Intn(4) == 0 {
			err = s.read()
		} else {
			err = s.add(op.Intn(19) - 9)
		}
		trial.Tally(&s.calls, err)
	}
}

func (s *session) add(amount int) error {
	err := s.client.Add(amount)
	if err == nil {
		s.acked = s.acked.add(amount)
	} else if !wire.Refused(err) {
		s.maybe = s.maybe.add(amount)
	}
	return err
}

func (s *session) read() error {
	got, err := s.client.Read()
	own := got[s.replica]
	if err == nil && s.broken == "" && (own.Up < s.acked.Up || own.Down < s.acked.Down) {
		s.broken = fmt.Sprintf("%s was read as %+v after %+v had been added there by one client", s.replica, own, s.acked)
	}
	return err
}

// ledger is all sessions, and what the replicas agreed on in the end.
type ledger struct {
	replicas wire.List
	sessions []*session
	agreed   Counter
}

func (l *ledger) agree() error {
	l.agreed = nil
	for _, r := range l.replicas {
		got, err := Client{Replica: r}.Read()
		if err != nil {
			return err
		}
		if l.agreed == nil {
			l.agreed = got
		}
		for _, s := range l.sessions {
			if one, other := l.agreed[s.replica], got[s.replica]; one != other {
				return fmt.Errorf("one says that %s added %+v, another %+v", s.replica, one, other)
			}
		}
	}
	return nil
}

// sessionsKept checks that every client read what it had added.
func (l *ledger) sessionsKept() outcome.Outcome {
	for _, s := range l.sessions {
		if s.broken != "" {
			return trial.Violated("%s", s.broken)
		}
	}
	return trial.Kept(len(l.sessions), "session")
}

// summed checks that each replica's slot is the sum of what was added there.
func (l *ledger) summed() outcome.Outcome {
	acked, most := Counter{}, Counter{}
	calls := 0
	for _, s := range l.sessions {
		a, m := acked[s.replica], most[s.replica]
		acked[s.replica] = Slot{a.Up + s.acked.Up, a.Down + s.acked.Down}
		most[s.replica] = Slot{m.Up + s.acked.Up + s.maybe.Up, m.Down + s.acked.Down + s.maybe.Down}
		calls += s.calls.OK
	}
	for _, s := range l.sessions {
		got, least, most := l.agreed[s.replica], acked[s.replica], most[s.replica]
		if got.Up < least.Up || got.Up > most.Up || got.Down < least.Down || got.Down > most.Down {
			return trial.Violated("%s has %+v, want from %+v to %+v", s.replica, got, least, most)
		}
	}
	return trial.Kept(calls, "answer to a call")
}

func (l *ledger) count() (n run.Ops) {
	for _, s := range l.sessions {
		n.Invoked += s.calls.Invoked
		n.OK += s.calls.OK
		n.Failed += s.calls.Failed
		n.Unknown += s.calls.Unknown
	}
	return n
}
