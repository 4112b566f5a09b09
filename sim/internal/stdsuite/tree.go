package stdsuite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/orrery-sim/orrery/sim/internal/toolchain"
)

// tree is a GOROOT made of the patched one, in which the engine is a part of the
// standard library, so that tests of that can import it.
type tree struct {
	from  toolchain.Root
	dir   string
	files map[string][]byte // that from has not, or not so, by path below src
}

// newTree makes the tree, if the cache does not hold it.
func newTree(ctx context.Context, from toolchain.Root) (*tree, error) {
	t := &tree{from: from, files: map[string][]byte{}}
	if err := t.addEngine(ctx); err != nil {
		return nil, err
	}
	if err := t.addHook(); err != nil {
		return nil, err
	}
	t.files["orrery/entry.txt"] = []byte(entryFile)
	base := filepath.Join(from.Dir, "..", "..", "std")
	t.dir = filepath.Join(base, filepath.Base(from.Dir)+"-"+t.key())
	if _, err := os.Stat(t.dir); !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return nil, err
	}
	if err := tidy(base); err != nil {
		return nil, err
	}
	return t, t.publish(base)
}

// key names what t adds to the patched GOROOT.
func (t *tree) key() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		fmt.Fprintf(h, "%q %q\n", name, t.files[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// publish makes the tree beside its place and renames it: of several processes
// that do so, one comes first.
func (t *tree) publish(base string) error {
	tmp, err := os.MkdirTemp(base, "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := t.fill(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, t.dir); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// fill makes the tree in dir. What packages of the standard library are not built
// from is linked.
func (t *tree) fill(dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := link(t.from.Dir, dir, func(name string) bool { return name != "src" }); err != nil {
		return err
	}
	src := filepath.Join(dir, "src")
	if err := copySources(filepath.Join(t.from.Dir, "src"), src); err != nil {
		return err
	}
	for name, content := range t.files {
		to := filepath.Join(src, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// copySources copies the folders of packages, but for those of commands, which it
// links.
func copySources(from, to string) error {
	const commands = "cmd"
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	if err := link(from, to, func(name string) bool { return name == commands }); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || e.Name() == commands {
			continue
		}
		if err := os.CopyFS(filepath.Join(to, e.Name()), os.DirFS(filepath.Join(from, e.Name()))); err != nil {
			return err
		}
	}
	return nil
}

// link links those entries of a folder that are chosen into another.
func link(from, to string, chosen func(name string) bool) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !chosen(e.Name()) {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// keep is how long a tree stays once it was made.
const keep = 24 * time.Hour

// tidy removes old trees.
func tidy(base string) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < keep {
			continue
		}
		if err := os.RemoveAll(filepath.Join(base, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// readSource reads a file of the patched GOROOT, by its path below src.
func (t *tree) readSource(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(t.from.Dir, "src", filepath.FromSlash(name)))
}
