package toolchain

import (
	"fmt"
	"io/fs"
	"path"
	"sort"
)

// sourceFile is a file that a copy has in place of, or beside, the original's.
type sourceFile struct {
	path    string // below src
	content []byte
}

// apply returns the files that t changes in or adds to src, by path; or all that
// does not fit.
func (t tables) apply(v version, src fs.FS) ([]sourceFile, []error) {
	t = t.forVersion(v)
	if err := validate(t.edits); err != nil {
		return nil, []error{err}
	}
	files, errs := applyEdits(v, src, t.edits)
	added, more := t.add(src)
	files, errs = append(files, added...), append(errs, more...)
	made, more := varFiles(v, patchedFS{src, files}, t.vars)
	files, errs = append(files, made...), append(errs, more...)
	if len(errs) > 0 {
		return nil, errs
	}
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	for i := 1; i < len(files); i++ {
		if files[i].path == files[i-1].path {
			return nil, []error{fmt.Errorf("%s is made twice", files[i].path)}
		}
	}
	return files, nil
}

func applyEdits(v version, src fs.FS, edits []edit) (files []sourceFile, errs []error) {
	byFile := map[string][]edit{}
	var order []string
	for _, e := range edits {
		if byFile[e.file] == nil {
			order = append(order, e.file)
		}
		byFile[e.file] = append(byFile[e.file], e)
	}
	for _, name := range order {
		content, err := fs.ReadFile(src, name)
		if err != nil {
			for _, e := range byFile[name] {
				errs = append(errs, &FitError{v.text, e.name, name, e.fn, "a readable file", err.Error()})
			}
			continue
		}
		content, more := patchFile(v, name, content, byFile[name])
		errs = append(errs, more...)
		files = append(files, sourceFile{name, content})
	}
	return files, errs
}

// add returns the files of t.additions, which must not be in src.
func (t tables) add(src fs.FS) (files []sourceFile, errs []error) {
	for _, a := range t.additions {
		if _, err := fs.Stat(src, a.path); err == nil {
			errs = append(errs, fmt.Errorf("added file %s: the original has one of that name: rename it", a.path))
			continue
		}
		if _, err := fs.Stat(src, path.Dir(a.path)); err != nil {
			errs = append(errs, fmt.Errorf("added file %s: the original has no such folder: %w", a.path, err))
			continue
		}
		files = append(files, sourceFile{a.path, []byte(a.content)})
	}
	return files, errs
}

// patchedFS reads files of a source tree as they are once patched. A file whose
// edits did not fit reads as the original.
type patchedFS struct {
	src   fs.FS
	files []sourceFile
}

func (p patchedFS) readFile(name string) ([]byte, error) {
	for _, f := range p.files {
		if f.path == name && f.content != nil {
			return f.content, nil
		}
	}
	return fs.ReadFile(p.src, name)
}
