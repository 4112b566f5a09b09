package toolchain

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// linked are the parts of a GOROOT that a copy shares with its original.
var linked = []string{"pkg", "lib", "misc", "test", "api", "doc", "VERSION", "go.env"}

// linkRest gives the copy all that is not src. The go command finds its GOROOT by
// the path it was started from, so bin holds files of its own: hard links where
// the file system has them.
func linkRest(from, to string) error {
	for _, name := range linked {
		target := filepath.Join(from, name)
		if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.Symlink(target, filepath.Join(to, name)); err != nil {
			return err
		}
	}
	list, err := os.ReadDir(filepath.Join(from, "bin"))
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(to, "bin"), 0o755); err != nil {
		return err
	}
	for _, e := range list {
		if err := linkOrCopy(filepath.Join(from, "bin", e.Name()), filepath.Join(to, "bin", e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func linkOrCopy(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return os.Symlink(from, to)
	}
	if real, err := filepath.EvalSymlinks(from); err == nil && os.Link(real, to) == nil {
		return nil
	}
	return copyFile(from, to, info.Mode())
}

// copyTree copies a folder of files. What it makes can be written even where the
// original, as in the module cache, cannot.
func copyTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		info, err := os.Stat(name) // follows links: a copy stands alone
		if err != nil {
			return err
		}
		return copyFile(name, target, info.Mode())
	})
}

func copyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// flush has the file system of dir write what it holds in memory, so that a
// marker never outlives, in a crash of the machine, what it vouches for.
func flush(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return os.NewSyscallError("syncfs", unix.Syncfs(int(f.Fd())))
}
