package stdsuite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// guestPackage is what a test binary is linked with.
const guestPackage = "github.com/orrery-sim/orrery/sim/internal/stdsuite/guest"

// stdPath is the path by which a package of the engine looks like a part of the
// standard library, which may import nothing else, and by which all of that may
// import it.
func stdPath(importPath string) string {
	return "orrery/" + strings.ReplaceAll(importPath, "/internal/", "/inner/")
}

// enginePackage is a package that guestPackage needs and GOROOT has not.
type enginePackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	SFiles     []string
	HFiles     []string
	EmbedFiles []string
	Standard   bool
}

func enginePackages(ctx context.Context) (out []enginePackage, err error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,SFiles,HFiles,EmbedFiles,Standard", guestPackage)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("go list -deps %s: %w: %s", guestPackage, err, stderr.Bytes())
	}
	for dec := json.NewDecoder(&stdout); ; {
		var p enginePackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if !p.Standard {
			out = append(out, p)
		}
	}
}

// addEngine adds the engine's packages, by their stdPath, and the runtime's side
// of the bridge, whose symbols are named after them.
func (t *tree) addEngine(ctx context.Context) error {
	packages, err := enginePackages(ctx)
	if err != nil {
		return err
	}
	rename := renaming(packages)
	for _, p := range packages {
		for _, f := range slices.Concat(p.GoFiles, p.SFiles, p.HFiles, p.EmbedFiles) {
			content, err := os.ReadFile(filepath.Join(p.Dir, f))
			if err != nil {
				return err
			}
			if path.Ext(f) == ".go" {
				content = []byte(rename.Replace(string(content)))
			}
			t.files[path.Join(stdPath(p.ImportPath), filepath.ToSlash(f))] = content
		}
	}
	bridge, err := filepath.Glob(filepath.Join(t.from.Dir, "src", "runtime", "orrery_*.go"))
	if err != nil {
		return err
	}
	for _, f := range bridge {
		name := "runtime/" + filepath.Base(f)
		content, err := t.readSource(name)
		if err != nil {
			return err
		}
		t.files[name] = []byte(rename.Replace(string(content)))
	}
	return nil
}

// renaming gives the packages their stdPath wherever they are imported, and where
// a symbol of theirs is linked by name.
func renaming(packages []enginePackage) *strings.Replacer {
	var pairs []string
	for _, p := range packages {
		pairs = append(pairs,
			`"`+p.ImportPath+`"`, `"`+stdPath(p.ImportPath)+`"`,
			" "+p.ImportPath+".", " "+stdPath(p.ImportPath)+".")
	}
	return strings.NewReplacer(pairs...)
}
