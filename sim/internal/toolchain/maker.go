package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// maker makes the copy of one GOROOT.
type maker struct {
	from   original
	tables tables
	base   string // folder of all copies
	name   string // of the copy in base
	key    string

	// reached is called with what is done: tests stop a maker there.
	reached func(stage string)
}

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9.]+`)

func newMaker(ctx context.Context, c Config, t tables) (*maker, error) {
	from, err := locate(ctx, c)
	if err != nil {
		return nil, err
	}
	base, err := cacheDir(c)
	if err != nil {
		return nil, err
	}
	key := keyOf(from.version, from.dir, t)
	return &maker{
		from: from, tables: t, base: base, key: key,
		name:    unsafeInName.ReplaceAllString(from.version.text, "_") + "-" + key,
		reached: func(string) {},
	}, nil
}

// cacheDir returns the folder of all copies.
func cacheDir(c Config) (string, error) {
	dir := c.Cache
	if dir == "" {
		dir = os.Getenv("ORRERY_CACHE")
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: set ORRERY_CACHE to a folder for patched copies of Go", err)
		}
		dir = filepath.Join(user, "orrery")
	}
	dir, err := filepath.Abs(dir)
	return filepath.Join(dir, "goroot"), err
}

func (m *maker) dir() string { return filepath.Join(m.base, m.name) }

func (m *maker) at(dir string) Root { return Root{dir, m.from.version.text, m.key} }

// root returns the copy, made if need be. Whoever gets the lock second finds what
// the first made.
func (m *maker) root(ctx context.Context) (Root, error) {
	if m.from.copyDir != "" && verify(m.from.copyDir, m.key) == nil {
		return m.at(m.from.copyDir), nil
	}
	if verify(m.dir(), m.key) == nil {
		markUsed(m.dir())
		return m.at(m.dir()), nil
	}
	if err := os.MkdirAll(m.base, 0o755); err != nil {
		return Root{}, fmt.Errorf("%w: set ORRERY_CACHE to a folder that can be written", err)
	}
	unlock, err := lock(ctx, lockName(m.dir()))
	if err != nil {
		return Root{}, err
	}
	defer unlock()
	if verify(m.dir(), m.key) == nil {
		return m.at(m.dir()), nil
	}
	if err := m.make(ctx); err != nil {
		return Root{}, err
	}
	m.tidy()
	return m.at(m.dir()), nil
}

// make makes the copy beside its place and renames it. The lock is held, so that
// anything unfinished of that name was left by a process that died.
func (m *maker) make(ctx context.Context) error {
	files, errs := m.tables.apply(m.from.version, os.DirFS(filepath.Join(m.from.dir, "src")))
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	tmp := partName(m.dir())
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	if err := m.fill(ctx, tmp, files); err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return m.publish(tmp)
}

// fill makes a whole copy in dir, its marker last.
func (m *maker) fill(ctx context.Context, dir string, files []sourceFile) error {
	if err := copyTree(ctx, filepath.Join(m.from.dir, "src"), filepath.Join(dir, "src")); err != nil {
		return err
	}
	m.reached("copied")
	mf := manifest{GoVersion: m.from.version.text, Key: m.key, Original: m.from.dir}
	for _, f := range files {
		to := filepath.Join(dir, "src", filepath.FromSlash(f.path))
		if err := os.WriteFile(to, f.content, 0o644); err != nil {
			return err
		}
		mf.Files = append(mf.Files, sum{f.path, hash(f.content)})
	}
	if err := linkRest(m.from.dir, dir); err != nil {
		return err
	}
	m.reached("patched")
	if err := flush(dir); err != nil {
		return err
	}
	if err := mf.verifyFiles(dir); err != nil {
		return err
	}
	return mf.write(dir)
}

// publish puts the copy in tmp in its place. A damaged copy there is moved away
// at once, and removed after.
func (m *maker) publish(tmp string) error {
	old := oldName(m.dir())
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(m.dir(), old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(tmp, m.dir()); err != nil {
		return err
	}
	markUsed(m.dir())
	return os.RemoveAll(old)
}
