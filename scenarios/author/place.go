package author

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/orrery-sim/orrery/scenarios/plan"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/rogpeppe/go-internal/diff"
)

// file writes one target file.
func (w *writer) file(f *target) error {
	k, err := w.skeleton(f, f.name)
	if err != nil {
		return err
	}
	w.absent(f, k)
	if len(k.tests) == 0 {
		return nil
	}
	text, err := k.render()
	if err != nil {
		return err
	}
	there, err := os.ReadFile(w.path(f.name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.put(k, f.name, Created, text)
	case err != nil:
		return err
	case sameBody(string(there), text):
		return w.same(k, f.name, nil)
	}
	return w.conflict(f, k, string(there), text)
}

// skeleton is what is to be written into a file of that name, for a target.
func (w *writer) skeleton(f *target, name string) (*skeleton, error) {
	id, err := idiomOf(w.path(path.Dir(f.name)), path.Base(name))
	if err != nil {
		return nil, err
	}
	file := ""
	if w.File != "" {
		file = w.planPath()
	}
	return &skeleton{
		plan: w.Plan, idiom: id, tests: f.tests, names: map[*test]string{},
		head: header{plan: cmp.Or(file, "none: it was read from no file"), hash: cmp.Or(w.Plan.Hash(), "none")},
	}, nil
}

// each calls f for every unit of the skeleton.
func (k *skeleton) each(f func(*unit)) {
	for _, t := range k.tests {
		for _, u := range t.units {
			f(u)
		}
	}
}

// absent leaves out the tests that the package has already, in a file that is no
// skeleton, and those of which the plan has another one in another file.
func (w *writer) absent(f *target, k *skeleton) {
	own := w.ownNames(f)
	var left []*test
	for _, t := range k.tests {
		action, reason := Action(""), ""
		dir := path.Dir(f.name)
		other := w.firstFile(dir, t.name)
		switch {
		case own[t.name]:
			action, reason = Skipped, fmt.Sprintf("%s has %s already, and is no skeleton", f.name, t.name)
		case k.idiom.declared[t.name] != "":
			action, reason = Skipped, fmt.Sprintf("%s has %s already", path.Join(dir, k.idiom.declared[t.name]), t.name)
		case other != f.name:
			action, reason = Refused, fmt.Sprintf("the plan has another %s, in %s: want each name once in a package", t.name, other)
		default:
			left = append(left, t)
		}
		for _, u := range t.units {
			u.Action, u.Reason = action, reason
		}
	}
	k.tests = left
}

// ownNames are what a target declares that is there and is no skeleton.
func (w *writer) ownNames(f *target) map[string]bool {
	text, err := os.ReadFile(w.path(f.name))
	if err != nil || marked(string(text)) {
		return nil
	}
	return declaredIn(text)
}

// firstFile is the first file of the plan that has a test of that name in a folder.
func (w *writer) firstFile(dir, name string) string {
	for _, f := range w.files {
		for _, t := range f.tests {
			if path.Dir(f.name) == dir && t.name == name {
				return f.name
			}
		}
	}
	return ""
}

// conflict decides about a file that is there and is something else.
func (w *writer) conflict(f *target, k *skeleton, there, text string) error {
	shown := string(diff.Diff(f.name, []byte(there), f.name+" (of the plan)", []byte(text)))
	state := stateOf(there)
	k.each(func(u *unit) { u.Diff, u.Reason = shown, state.text() })
	policy := w.OnConflict
	if policy == Ask {
		name, found, err := w.beside(f, k, wantSame)
		if err != nil || found != nil {
			return w.same(found, name, err)
		}
		policy = w.answers.ask(f.name, shown, state)
		if w.answers.nobody() {
			k.each(func(u *unit) { u.Reason += "; there is nobody to ask" })
		}
	}
	switch {
	case policy == New:
		name, found, err := w.beside(f, k, wantFree)
		if err != nil {
			return err
		}
		text, err := found.render()
		if err != nil {
			return err
		}
		if there, err := os.ReadFile(w.path(name)); err == nil && sameBody(string(there), text) {
			return w.same(found, name, nil)
		}
		return w.put(found, name, Beside, text)
	case policy == Overwrite && state != foreign:
		fmt.Fprint(w.Out, w.answers.once(shown))
		return w.put(k, f.name, Overwritten, text)
	}
	k.each(func(u *unit) { u.Action = Skipped })
	return nil
}

// same tells of a skeleton that is there already, under another name.
func (w *writer) same(k *skeleton, name string, err error) error {
	if err == nil {
		k.each(func(u *unit) { u.Action, u.File = Unchanged, name })
		k.rename()
	}
	return err
}

// put writes a file.
func (w *writer) put(k *skeleton, name string, action Action, text string) error {
	if err := run.WriteFile(w.path(name), []byte(text)); err != nil {
		return err
	}
	k.each(func(u *unit) { u.Action, u.File = action, name })
	k.rename()
	return nil
}

// rename tells units what their tests are called.
func (k *skeleton) rename() {
	for _, t := range k.tests {
		for _, u := range t.units {
			u.Func = k.name(t)
			now, said := plan.Target{File: u.File, Func: u.Func}, u.target()
			if said.File = path.Clean(said.File); now != said {
				u.Bind = now.String()
			}
		}
	}
}

// wanted is which name is looked for beside a file.
type wanted string

const (
	wantSame wanted = "same" // of a file that is what would be written
	wantFree wanted = "free" // such a one, or of none
)

// beside looks for a name beside a target: kv_2_test.go beside kv_test.go, and so on. The
// skeleton is that of a file of that name: what the package has already is called
// otherwise in it. It is nil if there is none.
func (w *writer) beside(f *target, of *skeleton, want wanted) (string, *skeleton, error) {
	for n := 2; ; n++ {
		name := fmt.Sprintf("%s_%d_test.go", strings.TrimSuffix(f.name, "_test.go"), n)
		k, err := w.skeleton(f, name)
		if err != nil {
			return "", nil, err
		}
		k.tests = of.tests
		for _, t := range k.tests {
			if k.idiom.present[t.name] {
				k.names[t] = fmt.Sprintf("%s_%d", t.name, n)
			}
		}
		info, err := os.Lstat(w.path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && want == wantFree:
			return name, k, nil
		case errors.Is(err, fs.ErrNotExist):
			return "", nil, nil
		case err != nil:
			return "", nil, err
		case !info.Mode().IsRegular():
			continue
		}
		text, err := k.render()
		if err != nil {
			return "", nil, err
		}
		there, err := os.ReadFile(w.path(name))
		if err != nil {
			return "", nil, err
		}
		if sameBody(string(there), text) {
			return name, k, nil
		}
	}
}
