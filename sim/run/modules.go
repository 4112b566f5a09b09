package run

import (
	"os"
	"path/filepath"
	"strings"
)

// inModule is patterns of packages, and the folder in which the go command
// resolves them.
type inModule struct {
	dir      string
	patterns []string
}

// byModule groups patterns by the module that they are about. The go command
// resolves patterns in one module at a time, so a folder that lies in another
// module than dir does is resolved in its own. As for the go command, "..." does
// not reach into modules below.
func byModule(dir string, patterns []string) []inModule {
	here := moduleFolder(dir)
	var out []inModule
	add := func(in, pattern string) {
		for i := range out {
			if out[i].dir == in {
				out[i].patterns = append(out[i].patterns, pattern)
				return
			}
		}
		out = append(out, inModule{in, []string{pattern}})
	}
	for _, p := range patterns {
		in, rel, ok := ownModule(dir, p)
		if !ok || in == here {
			in, rel = dir, p
		}
		add(in, rel)
	}
	return out
}

// ownModule returns the module folder of a pattern that is a folder's, and the
// pattern as seen from there.
func ownModule(dir, pattern string) (module, rel string, ok bool) {
	if !isFolder(pattern) {
		return "", "", false
	}
	path := pattern
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", "", false
	}
	folder, _, _ := strings.Cut(path, "...")
	module = moduleFolder(folder)
	if module == "" {
		return "", "", false
	}
	rel, err = filepath.Rel(module, path)
	return module, "./" + rel, err == nil
}

// isFolder reports whether the go command takes a pattern for a path.
func isFolder(pattern string) bool {
	return filepath.IsAbs(pattern) || pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../")
}

// moduleFolder returns the nearest folder, dir or above it, with a go.mod; "" if
// there is none.
func moduleFolder(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
