package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// checkoutSubmodules checks the submodules of a worktree out, at the commits that its
// revision has, from those of the work tree it was made from. It returns the paths of
// those that are not there.
func (w *worktree) checkoutSubmodules(ctx context.Context) (missing []string, err error) {
	for _, path := range w.submodules(ctx) {
		from := repository{top: filepath.Join(w.top, path)}
		rev, err := w.submodule(ctx, from, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			missing = append(missing, path)
			continue
		}
		sub := &worktree{repository: from, rev: rev, dir: filepath.Join(w.dir, path)}
		w.subs = append(w.subs, sub)
		if err := sub.add(ctx); err != nil {
			return nil, err
		}
		below, err := sub.checkoutSubmodules(ctx)
		if err != nil {
			return nil, err
		}
		for _, b := range below {
			missing = append(missing, filepath.Join(path, b))
		}
	}
	return missing, nil
}

// submodule is the revision at which a submodule is to be, if its repository has it.
func (w *worktree) submodule(ctx context.Context, from repository, path string) (rev revision, err error) {
	if _, err := os.Stat(filepath.Join(from.top, ".git")); err != nil {
		return rev, err
	}
	commit, err := git(ctx, w.dir, "rev-parse", "--verify", w.rev.commit+":"+path)
	if err == nil {
		_, err = git(ctx, from.top, "cat-file", "-e", commit+"^{commit}")
	}
	return revision{flag: w.rev.flag, ref: path, commit: commit}, err
}

// submodules returns the paths of the submodules of a worktree's revision.
func (w *worktree) submodules(ctx context.Context) []string {
	const modules = ".gitmodules"
	if _, err := os.Stat(filepath.Join(w.dir, modules)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	text, err := git(ctx, w.dir, "config", "--file", modules, "--get-regexp", `\.path$`)
	if err != nil {
		return []string{modules}
	}
	var paths []string
	for line := range strings.Lines(text) {
		_, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		paths = append(paths, path)
	}
	return paths
}
