package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/orrery-sim/orrery/sim/run"
)

// repository is the git repository that a folder is in.
type repository struct {
	top    string // its work tree, which is never written to
	prefix string // the folder, as seen from top
}

// hookEnv is the variables by which git tells a hook of its repository. What
// they say must not lead commands for another work tree back to that one.
var hookEnv = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}

// git runs git in a folder, without hooks, and returns what it printed.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=/dev/null"}, args...)...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(hookEnv, name)
	})
	// It takes back what it has begun.
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	return output(c)
}

// output returns what a command printed, without the last newline; its error is
// what it said.
func output(c *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = errors.New(text)
		}
		return "", fmt.Errorf("%s: %w", filepath.Base(c.Path), err)
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// repositoryOf finds the repository that the current folder is in.
func repositoryOf(ctx context.Context) (r repository, err error) {
	if r.top, err = git(ctx, "", "rev-parse", "--show-toplevel"); err != nil {
		return r, usage(fmt.Errorf("%w: want a git repository, with its work tree", err))
	}
	r.prefix, err = git(ctx, "", "rev-parse", "--show-prefix")
	return r, err
}

// pattern is a package's pattern as it is seen from the folder at any revision.
func (r repository) pattern(text string) (string, error) {
	if !filepath.IsAbs(text) && !isLocal(text) {
		return text, nil
	}
	here := filepath.Join(r.top, r.prefix)
	path := text
	if !filepath.IsAbs(text) {
		path = filepath.Join(here, text)
	}
	if !below(r.top, path) {
		return "", usage(fmt.Errorf("%s: it is outside of the repository %s: want a package that both revisions have", text, r.top))
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return rel, err
	}
	return "./" + rel, nil
}

func isLocal(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../")
}

// below reports whether a path is a folder, or lies in it.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// revision is a commit, and what it was called on the command line.
type revision struct {
	flag   string // "base" or "fix"
	ref    string
	commit string
}

// String is how people name it.
func (r revision) String() string { return r.flag + " " + r.short() }

func (r revision) short() string { return r.commit[:min(12, len(r.commit))] }

func (r repository) revision(ctx context.Context, flag, ref string) (revision, error) {
	if ref == "" {
		return revision{}, usage(fmt.Errorf("--%s: want a commit, a branch or a tag", flag))
	}
	commit, err := git(ctx, r.top, "rev-parse", "--quiet", "--verify", "--end-of-options", ref+"^{commit}")
	if err != nil && ctx.Err() == nil {
		return revision{}, usage(fmt.Errorf("--%s %s: no such commit in %s: want a commit, a branch or a tag (a shallow clone has few: 'git fetch --unshallow')", flag, run.ShellQuote(ref), r.top))
	}
	return revision{flag, ref, commit}, err
}
