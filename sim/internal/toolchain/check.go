package toolchain

import (
	"os"
	"path/filepath"
)

func check(goroot string, t tables) []error {
	if m, err := readManifest(goroot); err == nil {
		goroot = m.Original
	}
	text, err := rootVersion(goroot)
	if err != nil {
		return []error{err}
	}
	var errs []error
	v, err := parseVersion(text)
	if err != nil {
		errs = append(errs, err)
	}
	_, more := t.apply(v, os.DirFS(filepath.Join(goroot, "src")))
	return append(errs, more...)
}
