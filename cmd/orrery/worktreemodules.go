package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// goJSON runs the go command in a folder and decodes what it prints.
func goJSON(ctx context.Context, dir string, to any, args ...string) error {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = dir
	text, err := output(c)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), to)
}

// moduleFiles is the files that decide which modules a build is of.
type moduleFiles struct{ GOMOD, GOWORK string }

func moduleFilesOf(ctx context.Context, dir string) (m moduleFiles, err error) {
	err = goJSON(ctx, dir, &m, "env", "-json", "GOMOD", "GOWORK")
	if m.GOWORK == "off" {
		m.GOWORK = ""
	}
	return m, err
}

// checkModules reports the files and paths of the modules of a folder of the
// worktree by which its build would take what is not of the revision.
func (w *worktree) checkModules(ctx context.Context, folder string) error {
	here, err := moduleFilesOf(ctx, filepath.Join(w.top, w.prefix))
	if err != nil {
		return err
	}
	there, err := moduleFilesOf(ctx, folder)
	if err != nil {
		return err
	}
	if here.GOWORK != "" && !below(w.dir, there.GOWORK) || there.GOWORK != "" && !below(w.dir, there.GOWORK) {
		return fmt.Errorf("the workspace %s is not of this revision: commit its go.work, or set GOWORK=off", cmp.Or(there.GOWORK, here.GOWORK))
	}
	if !below(w.dir, there.GOMOD) {
		return fmt.Errorf("%s is in no module: want a go.mod, committed", strings.TrimPrefix(folder, w.dir+"/"))
	}
	mods := []string{there.GOMOD}
	if there.GOWORK != "" {
		if mods, err = w.workspace(ctx, there.GOWORK); err != nil {
			return err
		}
	}
	for _, mod := range mods {
		var m struct{ Replace []replacement }
		if err := goJSON(ctx, w.dir, &m, "mod", "edit", "-json", mod); err != nil {
			return err
		}
		if err := w.checkReplaced(mod, m.Replace); err != nil {
			return err
		}
	}
	return nil
}

// workspace returns the go.mod files of a go.work.
func (w *worktree) workspace(ctx context.Context, file string) (mods []string, err error) {
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []replacement
	}
	if err := goJSON(ctx, w.dir, &work, "work", "edit", "-json", file); err != nil {
		return nil, err
	}
	for _, use := range work.Use {
		if err := w.checkPath(file, "uses", use.DiskPath); err != nil {
			return nil, err
		}
		mods = append(mods, filepath.Join(filepath.Dir(file), use.DiskPath, "go.mod"))
	}
	return mods, w.checkReplaced(file, work.Replace)
}

type replacement struct {
	New struct{ Path, Version string }
}

func (w *worktree) checkReplaced(file string, list []replacement) error {
	for _, r := range list {
		if r.New.Version != "" {
			continue // by a module, not by a folder
		}
		if err := w.checkPath(file, "replaces a module by", r.New.Path); err != nil {
			return err
		}
	}
	return nil
}

// checkPath reports a path in a file of the worktree that leads out of it, or back
// to the work tree it was made from.
func (w *worktree) checkPath(file, verb, path string) error {
	name := strings.TrimPrefix(file, w.dir+"/")
	switch {
	case filepath.IsAbs(path) && below(w.top, path):
		return fmt.Errorf("%s %s %s, which is the work tree and not this revision: not supported: use a path that is relative", name, verb, path)
	case !filepath.IsAbs(path) && !below(w.dir, filepath.Join(filepath.Dir(file), path)):
		return fmt.Errorf("%s %s %s, which is outside of the repository: not supported: use an absolute path, or a version", name, verb, path)
	}
	return nil
}
