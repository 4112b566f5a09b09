package run

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// CacheDir is the folder of binaries, and of what else can be made again.
func CacheDir() (string, error) {
	base := os.Getenv("ORRERY_CACHE")
	if base == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder for the cache: %w: set ORRERY_CACHE", err)
		}
		base = filepath.Join(user, "orrery")
	}
	dir := filepath.Join(base, "bin")
	return dir, os.MkdirAll(dir, 0o755)
}

// keep is how long a binary stays that no build made again: longer than any sweep.
const keep = 30 * 24 * time.Hour

// tidy removes old files of the cache. What it cannot remove stays.
func tidy(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > keep {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
