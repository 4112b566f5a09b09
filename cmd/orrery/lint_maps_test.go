package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// In the pure packages no loop goes over a map, unless the order cannot show: see
// [orderless]. Else it could reach a choice, an event or output.
func TestLintMapOrder(t *testing.T) {
	args := []string{"-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles"}
	for _, p := range pure {
		args = append(args, "./"+p)
	}
	set := token.NewFileSet()
	packages := goList(t, args...)
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range packages {
		if !in(pure, strings.TrimPrefix(p.ImportPath, module+"/")) {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: imports}).Check(p.ImportPath, set, files, info); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, pos := range mapLoops(f, info) {
				at := set.Position(pos)
				t.Errorf("%s/%s:%d: ranges over a map: go over sorted keys, or over a slice",
					strings.TrimPrefix(p.ImportPath, module+"/"), filepath.Base(at.Filename), at.Line)
			}
		}
	}
}

// mapLoops returns the loops over maps, in which the order may show.
func mapLoops(f *ast.File, info *types.Info) (out []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		for i, s := range block.List {
			loop, ok := s.(*ast.RangeStmt)
			if !ok || !isMap(info, loop.X) {
				continue
			}
			var next ast.Stmt
			if i+1 < len(block.List) {
				next = block.List[i+1]
			}
			if !orderless(loop, next) {
				out = append(out, loop.Pos())
			}
		}
		return true
	})
	return out
}

func isMap(info *types.Info, x ast.Expr) bool {
	typ := info.Types[x].Type
	if call, ok := x.(*ast.CallExpr); ok { // maps.Keys and its siblings
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == "maps" {
				return true
			}
		}
	}
	if typ == nil {
		return false
	}
	_, ok := typ.Underlying().(*types.Map)
	return ok
}

// orderless reports whether a loop's order cannot show: its body only writes
// elements of maps and tables, deletes, counts up with += and ++, panics, or tests
// and does those; or it only appends to a list that the next statement sorts.
func orderless(loop *ast.RangeStmt, next ast.Stmt) bool {
	if allOrderless(loop.Body.List) {
		return true
	}
	if len(loop.Body.List) != 1 || next == nil {
		return false
	}
	assign, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || !strings.HasPrefix(text(assign.Rhs[0]), "append("+text(assign.Lhs[0])) {
		return false
	}
	sort := text(next)
	return (strings.HasPrefix(sort, "slices.Sort") || strings.HasPrefix(sort, "sort.")) && strings.Contains(sort, text(assign.Lhs[0]))
}

func allOrderless(list []ast.Stmt) bool {
	for _, s := range list {
		if !stmtOrderless(s) {
			return false
		}
	}
	return true
}

func stmtOrderless(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.ExprStmt:
		return strings.HasPrefix(text(s.X), "delete(") || strings.HasPrefix(text(s.X), "panic(")
	case *ast.AssignStmt:
		if s.Tok == token.ADD_ASSIGN || s.Tok == token.OR_ASSIGN {
			return true
		}
		if len(s.Lhs) != 1 {
			return false
		}
		_, element := s.Lhs[0].(*ast.IndexExpr)
		least := text(s.Rhs[0])
		return element || strings.HasPrefix(least, "min("+text(s.Lhs[0])) || strings.HasPrefix(least, "max("+text(s.Lhs[0]))
	case *ast.IfStmt:
		return s.Else == nil && s.Init == nil && allOrderless(s.Body.List)
	}
	return false
}

// text is the shape of a syntax tree as words, enough to compare names and calls.
func text(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.SelectorExpr:
		return text(n.X) + "." + n.Sel.Name
	case *ast.StarExpr:
		return "*" + text(n.X)
	case *ast.IndexExpr:
		return text(n.X) + "[" + text(n.Index) + "]"
	case *ast.ExprStmt:
		return text(n.X)
	case *ast.CallExpr:
		s := text(n.Fun) + "("
		for i, a := range n.Args {
			if i > 0 {
				s += ", "
			}
			s += text(a)
		}
		return s + ")"
	}
	return fmt.Sprintf("%T", n)
}

func TestLintNoticesMapOrder(t *testing.T) {
	const head = "package p\nimport (\n\"maps\"\n\"slices\"\n)\nvar _, _ = maps.Keys[map[int]int], slices.Sort[[]int]\nfunc f(m map[int]int, out []int, to map[int]int, use func(int)) (n int) {\n"
	for _, c := range []struct {
		body    string
		noticed bool
	}{
		{"for k := range m { use(k) }", true},
		{"for k := range m { out = append(out, k) }", true},
		{"for k := range m { out = append(out, k) }\nslices.Sort(out)", false},
		{"for k := range m { out = append(out, k) }\nslices.Sort([]int{})", true},
		{"for k := range maps.Keys(m) { use(k) }", true},
		{"for _, k := range slices.Sorted(maps.Keys(m)) { use(k) }", false},
		{"for k, v := range m { to[v] = k }", false},
		{"for k := range m { delete(m, k) }", false},
		{"for _, v := range m { n += v }", false},
		{"for _, v := range m { n = v }", true},
		{"for _, v := range m { n = max(n, v) }", false},
		{"for _, v := range m { if v > 1 { n++ } }", false},
		{"for _, v := range m { if v > 1 { return v } }", true},
		{"for _, v := range out { use(v) }", false},
	} {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "p.go", head+c.body+"\nreturn n\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: importer.ForCompiler(set, "source", nil)}).Check("p", set, []*ast.File{f}, info); err != nil {
			t.Fatal(err)
		}
		if noticed := len(mapLoops(f, info)) > 0; noticed != c.noticed {
			t.Errorf("%q: noticed %v, want %v", c.body, noticed, c.noticed)
		}
	}
}
