package toolbox

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
)

// DiscoverDir is Discover of a folder.
func DiscoverDir(dir string, l Limits) (*Toolbox, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("toolbox: %w: want the folder of a repository", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("toolbox: %s: found a file, want the folder of a repository", dir)
	}
	return Discover(os.DirFS(dir), l)
}

// Discover looks through a repository. The same files give the same toolbox. What
// cannot be read is left out with the reason; only a top that cannot be read is an
// error.
func Discover(fsys fs.FS, l Limits) (*Toolbox, error) {
	s := &search{fsys: fsys, limits: l.withDefaults(), box: &Toolbox{}, omitted: map[Omission]int{}, packages: map[string]*goPackage{}}
	if err := fs.WalkDir(fsys, ".", s.visit); err != nil {
		return nil, fmt.Errorf("toolbox: %w", err)
	}
	s.goTools()
	s.documentTools()
	return s.finish(), nil
}

// search is one walk through a repository.
type search struct {
	fsys      fs.FS
	limits    Limits
	box       *Toolbox
	ignored   ignored
	omitted   map[Omission]int // without the number of files, which is the value
	packages  map[string]*goPackage
	modules   []string // folders with a go.mod
	documents []Tool
}

// foreign are folders that hold what others made.
var foreign = []string{".git", ".hg", ".svn", "vendor", "node_modules"}

func (s *search) visit(name string, d fs.DirEntry, err error) error {
	if err != nil {
		if name == "." {
			return err
		}
		s.omit(name, reason(err))
		if d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if d.IsDir() {
		return s.enter(name)
	}
	if s.ignored.match(name, d) {
		s.omitFile(name, "ignored by .gitignore")
		return nil
	}
	if !d.Type().IsRegular() {
		s.omitFile(name, "no regular file")
		return nil
	}
	if s.box.Files >= s.limits.Files {
		s.omit(name, fmt.Sprintf("not looked at, nor what comes after it: more than %d files", s.limits.Files))
		return fs.SkipAll
	}
	s.box.Files++
	info, err := d.Info()
	if err != nil {
		s.omit(name, reason(err))
		return nil
	}
	s.look(&file{search: s, path: name, size: info.Size(), mode: info.Mode()})
	return nil
}

// enter decides whether to look into a folder.
func (s *search) enter(name string) error {
	switch {
	case name == ".":
	case slices.Contains(foreign, path.Base(name)):
		s.omit(name, "not the system's own")
		return fs.SkipDir
	case s.ignored.matchDir(name):
		s.omit(name, "ignored by .gitignore")
		return fs.SkipDir
	case s.isSession(name):
		s.omit(name, "what 'orrery plan run' has left")
		return fs.SkipDir
	}
	text, err := fs.ReadFile(s.fsys, path.Join(name, ".gitignore"))
	if err == nil {
		s.ignored.add(name, text)
	} else if !errors.Is(err, fs.ErrNotExist) {
		s.omit(path.Join(name, ".gitignore"), reason(err))
	}
	return nil
}

// isSession reports whether a folder is that of a session: what is in it was made from
// the toolbox, and is none of it.
func (s *search) isSession(name string) bool {
	for _, file := range []string{"session.json", "session-log.md"} {
		if info, err := fs.Stat(s.fsys, path.Join(name, file)); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// omit leaves out a file or a folder.
func (s *search) omit(name, why string) { s.omitted[Omission{Path: name, Reason: why}] = 0 }

// omitFile leaves out one of perhaps many files of a folder.
func (s *search) omitFile(name, why string) {
	s.omitted[Omission{Path: path.Dir(name), Reason: why}]++
}

// reason is an error without the name that it is listed beside.
func reason(err error) string {
	var in *fs.PathError
	if errors.As(err, &in) {
		return in.Op + ": " + in.Err.Error()
	}
	return err.Error()
}

func (s *search) add(t Tool) { s.box.Tools = append(s.box.Tools, t) }

// finish puts everything in order.
func (s *search) finish() *Toolbox {
	b := s.box
	slices.SortStableFunc(b.Tools, func(x, y Tool) int {
		return cmp.Or(
			cmp.Compare(slices.Index(kinds, x.Kind), slices.Index(kinds, y.Kind)),
			cmp.Compare(x.Path, y.Path), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Call(), y.Call()),
		)
	})
	b.Tools = slices.CompactFunc(b.Tools, func(x, y Tool) bool { return reflect.DeepEqual(x, y) })
	for o, n := range s.omitted {
		o.Files = n
		b.Omitted = append(b.Omitted, o)
	}
	slices.SortFunc(b.Omitted, func(x, y Omission) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Reason, y.Reason))
	})
	return b
}
