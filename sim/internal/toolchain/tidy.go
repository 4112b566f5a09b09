package toolchain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A copy takes 160 MB. Those that were not used for keepFor before the newest was
// made are removed, but for the keepMin used last.
const (
	keepMin = 4
	keepFor = time.Hour
)

// Beside a copy lie the lock that its makers hold, what they have not finished,
// and what they replace.
func lockName(dir string) string { return dir + ".lock" }
func partName(dir string) string { return dir + ".part" }
func oldName(dir string) string  { return dir + ".old" }

// usedName is the file whose time of change says when a copy was last asked for.
const usedName = "orrery.used"

// markUsed is best effort: a cache that cannot be written is not tidied.
func markUsed(dir string) { _ = os.WriteFile(filepath.Join(dir, usedName), []byte("\n"), 0o644) }

func lastUsed(dir string) time.Time {
	info, err := os.Stat(filepath.Join(dir, usedName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// tidy removes what dead makers left, and copies that are no longer used. It is
// best effort, and leaves what others have locked.
func (m *maker) tidy() {
	list, err := os.ReadDir(m.base)
	if err != nil {
		return
	}
	var copies []string
	for _, e := range list {
		dir := filepath.Join(m.base, e.Name())
		switch {
		case !e.IsDir() || dir == m.dir():
		case strings.HasSuffix(dir, ".part") || strings.HasSuffix(dir, ".old"):
			removeUnlocked(dir, strings.TrimSuffix(dir, filepath.Ext(dir)))
		default:
			if _, err := readManifest(dir); err == nil {
				copies = append(copies, dir)
			}
		}
	}
	for _, dir := range unused(copies, lastUsed(m.dir())) {
		removeUnlocked(dir, dir)
	}
}

// unused returns the copies to remove once another was made at newest.
func unused(copies []string, newest time.Time) []string {
	slices.SortFunc(copies, func(a, b string) int {
		if c := lastUsed(b).Compare(lastUsed(a)); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	var out []string
	for i, dir := range copies {
		if i >= keepMin-1 && lastUsed(dir).Before(newest.Add(-keepFor)) {
			out = append(out, dir)
		}
	}
	return out
}

// removeUnlocked removes dir if no maker of the copy is at work. The marker goes
// first: what is left of a copy is no copy.
func removeUnlocked(dir, of string) {
	unlock, err := tryLock(lockName(of))
	if err != nil {
		return
	}
	defer unlock()
	_ = os.Remove(filepath.Join(dir, markerName))
	_ = os.RemoveAll(dir)
}
