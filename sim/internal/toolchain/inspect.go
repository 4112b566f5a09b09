package toolchain

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Copy is a patched copy as it is found.
type Copy struct {
	Root
	Original string  // the GOROOT that it is of
	Made     bool    // it is there, whole
	Damage   error   // what is wrong with one that is there
	Misfits  []error // edits that do not fit the original
}

// Inspect returns what [Make] would find, and makes nothing.
func Inspect(ctx context.Context, c Config) (Copy, error) {
	m, err := newMaker(ctx, c, standardTables())
	if err != nil {
		return Copy{}, err
	}
	out := Copy{Root: m.at(m.dir()), Original: m.from.dir, Misfits: check(m.from.dir, m.tables)}
	if m.from.copyDir != "" {
		out.Dir = m.from.copyDir
	}
	if _, err := os.Stat(filepath.Join(out.Dir, markerName)); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return out, nil
	}
	out.Damage = verify(out.Dir, m.key)
	out.Made = out.Damage == nil
	return out, nil
}
