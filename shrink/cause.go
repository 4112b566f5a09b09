package shrink

import (
	"context"
	"errors"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
)

// Branches makes runs that part.
type Branches interface {
	Branch(ctx context.Context, req run.Request, branches []run.Branch) ([][]run.Output, error)
}

// Point is a moment of a failing run, and how many of the futures that begin there,
// with other choices, fail in the same way.
type Point struct {
	At      int64 `json:"at"` // virtual nanoseconds since the run's start
	Futures int   `json:"futures"`
	Fail    int   `json:"fail"`
}

// Share is that of the futures that fail.
func (p Point) Share() float64 {
	if p.Futures == 0 {
		return 0
	}
	return float64(p.Fail) / float64(p.Futures)
}

// Cause parts a failing run at so many moments, evenly from its start to just before
// its end, into so many futures with choices of their own. Where the share that
// fails jumps, the failure became inevitable.
func Cause(ctx context.Context, runs Branches, req run.Request, failed run.Result, moments, futures int) ([]Point, error) {
	if failed.Violation == nil {
		return nil, errors.New("cause: the run does not fail")
	}
	req.Record, req.Until = run.RecordNone, nil
	if req.Faults == nil {
		req.Faults = texts(failed.Faults)
	}
	want := run.Signature(*failed.Violation)
	branches := make([]run.Branch, moments)
	key := choice.NameKey("cause")
	for i := range branches {
		branches[i].At.Time = 1 + max(0, failed.Virtual-2)*int64(i)/int64(max(moments-1, 1))
		for j := range futures {
			seed := choice.At(req.Seed, key, uint64(i*futures+j))
			branches[i].Futures = append(branches[i].Futures, run.Future{Seed: &seed})
		}
	}
	outputs, err := runs.Branch(ctx, req, branches)
	if err != nil {
		return nil, err
	}
	points := make([]Point, 0, moments)
	for i, list := range outputs {
		if list == nil {
			break // the run's end came before
		}
		p := Point{At: branches[i].At.Time, Futures: len(list)}
		for _, out := range list {
			if out.Violation != nil && run.Signature(*out.Violation) == want {
				p.Fail++
			}
		}
		points = append(points, p)
	}
	return points, nil
}

// Jump returns the index of the point whose share is most above that of the one
// before, the first of several, and by how much; -1 if none is above.
func Jump(points []Point) (index int, by float64) {
	index = -1
	for i := 1; i < len(points); i++ {
		if d := points[i].Share() - points[i-1].Share(); d > by {
			index, by = i, d
		}
	}
	return index, by
}
