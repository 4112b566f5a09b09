package toolchain

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// varSource is a variable where it is declared.
type varSource struct {
	processVar
	src   []byte
	fset  *token.FileSet
	file  *ast.File
	build string
	v     version
	decl  packageVar
}

func (p processVar) qualified() string { return p.pkg + "." + p.name }

func (s *varSource) misfit(want, got string) error {
	return &FitError{GoVersion: s.v.text, Edit: "process variable " + s.qualified(), File: path.Join(s.pkg, s.processVar.file), Want: want, Got: got}
}

func parseVarSource(v version, src patchedFS, p processVar) (*varSource, error) {
	s := &varSource{processVar: p, v: v, fset: token.NewFileSet()}
	name := path.Join(p.pkg, p.file)
	content, err := src.readFile(name)
	if err != nil {
		return nil, s.misfit("a readable file", err.Error())
	}
	// Identifiers are resolved, to tell imports from what a function literal declares.
	f, err := parser.ParseFile(s.fset, name, content, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("%s: source of %s does not parse: %w", v.text, name, err)
	}
	found := findValues(f, p.name, token.VAR)
	if len(found) != 1 {
		return nil, s.misfit(fmt.Sprintf("1 package-level variable %s", p.name), strconv.Itoa(len(found)))
	}
	s.src, s.file, s.decl, s.build = content, f, found[0], buildLine(f)
	return s, nil
}

// buildLine returns a file's //go:build line.
func buildLine(f *ast.File) string {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				return c.Text
			}
		}
	}
	return ""
}

// bounded reports whether the variable is there on some systems only.
func (s *varSource) bounded() bool { return s.build != "" || systemSuffix(s.processVar.file) }

// systemSuffix reports whether a file's name bounds the systems it is for. Only
// systems that we run on matter: nobody compiles the others.
func systemSuffix(file string) bool {
	parts := strings.Split(strings.TrimSuffix(file, ".go"), "_")
	return len(parts) > 1 && slices.Contains([]string{"linux", "amd64", "arm64"}, parts[len(parts)-1])
}
