package author

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// refusal says why a target file cannot be written, if so: nothing is written outside of
// the repository, through links, or where the go command does not look.
func refusal(top, name string) string {
	base := path.Base(name)
	switch {
	case name == "":
		return "the plan names no file for it: want a target, as kv/kv_test.go#TestKV"
	case strings.Contains(name, `\`):
		return fmt.Sprintf("found a backslash in %s, want a path with slashes", name)
	case path.IsAbs(name) || filepath.IsAbs(name):
		return fmt.Sprintf("%s is an absolute path: want one from the repository's top", name)
	case !filepath.IsLocal(name) || path.Clean(name) == ".":
		return fmt.Sprintf("%s is outside of the repository: want a path below its top", name)
	case path.Ext(name) != ".go":
		return fmt.Sprintf("%s is no Go file: skeletons in other languages are not supported: want %s, or a driver", name, strings.Join(languages, ", "))
	case !strings.HasSuffix(base, "_test.go"):
		return fmt.Sprintf("%s is no test file: want a name that ends in _test.go", name)
	case strings.HasPrefix(base, "_") || strings.HasPrefix(base, "."):
		return fmt.Sprintf("%s is left out by the go command: want a name that begins with a letter", name)
	}
	for _, part := range strings.Split(path.Dir(path.Clean(name)), "/") {
		if part != "." && strings.HasPrefix(part, ".") {
			return fmt.Sprintf("%s is in a hidden folder: want one for code", name)
		}
	}
	return linked(top, name)
}

// linked says what leads out of the repository, or is no file, on the way to a target.
func linked(top, name string) string {
	real, err := filepath.EvalSymlinks(top)
	if err != nil {
		return err.Error()
	}
	at := real
	for _, part := range strings.Split(path.Clean(name), "/") {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		shown, _ := filepath.Rel(real, at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return ""
		case err != nil:
			return err.Error()
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Sprintf("%s is a symbolic link: want the path that it stands for, in the repository", filepath.ToSlash(shown))
		case at != filepath.Join(real, filepath.FromSlash(name)) && !info.IsDir():
			return fmt.Sprintf("%s is no folder: want one for %s", filepath.ToSlash(shown), name)
		case at == filepath.Join(real, filepath.FromSlash(name)) && !info.Mode().IsRegular():
			return fmt.Sprintf("%s is no file: want another name", name)
		}
	}
	return ""
}
