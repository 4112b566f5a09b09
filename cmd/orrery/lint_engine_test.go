package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// pure are the packages that decide nothing but by choices and know no time but
// the virtual one: where a run's events come from.
var pure = []string{"clock", "net", "disk", "sim/choice", "sim/trace", "sim/outcome", "sim/internal/kernel", "oracle", "oracle/verdict", "shrink"}

// engine are the packages of which code runs in a world.
var engine = append([]string{"sim"}, pure...)

func in(list []string, pkg string) bool {
	for _, p := range list {
		if p == pkg {
			return true
		}
	}
	return false
}

var (
	forbiddenImports = []string{"math/rand", "math/rand/v2", "crypto/rand", "hash/maphash"}
	forbiddenTime    = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Sleep"}
)

// Randomness of a run comes from its choices.
func TestLintRandomness(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || !in(engine, s.pkg()) {
			continue
		}
		for _, im := range s.file.Imports {
			if path, _ := strconv.Unquote(im.Path.Value); in(forbiddenImports, path) {
				t.Errorf("%s:%d: imports %s: draw from a stream of sim/choice", s.name, s.line(im.Pos()), path)
			}
		}
	}
}

// The pure packages are given the time, start nothing, and wait for nothing. In
// package sim, which runs in a world, time is virtual already: there only the
// wall clock's own functions are refused.
func TestLintPure(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || !in(engine, s.pkg()) {
			continue
		}
		for _, found := range impurities(s, in(pure, s.pkg())) {
			t.Errorf("%s:%d: %s", s.name, found.line, found.what)
		}
	}
}

type impurity struct {
	line int
	what string
}

func impurities(s source, isPure bool) (out []impurity) {
	add := func(p token.Pos, what string) { out = append(out, impurity{s.line(p), what}) }
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok || x.Name != importedAs(s.file, "time") || x.Obj != nil {
				return true
			}
			if isPure && in(forbiddenTime, n.Sel.Name) || n.Sel.Name == "Now" || n.Sel.Name == "Since" {
				add(n.Pos(), "uses time."+n.Sel.Name+": take the virtual time as an argument")
			}
		case *ast.SelectStmt:
			if isPure && len(n.Body.List) > 1 {
				add(n.Pos(), "select of several cases: which is taken is no choice of the run")
			}
		case *ast.GoStmt:
			if isPure {
				add(n.Pos(), "starts a goroutine: this package is a state machine")
			}
		}
		return true
	})
	return out
}

// importedAs is what a file calls a package, "" if it does not import it.
func importedAs(f *ast.File, path string) string {
	for _, im := range f.Imports {
		if p, _ := strconv.Unquote(im.Path.Value); p == path {
			if im.Name != nil {
				return im.Name.Name
			}
			return path[strings.LastIndexByte(path, '/')+1:]
		}
	}
	return ""
}

func TestLintNoticesImpurity(t *testing.T) {
	const head = "package p\nimport \"time\"\nvar _ = time.Second\nfunc f(a, b chan int, time2 struct{ Now int }) {\n"
	for _, c := range []struct {
		body      string
		pure, sim bool // whether it is noticed in a pure package, and in package sim
	}{
		{"_ = time.Now()", true, true},
		{"_ = time.Since(time.Time{})", true, true},
		{"time.Sleep(1)", true, false},
		{"_ = time.Second", false, false},
		{"_ = time2.Now", false, false},
		{"select { case <-a: case <-b: }", true, false},
		{"select { case <-a: }", false, false},
		{"go f(a, b, time2)", true, false},
	} {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "p.go", head+c.body+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		s := source{set: set, file: f}
		if got := len(impurities(s, true)) > 0; got != c.pure {
			t.Errorf("%q in a pure package: noticed %v, want %v", c.body, got, c.pure)
		}
		if got := len(impurities(s, false)) > 0; got != c.sim {
			t.Errorf("%q in package sim: noticed %v, want %v", c.body, got, c.sim)
		}
	}
}

func TestLintNoticesUndocumented(t *testing.T) {
	for _, c := range []struct {
		decl string
		want int
	}{
		{"func F() {}", 1}, {"// F is.\nfunc F() {}", 0}, {"func f() {}", 0}, {"func (t *T[A]) M() {}", 1}, {"func (t t) M() {}", 0},
		{"func (T) Error() string { return \"\" }", 0}, {"type T int", 1}, {"// T is.\ntype T int", 0}, {"const A, B = 1, 2", 2},
		{"// Some are.\nconst (\nA = 1\nB = 2\n)", 0}, {"var (\nA = 1 // one\nB = 2\n)", 1},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+c.decl, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(undocumented(f.Decls[0])); got != c.want {
			t.Errorf("%q: %d names, want %d", c.decl, got, c.want)
		}
	}
}
