package stdsuite

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

var dirFS = sim.NewProgram("dirfs", func() {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	const root = "/srv/tree"
	must(os.RemoveAll(root)) // the program runs again when the world heals
	files := []string{"a", "b/c", "b/d/e", "b/empty", "f.txt"}
	for _, name := range files {
		must(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		must(os.WriteFile(filepath.Join(root, name), []byte("content of "+name), 0o640))
	}
	must(os.Truncate(filepath.Join(root, "b/empty"), 0))
	must(os.Symlink("../f.txt", filepath.Join(root, "b/link")))
	must(fstest.TestFS(os.DirFS(root), append(files, "b/link")...))
	if fstest.TestFS(os.DirFS(root), "g") == nil {
		panic("TestFS finds a file that is not there")
	}
})

// TestDirFS: a node's disk is a file system as package io/fs has it.
func TestDirFS(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.Node("n1").Start(dirFS)
		w.SafetyFor(time.Second)
	})
}
