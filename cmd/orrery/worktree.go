package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// worktree is a revision in a temporary folder.
type worktree struct {
	repository
	rev  revision
	dir  string
	subs []*worktree // of its submodules
}

// checkout makes a worktree of a revision below a folder. It is the caller's to
// remove, after an error too.
func (r repository) checkout(ctx context.Context, rev revision, temp string) (*worktree, error) {
	w := &worktree{repository: r, rev: rev, dir: filepath.Join(temp, rev.flag)}
	return w, w.add(ctx)
}

func (w *worktree) add(ctx context.Context) error {
	if _, err := git(ctx, w.top, "worktree", "add", "--quiet", "--detach", w.dir, w.rev.commit); err != nil {
		return fmt.Errorf("%s: %w", w.rev, err)
	}
	return nil
}

// remove removes the folder, and git's note of it. It does so whatever has ended
// the command: twice --force is for one that was not made to its end.
func (w *worktree) remove() error {
	for _, sub := range w.subs {
		if err := sub.remove(); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(w.dir); err != nil {
		return err
	}
	ctx := context.Background()
	list, err := git(ctx, w.top, "worktree", "list", "--porcelain")
	if err != nil || !strings.Contains(list+"\n", "worktree "+w.dir+"\n") {
		return err
	}
	_, err = git(ctx, w.top, "worktree", "remove", "--force", "--force", w.dir)
	return err
}

// folder is the current folder, as this revision has it.
func (w *worktree) folder() string { return filepath.Join(w.dir, w.prefix) }

// check reports what would make the revision's package another one than that of
// its commit, or one that is not there.
func (w *worktree) check(ctx context.Context, pattern string) error {
	folder := w.folder()
	if isLocal(pattern) {
		path, _, _ := strings.Cut(pattern, "...")
		folder = filepath.Join(folder, path)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return usage(fmt.Errorf("%s: %s: no such folder in this revision: what is compared is what is committed", w.rev, pattern))
	}
	if err := w.checkModules(ctx, folder); err != nil && ctx.Err() == nil {
		return usage(fmt.Errorf("%s: %w", w.rev, err))
	}
	return ctx.Err()
}
