package author

import (
	"context"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
)

// check compiles the folders that have skeletons, and runs each skeleton once.
func (w *writer) check(ctx context.Context) error {
	var folders []string
	for _, u := range w.units {
		if folder := path.Dir(u.File); u.looked() && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	for _, folder := range folders {
		if err := w.checkFolder(ctx, folder); err != nil {
			return err
		}
	}
	return nil
}

// looked reports whether the unit's test is a skeleton now.
func (u *unit) looked() bool { return u.Action.wrote() || u.Action == Unchanged }

func (w *writer) checkFolder(ctx context.Context, folder string) error {
	tags := w.tags(folder)
	built, err := run.Build(ctx, []string{"./" + folder}, run.Options{Dir: w.Dir, Tags: tags})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, u := range w.units {
		if !u.looked() || path.Dir(u.File) != folder {
			continue
		}
		switch {
		case err != nil:
			u.Check, u.Found = NotCompiled, err.Error()
		case len(built) != 1:
			u.Check, u.Found = NotCompiled, "the go command finds no tests in ./"+folder+" that import the engine"
		default:
			if u.Check, u.Found, err = runOnce(ctx, built[0], u.Func); err != nil {
				return err
			}
		}
	}
	return nil
}

// seed is the one that a skeleton is run with: it fails with each.
const seed = 1

// runOnce runs a test as a scenario.
func runOnce(ctx context.Context, b *run.Binary, name string) (Check, string, error) {
	found, err := b.Scenarios(ctx, regexp.MustCompile(run.MatchExactly(name)))
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err != nil:
		return FailsElsewise, err.Error(), nil
	case len(found) == 0:
		return NotCompiled, fmt.Sprintf("the go command leaves %s out: by its file's name, or a build tag", name), nil
	}
	wk, err := run.StartWorker(ctx, found[0], run.WorkerOptions{})
	if err != nil {
		return FailsElsewise, err.Error(), ctx.Err()
	}
	defer wk.Close()
	out, err := wk.Run(ctx, run.Request{Seed: seed})
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err != nil:
		return FailsElsewise, err.Error(), nil
	case out.Violation == nil:
		return FailsElsewise, fmt.Sprintf("the run is %s: %s", out.Verdict, out.Reason), nil
	case !strings.Contains(out.Violation.Message, isSkeleton):
		return FailsElsewise, out.Violation.Message, nil
	}
	return FailsAsSkeleton, "", nil
}

// tags are those of the configuration, and those that the skeletons of a folder ask for.
func (w *writer) tags(folder string) string {
	var all []string
	if w.Tags != "" {
		all = strings.Split(w.Tags, ",")
	}
	for _, u := range w.units {
		if !u.looked() || path.Dir(u.File) != folder {
			continue
		}
		text, err := os.ReadFile(w.path(u.File))
		if err != nil {
			continue
		}
		for _, tag := range tagsOf(string(text)) {
			if !slices.Contains(all, tag) {
				all = append(all, tag)
			}
		}
	}
	return strings.Join(all, ",")
}
