package toolbox

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// file is one file of a repository. Its text is read when a reader asks for it.
type file struct {
	search *search
	path   string
	size   int64
	mode   fs.FileMode
	read   bool
	bytes  []byte
}

func (f *file) base() string { return path.Base(f.path) }
func (f *file) dir() string  { return path.Dir(f.path) }
func (f *file) ext() string  { return path.Ext(f.path) }

func (f *file) executable() bool { return f.mode&0o111 != 0 }

// text returns what is in the file; "" of a file that is too long, cannot be read, or
// is no text.
func (f *file) text() string {
	if f.read {
		return string(f.bytes)
	}
	f.read = true
	if f.size > f.search.limits.Bytes {
		f.search.omit(f.path, fmt.Sprintf("not read: %d bytes, more than %d", f.size, f.search.limits.Bytes))
		return ""
	}
	b, err := fs.ReadFile(f.search.fsys, f.path)
	if err != nil {
		f.search.omit(f.path, reason(err))
		return ""
	}
	if bytes.IndexByte(b, 0) < 0 {
		f.bytes = b
	}
	return string(f.bytes)
}

// fixture reports whether the file is of a folder of examples and test data, whose
// files are no tools unless they say so.
func (f *file) fixture() bool {
	return slices.Contains(strings.Split(f.path, "/"), "testdata")
}

// reader knows files of one form.
type reader struct {
	knows func(f *file) bool
	tools func(f *file) []Tool
}

// readers are asked in this order, and the first that knows a file has it.
var readers = []reader{
	{isCI, ciTools},
	{isCompose, composeTools},
	{isImage, imageTools},
	{isCluster, clusterTools},
	{isMakefile, makeTools},
	{isTaskfile, taskTools},
	{isJustfile, justTools},
	{isPackageJSON, npmTools},
	{isProcfile, processTools},
	{isForeignTests, foreignTests},
	{isWorkload, workloadTools},
	{isScript, scriptTools},
}

// look finds the tools in a file.
func (s *search) look(f *file) {
	if isDriver(f) {
		s.addAll(f, driverTools(f))
		return
	}
	if f.fixture() {
		return
	}
	switch {
	case f.base() == "go.mod":
		s.modules = append(s.modules, f.dir())
		return
	case f.ext() == ".go":
		s.addGo(f)
		return
	case isDocument(f):
		s.documents = append(s.documents, documentTool(f))
		return
	}
	for _, r := range readers {
		if r.knows(f) {
			s.addAll(f, r.tools(f))
			return
		}
	}
}

// addAll adds what one file has, up to the limit.
func (s *search) addAll(f *file, tools []Tool) {
	if n := len(tools) - s.limits.Entries; n > 0 {
		s.omit(f.path, fmt.Sprintf("%d of its %d entries: more than %d", n, len(tools), s.limits.Entries))
		tools = tools[:s.limits.Entries]
	}
	for _, t := range tools {
		s.add(t)
	}
}
