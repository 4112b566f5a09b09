package pebble

import (
	"sync"
	_ "unsafe" // for go:linkname
)

// lockedFiles is pebble's list of the locks that its process holds. A process that
// is killed takes the list with it.
//
//go:linkname lockedFiles github.com/cockroachdb/pebble/v2/vfs.lockedFiles
var lockedFiles struct {
	mu struct {
		sync.Mutex
		files map[string]bool
	}
}

// newProcess makes pebble's package-level variables those of a new process.
func newProcess() { lockedFiles.mu.files = nil }
