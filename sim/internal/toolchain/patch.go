package toolchain

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
)

// target is a file that edits are applied to.
type target struct {
	version version
	path    string
	src     []byte
	fset    *token.FileSet
	file    *ast.File // nil: no Go file
	added   map[string]bool
}

// patchFile returns src with its edits applied, in the order of the table, or
// what does not fit.
func patchFile(v version, name string, src []byte, edits []edit) ([]byte, []error) {
	t := &target{version: v, path: name, src: src, fset: token.NewFileSet(), added: map[string]bool{}}
	if path.Ext(name) == ".go" {
		f, err := parser.ParseFile(t.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, []error{fmt.Errorf("%s: source of %s does not parse: %w", v.text, name, err)}
		}
		t.file = f
	}
	var splices []splice
	var errs []error
	var tail strings.Builder
	for i, e := range edits {
		if e.op.kind == opAppendDecl {
			tail.WriteString("\n" + strings.Trim(e.code, "\n") + "\n")
			continue
		}
		list, err := t.splices(e)
		if err != nil {
			errs = append(errs, err)
		}
		for _, s := range list {
			s.order, s.edit = i, e.name
			splices = append(splices, s)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	out, err := applySplices(src, splices)
	if err == nil {
		err = t.sameLines(out)
	}
	if err == nil {
		out, err = t.finish(out, tail.String())
	}
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %s: %w", v.text, name, err)}
	}
	return out, nil
}

// sameLines refuses a result in which lines have moved.
func (t *target) sameLines(out []byte) error {
	if got, want := bytes.Count(out, []byte("\n")), bytes.Count(t.src, []byte("\n")); got != want {
		return fmt.Errorf("patched file has %d lines, want %d: an edit moves lines", got, want)
	}
	return nil
}

// finish appends what comes after the last line and sees that the whole parses.
func (t *target) finish(out []byte, tail string) ([]byte, error) {
	if tail != "" && len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, tail...)
	if t.file == nil {
		return out, nil
	}
	_, err := parser.ParseFile(token.NewFileSet(), t.path, out, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("patched file does not parse: %w", err)
	}
	return out, nil
}

// splices finds e's place and returns its changes.
func (t *target) splices(e edit) ([]splice, error) {
	code, err := squeeze(e.code)
	if err != nil {
		return nil, fmt.Errorf("edit %q: %w", e.name, err)
	}
	if t.file == nil {
		return t.assembly(e)
	}
	switch e.op.kind {
	case opAfterField:
		return t.afterField(e, code)
	case opInitialiser:
		return t.initialiser(e, code)
	case opAddImport:
		return t.addImport(e), nil
	}
	var scope ast.Node = t.file
	var decl *ast.FuncDecl
	if e.fn != "" {
		found := findFuncs(t.file, e.fn)
		if len(found) != 1 {
			return nil, t.misfit(e, "1 function of that name", countText(lines(t, found)))
		}
		decl = found[0]
		scope = decl
	}
	switch {
	case e.op.kind.onStmt():
		return t.onStmts(e, scope, code)
	case e.op.kind == opReplaceExpr:
		return t.replaceExprs(e, scope, code)
	case decl == nil:
		return nil, fmt.Errorf("edit %q: names no function", e.name)
	case e.op.kind == opRenameFunc:
		return []splice{{span: nodeSpan(t.fset, decl.Name), text: e.op.name}}, nil
	case decl.Body == nil:
		return nil, t.misfit(e, "a function with a body", "none")
	}
	return t.onBody(e, decl.Body, code)
}

func (t *target) misfit(e edit, want, got string) error {
	return &FitError{GoVersion: t.version.text, Edit: e.name, File: t.path, Func: e.fn, Want: want, Got: got}
}

func lines[N ast.Node](t *target, nodes []N) []int {
	var out []int
	for _, n := range nodes {
		out = append(out, t.fset.Position(n.Pos()).Line)
	}
	return out
}
