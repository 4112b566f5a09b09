package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// top is the module's folder, seen from this package.
const top = "../.."

// source is a Go file of the module.
type source struct {
	name string // relative to the module's folder
	text []byte
	set  *token.FileSet
	file *ast.File
}

func (s source) pkg() string { return filepath.Dir(s.name) }

func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

func (s source) line(p token.Pos) int { return s.set.Position(p).Line }

// tracked returns the files that git knows or would take, relative to the
// module's folder: all, but for what .gitignore names.
func tracked(t *testing.T) []string {
	t.Helper()
	c := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	c.Dir = top
	if out, err := c.Output(); err == nil {
		return slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool {
			_, err := os.Stat(filepath.Join(top, name))
			return err != nil
		})
	}
	var names []string // no git here: a module that was downloaded
	err := filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(top, path)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	for _, name := range tracked(t) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		s := source{name: name, text: text, set: token.NewFileSet()}
		if s.file, err = parser.ParseFile(s.set, name, text, parser.ParseComments); err != nil {
			t.Errorf("%v", err)
			continue
		}
		out = append(out, s)
	}
	if len(out) < 50 {
		t.Fatalf("found %d Go files, want all of the module's", len(out))
	}
	return out
}

const (
	linesMax     = 600 // of a file
	functionMax  = 70  // lines of a function
	machinePaths = `(^|[^A-Za-z0-9_.-])/(wo` + `rk|ro` + `ot)/`
)

// longFunctions may be longer than functionMax: a switch or a table that reads
// best as one.
var longFunctions = map[string]bool{}

func TestLintSize(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > linesMax {
			t.Errorf("%s: %d lines, want %d at most: split it", s.name, n, linesMax)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test() || f.Body == nil {
				continue
			}
			if n := s.line(f.End()) - s.line(f.Pos()) + 1; n > functionMax && !longFunctions[s.pkg()+"."+f.Name.Name] {
				t.Errorf("%s:%d: %s has %d lines, want %d at most: split it", s.name, s.line(f.Pos()), f.Name.Name, n, functionMax)
			}
		}
	}
}

func TestLintFormat(t *testing.T) {
	for _, s := range sources(t) {
		if want, err := format.Source(s.text); err != nil || !bytes.Equal(want, s.text) {
			t.Errorf("%s: is not as gofmt prints it: run gofmt -w on it", s.name)
		}
	}
}

// A path of the machine that something was made on has no place in it.
func TestLintMachinePaths(t *testing.T) {
	re := regexp.MustCompile(machinePaths)
	for _, name := range tracked(t) {
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			if found := re.FindString(line); found != "" {
				t.Errorf("%s:%d: names %q, a path of one machine", name, i+1, found)
			}
		}
	}
}

// Every exported name of a package that others can import says what it is.
func TestLintDocs(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || s.file.Name.Name == "main" || strings.Contains(s.name, "testdata/") {
			continue
		}
		for _, d := range s.file.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s:%d: %s is exported and has no comment", s.name, s.line(name.Pos()), name.Name)
			}
		}
	}
}

// undocumented returns the exported names of a declaration that no comment is
// about. One comment does for a group.
func undocumented(d ast.Decl) (out []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) && !wellKnown[d.Name.Name] {
			out = append(out, d.Name)
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return nil
		}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Doc == nil && spec.Name.IsExported() {
					out = append(out, spec.Name)
				}
			case *ast.ValueSpec:
				if spec.Doc == nil && spec.Comment == nil {
					out = append(out, slices.DeleteFunc(slices.Clone(spec.Names), func(n *ast.Ident) bool { return !n.IsExported() })...)
				}
			}
		}
	}
	return out
}

// wellKnown are methods of the standard library's interfaces, whose names say all.
var wellKnown = map[string]bool{"Error": true, "Unwrap": true, "String": true, "Len": true, "Less": true, "Swap": true, "Set": true}

func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	typ := f.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// A bool argument does not say at the call what it means.
func TestLintBools(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || strings.Contains(s.name, "testdata/") || s.file.Name.Name == "main" {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !exportedReceiver(f) {
				continue
			}
			for _, p := range f.Type.Params.List {
				if id, ok := p.Type.(*ast.Ident); ok && id.Name == "bool" {
					t.Errorf("%s:%d: %s takes a bool: make it two functions, or a named type", s.name, s.line(p.Pos()), f.Name.Name)
				}
			}
		}
	}
}
