package shrink

import (
	"context"
	"errors"
	"fmt"

	"github.com/orrery-sim/orrery/sim/run"
)

// Smaller makes a failure of a scenario small, and goes on where an earlier search for
// it was interrupted. An interrupted one returns the smallest run so far. known, if not
// nil, is told how many candidates an earlier search has left.
func Smaller(ctx context.Context, sc run.Scenario, runs Runs, req run.Request, failed run.Result, o Options, known func(int)) (Outcome, error) {
	journal, err := OpenJournal(sc, req, failed)
	if err != nil {
		return Outcome{}, err
	}
	if n := journal.Known(); n > 0 && known != nil {
		known(n)
	}
	o.Params, o.Journal = sc.Params, journal
	small, err := Shrink(ctx, runs, req, failed, o)
	if small.End == Interrupted {
		return small, errors.Join(err, journal.Close())
	}
	if err := errors.Join(err, journal.Remove()); err != nil {
		return small, err
	}
	if small.End == Lost {
		return Outcome{}, fmt.Errorf("seed %d: with its faults given as text the failure does not come back: replay it by its seed", req.Seed)
	}
	return small, nil
}
