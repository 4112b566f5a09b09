package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
)

// Config says what is written, and how.
type Config struct {
	Plan *plan.Plan
	File string // the plan's; "" is the one that it was read from
	Dir  string // the repository's top, which targets are seen from; "" is the current folder
	// Only are the ids of scenarios and arms that are written; none stands for all. A file
	// is always written as a whole, with all tests that the plan has for it.
	Only       []string
	OnConflict OnConflict
	In         io.Reader // gives the answers; nil if there is nobody to ask
	Out        io.Writer // gets diffs and questions; nil drops them
	Stage      Stage
	Tags       string // build tags of the tests, separated by commas
}

// UsageError is a mistake of the caller's: nothing was written.
type UsageError struct{ err error }

func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the mistake.
func (e *UsageError) Unwrap() error { return e.err }

// validate fills in what was left out.
func (c *Config) validate() error {
	if c.Plan == nil {
		return errors.New("author: no plan: want one that was read")
	}
	c.OnConflict = cmp.Or(c.OnConflict, Ask)
	if _, err := ParseOnConflict(string(c.OnConflict)); err != nil {
		return err
	}
	c.File, c.Dir = cmp.Or(c.File, c.Plan.File()), cmp.Or(c.Dir, ".")
	if c.Out == nil {
		c.Out = io.Discard
	}
	info, err := os.Stat(c.Dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: found a file, want the folder of a repository", c.Dir)
	}
	if err != nil {
		return err
	}
	return c.known()
}

// known wants every id of Only to be of the plan.
func (c *Config) known() error {
	var ids []string
	for _, s := range c.Plan.Scenarios {
		ids = append(ids, s.ID)
		for _, a := range s.Arms {
			ids = append(ids, a.ID)
		}
	}
	for _, id := range c.Only {
		if !slices.Contains(ids, id) {
			return fmt.Errorf("the plan has no scenario %q: want one of %s", id, strings.Join(ids, ", "))
		}
	}
	return nil
}

// Write writes the skeletons of a plan's scenarios, looks whether they compile and
// fail, and stages new files. The results are in the plan's order: one for each
// scenario, and for each arm that has a target of its own. A [*UsageError] comes
// before anything is written; after another error, what was done is returned too.
func Write(ctx context.Context, c Config) ([]Written, error) {
	if err := c.validate(); err != nil {
		return nil, &UsageError{err}
	}
	w := &writer{Config: c, answers: newAnswers(c.In, c.Out)}
	w.collect()
	for i := range w.files {
		if err := ctx.Err(); err != nil {
			return w.results(), err
		}
		if err := w.file(&w.files[i]); err != nil {
			return w.results(), err
		}
	}
	if err := w.check(ctx); err != nil {
		return w.results(), err
	}
	w.stage(ctx)
	return w.results(), nil
}

// writer is one call of Write.
type writer struct {
	Config
	answers answers
	units   []*unit
	files   []target
}

func (w *writer) results() []Written {
	var out []Written
	for _, u := range w.units {
		out = append(out, u.Written)
	}
	return out
}

// planPath is the plan's path as headers have it: from the repository's top, so that
// it is the same on every machine.
func (w *writer) planPath() string {
	top, err := filepath.Abs(w.Dir)
	if err != nil {
		return filepath.Base(w.File)
	}
	file, err := filepath.Abs(w.File)
	if err != nil {
		return filepath.Base(w.File)
	}
	rel, err := filepath.Rel(top, file)
	if err != nil {
		return filepath.Base(w.File)
	}
	return filepath.ToSlash(rel)
}

// path is where a file of the repository is on this machine.
func (w *writer) path(name string) string { return filepath.Join(w.Dir, filepath.FromSlash(name)) }
