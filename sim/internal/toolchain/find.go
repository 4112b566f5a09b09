package toolchain

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// span is a range of byte offsets in a file.
type span struct{ start, end int }

// found is a match. Where it is a labelled statement, outer has the labels too.
type found struct{ inner, outer span }

// funcName returns the name that edits call a declaration by.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	star, pointer := t.(*ast.StarExpr)
	if pointer {
		t = ast.Unparen(star.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	base := "?"
	if id, ok := t.(*ast.Ident); ok {
		base = id.Name
	}
	if pointer {
		base = "(*" + base + ")"
	}
	return base + "." + d.Name.Name
}

// findFuncs returns the declarations of that name: more than one for init and _.
func findFuncs(f *ast.File, name string) []*ast.FuncDecl {
	var out []*ast.FuncDecl
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && funcName(d) == name {
			out = append(out, d)
		}
	}
	return out
}

// findStmts returns the statements below scope that match, in the order of the
// source. Only statements of a list count: what stands before the condition of
// an if has no before and after.
func findStmts(fset *token.FileSet, scope ast.Node, pattern ast.Stmt) []found {
	var out []found
	each := func(list []ast.Stmt) {
		for _, s := range list {
			if inner := matchLabelled(pattern, s); inner != nil {
				out = append(out, found{nodeSpan(fset, inner), nodeSpan(fset, s)})
			}
		}
	}
	ast.Inspect(scope, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			each(n.List)
		case *ast.CaseClause:
			each(n.Body)
		case *ast.CommClause:
			each(n.Body)
		}
		return true
	})
	sort.Slice(out, func(i, j int) bool { return out[i].outer.start < out[j].outer.start })
	return out
}

// matchLabelled returns s, or the statement that its labels stand before, if it matches.
func matchLabelled(pattern, s ast.Stmt) ast.Stmt {
	for {
		if matches(pattern, s) {
			return s
		}
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			return nil
		}
		s = l.Stmt
	}
}

// findExprs returns the expressions below scope that match, in the order of the
// source. Identifiers that only name something (a field, a label, what is
// declared, the key of a composite literal) are no expressions.
func findExprs(fset *token.FileSet, scope ast.Node, pattern ast.Expr) []found {
	var out []found
	names := declaredNames(scope)
	ast.Inspect(scope, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if _, paren := x.(*ast.ParenExpr); paren {
			return true // its inside is the match
		}
		if id, ok := x.(*ast.Ident); ok && names[id] {
			return true
		}
		if matches(pattern, x) {
			s := nodeSpan(fset, x)
			out = append(out, found{s, s})
		}
		return true
	})
	return out
}

// declaredNames returns the identifiers below scope that only name something.
func declaredNames(scope ast.Node) map[*ast.Ident]bool {
	names := map[*ast.Ident]bool{}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			names[id] = true
		}
	}
	ast.Inspect(scope, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.File:
			add(n.Name)
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.ImportSpec:
			add(n.Name)
		case *ast.Field:
			add(n.Names...)
		case *ast.SelectorExpr:
			add(n.Sel)
		case *ast.LabeledStmt:
			add(n.Label)
		case *ast.BranchStmt:
			add(n.Label)
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				add(id)
			}
		}
		return true
	})
	return names
}

// findFields returns the fields of that name in the package-level struct type.
func findFields(f *ast.File, structName, field string) []*ast.Field {
	var out []*ast.Field
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			t := s.(*ast.TypeSpec)
			if st, ok := t.Type.(*ast.StructType); ok && t.Name.Name == structName {
				out = append(out, namedFields(st, field)...)
			}
		}
	}
	return out
}

func namedFields(st *ast.StructType, name string) []*ast.Field {
	var out []*ast.Field
	for _, f := range st.Fields.List {
		if len(f.Names) == 0 && embeddedName(f.Type) == name {
			out = append(out, f)
		}
		for _, id := range f.Names {
			if id.Name == name {
				out = append(out, f)
			}
		}
	}
	return out
}

func embeddedName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// packageVar is where a package-level variable or constant is declared.
type packageVar struct {
	spec  *ast.ValueSpec
	index int // of the name in spec
}

// value returns the variable's own initialiser, nil if there is none. It is not
// ok where one call gives several variables their values.
func (v packageVar) value() (x ast.Expr, ok bool) {
	switch len(v.spec.Values) {
	case 0:
		return nil, true
	case len(v.spec.Names):
		return v.spec.Values[v.index], true
	}
	return nil, false
}

// findValues returns the package-level declarations of name, by var or const.
func findValues(f *ast.File, name string, keywords ...token.Token) []packageVar {
	var out []packageVar
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || !slices.Contains(keywords, g.Tok) {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			for i, id := range spec.Names {
				if id.Name == name {
					out = append(out, packageVar{spec, i})
				}
			}
		}
	}
	return out
}

func nodeSpan(fset *token.FileSet, n ast.Node) span {
	file := fset.File(n.Pos())
	return span{file.Offset(n.Pos()), file.Offset(n.End())}
}

// importsPath reports whether f imports path under that name: "" for the
// package's own or any name that can be used.
func importsPath(f *ast.File, name, path string) bool {
	for _, s := range f.Imports {
		if strings.Trim(s.Path.Value, "`\"") != path {
			continue
		}
		got := ""
		if s.Name != nil {
			got = s.Name.Name
		}
		if got == name || name == "_" {
			return true
		}
	}
	return false
}
