package author

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// stage stages the files that were written, each in the repository that it is in.
func (w *writer) stage(ctx context.Context) {
	if w.Stage == StageNothing {
		return
	}
	done := map[string]bool{}
	for _, u := range w.units {
		if !u.Action.wrote() || done[u.File] {
			continue
		}
		done[u.File] = true
		staged, reason := stageFile(ctx, w.path(u.File))
		for _, v := range w.units {
			if v.File == u.File && v.Action.wrote() {
				v.Staged = staged
				if reason != "" {
					v.Reason = strings.TrimPrefix(v.Reason+"; "+reason, "; ")
				}
			}
		}
	}
}

func stageFile(ctx context.Context, file string) (Staged, string) {
	folder, name := filepath.Split(file)
	if text, err := git(ctx, folder, "rev-parse", "--is-inside-work-tree"); err != nil || text != "true" {
		return NoRepository, ""
	}
	if _, err := git(ctx, folder, "add", "--", name); err != nil {
		return NotStaged, err.Error()
	}
	return IsStaged, ""
}

// hookEnv is the variables by which git tells a hook of its repository, which is not
// that of the files.
var hookEnv = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}

// git runs git in a folder and returns what it printed.
func git(ctx context.Context, folder string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", args...)
	c.Dir = folder
	c.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(hookEnv, name)
	})
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, first)
	}
	return strings.TrimSpace(stdout.String()), nil
}
