package run

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTidy(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"new": 0, "used": keep - time.Hour, "old": keep + time.Hour} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		made := time.Now().Add(-age)
		if err := os.Chtimes(file, made, made); err != nil {
			t.Fatal(err)
		}
	}
	tidy(dir)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 || entries[0].Name() != "new" || entries[1].Name() != "used" {
		t.Errorf("left are %v, %v, want new and used", entries, err)
	}
}
