package twophase

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
	coordinatorProgram = sim.NewProgram("coordinator", CoordinatorMain)
	participantProgram = sim.NewProgram("participant", ParticipantMain)
)

var bugs = []trial.Bug{
	{Name: bugVoteUnsynced, Kind: "a vote is sent before it is synced", Needs: "crash", Oracle: "atomicity"},
	{Name: bugDecisionAfter, Kind: "the decision is logged after it was sent", Needs: "crash or kill, and a partition", Oracle: "atomicity"},
	{Name: bugUnilateral, Kind: "a participant in doubt aborts when it cannot ask", Needs: "partition, crash or kill", Oracle: "atomicity"},
	{Name: bugPresumeCommit, Kind: "what the coordinator does not know is presumed to commit", Needs: "a lost abort", Oracle: "atomicity"},
	{Name: bugLocksForgotten, Kind: "recovery takes no locks for what is in doubt", Needs: "crash or kill", Oracle: "isolation"},
	{Name: bugPendingAbort, Kind: "recovery aborts a transaction whose votes are still counted", Needs: "delay or pause", Oracle: "atomicity"},
	{Name: bugCommitTwice, Kind: "a decision that is sent again is carried out again", Needs: "a lost answer", Oracle: "atomicity"},
	{Name: bugReadSkew, Kind: "reads take no locks", Needs: trial.Nodes, Oracle: "isolation"},
}

func TestTwoPhase(t *testing.T) {
	sim.Test(t, scenario, trial.Param(bugs), workload.Param(), sim.Seeds("1-5"))
}

func TestPlantedBugs(t *testing.T) { trial.Planted(t, "TestTwoPhase", bugs) }

func scenario(w *sim.World) {
	c, nodes := w.Node("co1"), w.Nodes("p", 2)
	trial.Start(w, c, coordinatorProgram)
	for _, n := range nodes {
		trial.Start(w, n, participantProgram, "-coordinator", string(trial.Addr(c)))
	}
	b := &bank{coordinator: trial.Addr(c), participants: trial.Addrs(nodes)}
	for _, c := range w.Clients("c", 3) {
		c.Run(func() { b.work(w, c) })
	}
	w.SafetyFor(trial.Safety)
	w.Faults(trial.Swarm(
		sim.Crashes().For(time.Second), sim.Kills().For(time.Second), sim.Pauses().For(2*time.Second),
		sim.Partitions().For(2*time.Second), sim.Delays().For(2*time.Second), sim.SlowDisks().For(2*time.Second),
	))
	w.Recovers("no transaction is in doubt", 10*time.Second, b.settle)
	w.Check(outcome.Func("isolation", b.isolated), outcome.Func("atomicity", b.atomic))
	w.Count(b.count)
}

// bank is what the clients know of the accounts: there are two at each participant.
type bank struct {
	coordinator  wire.Addr
	participants wire.List
	calls        []call
	ledgers      []Ledger // of the participants, at the end
}

// call is a transaction and what its client was told.
type call struct {
	t    Transaction
	read Balances
	err  error
}

func (b *bank) move(account, amount int) Move {
	return Move{b.participants[account%2], fmt.Sprintf("a%d", account), amount}
}

const accounts = 4

// work makes transfers, and audits, which are transfers of nothing that concern all
// accounts.
func (b *bank) work(w *sim.World, c *sim.Client) {
	pause := c.Choices().Between(2*time.Millisecond, 300*time.Millisecond)
	for op := range workload.Ops(w, c, pause) {
		t := Transaction{ID: fmt.Sprintf("%s-%d", c.Name(), op.Index)}
		if op.Intn(4) == 0 {
			for a := range accounts {
				t.Moves = append(t.Moves, b.move(a, 0))
			}
		} else {
			from, amount := op.Intn(accounts), 1+op.Intn(opening)
			to := (from + 1 + op.Intn(accounts-1)) % accounts
			t.Moves = []Move{b.move(from, -amount), b.move(to, amount)}
		}
		read, err := wire.Call[Balances](b.coordinator, "/transact", t, voteTimeout+2*decideTimeout)
		b.calls = append(b.calls, call{t, read, err})
	}
}

// settle reads the ledgers once nothing is in doubt.
func (b *bank) settle() error {
	b.ledgers = nil
	for _, p := range b.participants {
		l, err := wire.Call[Ledger](p, "/ledger", struct{}{}, decideTimeout)
		if err != nil {
			return err
		}
		if l.InDoubt > 0 {
			return fmt.Errorf("%d are in doubt", l.InDoubt)
		}
		b.ledgers = append(b.ledgers, l)
	}
	return nil
}

// isolated checks that every audit saw all the money, and no debt.
func (b *bank) isolated() outcome.Outcome {
	audits := 0
	for _, c := range b.calls {
		if c.err != nil || len(c.read) < accounts {
			continue
		}
		audits++
		sum := 0
		for a := range accounts {
			balance := c.read[b.move(a, 0).Account]
			if balance < 0 {
				return trial.Violated("audit %s read %v, want no balance below 0", c.t.ID, c.read)
			}
			sum += balance
		}
		if sum != accounts*opening {
			return trial.Violated("audit %s read %v, which is %d, want %d", c.t.ID, c.read, sum, accounts*opening)
		}
	}
	return trial.Kept(audits, "answer to an audit")
}

// atomic checks that each transaction happened at all its participants or at none,
// as its client was told, and once.
func (b *bank) atomic() outcome.Outcome {
	sums := Balances{}
	for _, c := range b.calls {
		happened, err := b.happened(c)
		if err != nil {
			o := trial.Violated("%s: %v", c.t.ID, err)
			o.Detail = fmt.Sprintf("%s: %v", c.t.ID, c.t.Moves)
			return o
		}
		for _, m := range c.t.Moves {
			if happened {
				sums[m.Account] += m.Amount
			}
		}
	}
	for a := range accounts {
		m := b.move(a, 0)
		if got := b.ledgers[a%2].Balances[m.Account]; got != sums[m.Account] {
			return trial.Violated("%s has changed by %d, want %d, the sum of what was committed", m.Account, got, sums[m.Account])
		}
	}
	return trial.Kept(len(b.calls), "transaction")
}

func (b *bank) happened(c call) (bool, error) {
	shares, at := c.t.shares(), 0
	for _, s := range shares {
		for i, p := range b.participants {
			if p == s.Moves[0].At && b.ledgers[i].Done[c.t.ID] == committed {
				at++
			}
		}
	}
	switch {
	case at != 0 && at != len(shares):
		return false, fmt.Errorf("committed at %d of %d participants", at, len(shares))
	case c.err == nil && at == 0:
		return false, errors.New("acknowledged, and not committed")
	case wire.Refused(c.err) && at > 0:
		return false, errors.New("refused, and committed")
	}
	return at > 0, nil
}

func (b *bank) count() (n run.Ops) {
	for _, c := range b.calls {
		trial.Tally(&n, c.err)
	}
	return n
}
