package shrink

import (
	"context"
	"fmt"
	"io"

	"github.com/orrery-sim/orrery/sim/run"
)

// needsMost is how many parts of a small run are left out, one at a time, to tell
// what each is needed for.
const needsMost = 100

// Told is what happened in a small run, and what each part of it is needed for.
type Told struct {
	Lines []Line
	Needs []Need
	All   bool // every part was left out once
}

// Tell tells a small run.
func Tell(ctx context.Context, runs Runs, small Outcome) (t Told, err error) {
	if t.Needs, t.All, err = Needs(ctx, runs, small, needsMost); err != nil {
		return t, err
	}
	req := small.Request
	req.Record = run.RecordStacks
	out, err := runs.Run(ctx, req)
	if err != nil {
		return t, err
	}
	t.Lines, err = Story(out, t.Needs)
	return t, err
}

// Print prints the story, at most 100 columns wide.
func (t Told) Print(w io.Writer) {
	fmt.Fprintln(w)
	printStory(w, t.Lines)
	if !t.All {
		fmt.Fprintf(w, "only the first %d parts were left out, to see what they are needed for\n", needsMost)
	}
}
