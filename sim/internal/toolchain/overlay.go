package toolchain

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed overlay
var overlayFiles embed.FS

// addition is a file that the copy has and the original has not.
type addition struct {
	path    string // below src, as in "runtime/orrery_world.go"
	content string
	since   string // as in edit
	until   string
}

// overlayAdditions returns the files of folder overlay, in the order of their
// names. They end in .txt, so that no go command takes them for ours; a line
// such as "//orrery:since 1.27" or "//orrery:until 1.26" before the first that is
// neither blank nor a comment bounds the versions of Go that a file is for.
func overlayAdditions() []addition {
	list, err := readOverlay(overlayFiles)
	if err != nil {
		panic(fmt.Sprintf("toolchain: %v", err))
	}
	return list
}

func readOverlay(files fs.FS) ([]addition, error) {
	var out []addition
	err := fs.WalkDir(files, "overlay", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Dir(name) == "overlay" {
			return err
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		to, ok := strings.CutSuffix(strings.TrimPrefix(name, "overlay/"), ".txt")
		if !ok || path.Ext(to) == "" {
			return fmt.Errorf("%s: want a name such as x.go.txt", name)
		}
		a := addition{path: to, content: string(b)}
		a.since, a.until = versionBounds(a.content)
		out = append(out, a)
		return nil
	})
	return out, err
}

// versionBounds reads the bounds in the comments that a file begins with.
func versionBounds(content string) (since, until string) {
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") {
			break
		}
		if v, ok := strings.CutPrefix(line, "//orrery:since "); ok {
			since = strings.TrimSpace(v)
		}
		if v, ok := strings.CutPrefix(line, "//orrery:until "); ok {
			until = strings.TrimSpace(v)
		}
	}
	return since, until
}
