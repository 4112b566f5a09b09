package toolchain

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

var go126 = version{"go1.26.8", 26}

func parseTarget(t *testing.T, name, src string) *target {
	t.Helper()
	tt := &target{version: go126, path: name, src: []byte(src), fset: token.NewFileSet()}
	f, err := parser.ParseFile(tt.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	tt.file = f
	return tt
}

func TestOps(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
		edits           []edit
	}{
		{"entry", "func f() {\n\tg()\n}", "func f() { a();\n\tg()\n}",
			[]edit{{fn: "f", op: atEntry(), code: "a()"}}},
		{"entry of one line, twice", "func f() { g() }", "func f() { a(); b(); g() }",
			[]edit{{fn: "f", op: atEntry(), code: "; a();"}, {fn: "f", op: atEntry(), code: "b()"}}},
		{"code with lines", "func f() {\n\tg() // g\n}", "func f() { if a { b(); } else { c(1, 2, ); };\n\tg() // g\n}",
			[]edit{{fn: "f", op: atEntry(), code: "if a { // why\n\tb()\n} else {\n\tc(1,\n\t\t2,\n\t)\n}\n"}}},
		{"before and after", "func f() {\n\tx := h(\n\t\t1) // x\n}", "func f() {\n\ta(); x := h(\n\t\t1); b() // x\n}",
			[]edit{{fn: "f", op: after("x := h(1)"), code: "b()"}, {fn: "f", op: before("x := h(1)"), code: "a()"}}},
		{"in clauses", "func f() {\n\tselect {\n\tcase <-c:\n\t\tg()\n\t}\n\tswitch {\n\tdefault:\n\t\th()\n\t}\n}",
			"func f() {\n\tselect {\n\tcase <-c:\n\t\ta(); g()\n\t}\n\tswitch {\n\tdefault:\n\t\tb()\n\t}\n}",
			[]edit{{fn: "f", op: before("g()"), code: "a()"}, {fn: "f", op: replaceStmt("h()"), code: "b()"}}},
		{"in a function literal", "func f() {\n\th(func() { g() })\n}", "func f() {\n\th(func() { g(); a() })\n}",
			[]edit{{fn: "f", op: after("g()"), code: "a()"}}},
		{"label", "func f() {\nL:\n\tfor {\n\t\tbreak L\n\t}\n}", "func f() {\na(); L:\n\tfor {\n\t\tbreak L\n\t}\n}",
			[]edit{{fn: "f", op: before("for { __ }"), code: "a()"}}},
		{"replaced behind a label", "func f() {\nL:\n\tfor {\n\t}\n\tgoto L\n}", "func f() {\nL:\n\ta()\n\n\tgoto L\n}",
			[]edit{{fn: "f", op: replaceStmt("for { __ }"), code: "a()"}}},
		{"last", "func f() {\n\tif x {\n\t\tg()\n\t}\n\tg()\n}", "func f() {\n\tif x {\n\t\tg()\n\t}\n\ta(); g()\n}",
			[]edit{{fn: "f", op: beforeLast("g()"), code: "a()"}}},
		{"nth", "func f() {\n\tg()\n\tg()\n\tg()\n}", "func f() {\n\ta()\n\tb(); g()\n\tg(); c()\n}",
			[]edit{{fn: "f", op: beforeNth("g()", 2, 3), code: "b()"}, {fn: "f", op: afterNth("g()", 3, 3), code: "c()"}, {fn: "f", op: replaceStmtNth("g()", 1, 3), code: "a()"}}},
		{"statement dropped", "func f() {\n\tg(1,\n\t\t2)\n\th()\n}", "func f() {\n\t\n\n\th()\n}",
			[]edit{{fn: "f", op: replaceStmt("g(1, 2)")}}},
		{"expression", "func f() int { return 1 + cheaprand() }", "func f() int { return 1 + (a || b) }",
			[]edit{{fn: "f", op: replaceExpr("cheaprand()"), code: "a || b"}}},
		{"expression of lines", "func f() {\n\treturn g(1,\n\t\t2), 3\n}", "func f() {\n\treturn (\na()), 3\n}",
			[]edit{{fn: "f", op: replaceExpr("g(1, 2)"), code: "a()"}}},
		{"nth expression", "func f() { g(x, x) }", "func f() { g(x, y) }",
			[]edit{{fn: "f", op: replaceNth("x", 2, 2), code: "y"}}},
		{"all expressions", "func f() { x() }\n\nfunc g() { x(); y.x() }\n\nfunc x()", "func f() { z() }\n\nfunc g() { z(); y.x() }\n\nfunc x()",
			[]edit{{op: replaceAll("x", 2), code: "z"}}},
		{"expression in a package variable", "var a = g(1)", "var a = h()",
			[]edit{{op: replaceExpr("g(__)"), code: "h()"}}},
		{"field", "type T struct {\n\ta, b int `x` // c\n\t*E[int]\n\tpkg.F\n}", "type T struct {\n\ta, b int `x`; c int // c\n\t*E[int]; d int\n\tpkg.F; e int; f int\n}",
			[]edit{{op: afterField("T", "b"), code: "; c int"}, {op: afterField("T", "E"), code: "d int"}, {op: afterField("T", "F"), code: "e int\nf int"}}},
		{"rename", "func f() { f() }", "func g() { f() }",
			[]edit{{fn: "f", op: renameFunc("g")}}},
		{"body removed", "func f() {\n\tg()\n}\n\nvar x int", "func f() \n\n\n\nvar x int",
			[]edit{{fn: "f", op: removeBody()}}},
		{"body replaced, and something before it", "func f() int {\n\tg()\n\treturn 1\n}", "func f() int { a(); return 2 \n\n\n}",
			[]edit{{fn: "f", op: replaceBody(), code: "return 2"}, {fn: "f", op: atEntry(), code: "a()"}}},
		{"initialiser", "var (\n\ta = g(\n\t\t1)\n\tb int // b\n)\n\nconst c = d && e", "var (\n\ta = (\n1)\n\tb int = 2 // b\n)\n\nconst c = (false && d)",
			[]edit{{op: initialiser("a"), code: "1"}, {op: initialiser("b"), code: "2"}, {op: initialiser("c"), code: "false && d"}}},
		{"initialiser among several", "var a, b = 1, 2", "var a, b = 1, 3",
			[]edit{{op: initialiser("b"), code: "3"}}},
		{"import", "import \"os\"", "import \"os\"",
			[]edit{{op: addImport("os")}, {op: addImport("_ os")}}},
		{"declaration at the end", "var a int", "var a int\n\n//go:linkname b\nfunc b()\n",
			[]edit{{op: appendDecl(), code: "\n//go:linkname b\nfunc b()\n"}}},
		{"methods", "func (t *T[K]) m() { a() }\n\nfunc (t T[K, V]) m() { a() }\n\nfunc m() { a() }", "func (t *T[K]) m() { b() }\n\nfunc (t T[K, V]) m() { c() }\n\nfunc m() { d() }",
			[]edit{{fn: "(*T).m", op: replaceStmt("a()"), code: "b()"}, {fn: "T.m", op: replaceStmt("a()"), code: "c()"}, {fn: "m", op: replaceStmt("a()"), code: "d()"}}},
		{"inside and around a statement", "func f() {\n\tif x {\n\t\tg(y)\n\t}\n}", "func f() {\n\ta(); if x {\n\t\tb(); g(z); c()\n\t}; d()\n}",
			[]edit{{fn: "f", op: after("g(y)"), code: "c()"}, {fn: "f", op: replaceExpr("y"), code: "z"}, {fn: "f", op: before("g(y)"), code: "b()"}, {fn: "f", op: before("if x { __ }"), code: "a()"}, {fn: "f", op: after("if x { __ }"), code: "d()"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, errs := patchFile(go126, "p.go", []byte("package p\n\n"+c.src+"\n"), c.edits)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if want := "package p\n\n" + c.want + "\n"; strings.TrimRight(string(got), "\n") != strings.TrimRight(want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestImportOnThePackageLine(t *testing.T) {
	edits := []edit{{op: addImport("unsafe")}, {op: addImport("m math/rand")}, {op: addImport("unsafe")}}
	got, errs := patchFile(go126, "p.go", []byte("package p // p\n\nimport _ \"unsafe\"\n"), edits)
	want := "package p; import \"unsafe\"; import m \"math/rand\" // p\n\nimport _ \"unsafe\"\n"
	if len(errs) > 0 || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, errs, want)
	}
}

func TestAssembly(t *testing.T) {
	src := "#include \"textflag.h\"\nTEXT runtime·f(SB),NOSPLIT,$0\n\tCALL ·f(SB)\nTEXT\t·ff<ABIInternal>(SB),NOSPLIT,$0\n\tRET\n"
	got, errs := patchFile(go126, "p.s", []byte(src), []edit{
		{name: "a", fn: "f", op: renameFunc("g")}, {name: "b", fn: "ff", op: renameFunc("h")}, {name: "c", op: appendDecl(), code: "// end"}})
	want := "#include \"textflag.h\"\nTEXT runtime·g(SB),NOSPLIT,$0\n\tCALL ·f(SB)\nTEXT\t·h<ABIInternal>(SB),NOSPLIT,$0\n\tRET\n\n// end\n"
	if len(errs) > 0 || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, errs, want)
	}
	_, errs = patchFile(go126, "p.s", []byte(src), []edit{{name: "a", fn: "x", op: renameFunc("g")}, {name: "b", fn: "f", op: atEntry(), code: "x()"}})
	wantErrors(t, errs, []string{`edit "a" does not fit p.s, func x: got none, want 1 TEXT ·x`, `edit "b": p.s is no Go file`})
}

// wantErrors requires one error for each text, in order.
func wantErrors(t *testing.T, errs []error, want []string) {
	t.Helper()
	if len(errs) != len(want) {
		t.Fatalf("got %d errors: %v, want %d: %q", len(errs), errs, len(want), want)
	}
	for i, err := range errs {
		if !strings.Contains(err.Error(), want[i]) {
			t.Errorf("got error %q, want it to have %q", err, want[i])
		}
	}
}

func TestMisfitsAreAllReported(t *testing.T) {
	src := `package p

type T struct {
	a, _ int
	_    int
}

var x, y = h()

func f() {
	g()
	g()
}

func f2()

func init() {}
func init() {}
`
	edits := []edit{
		{name: "1", fn: "f", op: before("h()"), code: "a()"},
		{name: "2", fn: "f", op: before("g()"), code: "a()"},
		{name: "3", fn: "f", op: beforeNth("g()", 1, 3), code: "a()"},
		{name: "4", fn: "f", op: replaceAll("k", 0), code: "a"},
		{name: "5", fn: "(*T).f", op: atEntry(), code: "a()"},
		{name: "6", fn: "init", op: atEntry(), code: "a()"},
		{name: "7", fn: "f2", op: atEntry(), code: "a()"},
		{name: "8", op: afterField("T", "b"), code: "c int"},
		{name: "9", op: afterField("T", "_"), code: "c int"},
		{name: "10", op: initialiser("x"), code: "1"},
		{name: "11", op: initialiser("z"), code: "1"},
		{name: "12", fn: "f", op: beforeLast("h()"), code: "a()"},
	}
	_, errs := patchFile(go126, "p.go", []byte(src), edits)
	wantErrors(t, errs, []string{
		`go1.26.8: edit "1" does not fit p.go, func f: got none, want 1 statement "h()": use a release of go1.26.x or go1.27.x`,
		`edit "2" does not fit p.go, func f: got 2 (line 11, 12), want 1 statement "g()"`,
		`edit "3" does not fit p.go, func f: got 2 (line 11, 12), want 3 statement "g()"`,
		`edit "4" does not fit p.go, func f: got none, want one or more expression "k"`,
		`edit "5" does not fit p.go, func (*T).f: got none, want 1 function of that name`,
		`edit "6" does not fit p.go, func init: got 2 (line 17, 18), want 1 function of that name`,
		`edit "7" does not fit p.go, func f2: got none, want a function with a body`,
		`edit "8" does not fit p.go: got none, want 1 field b of struct type T`,
		`edit "9" does not fit p.go: got 2 (line 4, 5), want 1 field _ of struct type T`,
		`edit "10" does not fit p.go: got one value or none for several names, want a value of x's own`,
		`edit "11" does not fit p.go: got none, want 1 package-level variable or constant z`,
		`edit "12" does not fit p.go, func f: got none, want one or more statement "h()"`,
	})
}

func TestBadEdits(t *testing.T) {
	src := []byte("package p\n\nfunc f() {\n\tgo g(1,\n\t\t2)\n\th()\n}\n")
	for _, c := range []struct {
		want  string
		edits []edit
	}{
		{`edits "a" and "b" change the same code`, []edit{{name: "a", fn: "f", op: replaceStmt("h()"), code: "x()"}, {name: "b", fn: "f", op: replaceExpr("h"), code: "x"}}},
		{"patched file does not parse", []edit{{name: "a", fn: "f", op: atEntry(), code: "if {"}}},
		{"patched file does not parse", []edit{{name: "a", fn: "f", op: replaceExpr("g(1, 2)"), code: "x()"}}},
		{"want an expression", []edit{{name: "a", fn: "f", op: replaceExpr("h()"), code: "x = 1"}}},
		{"got a literal with lines", []edit{{name: "a", fn: "f", op: atEntry(), code: "x(`\n`)"}}},
		{"names no function", []edit{{name: "a", op: atEntry(), code: "x()"}}},
		{"not terminated", []edit{{name: "a", fn: "f", op: atEntry(), code: `x("`}}},
	} {
		_, errs := patchFile(go126, "p.go", src, c.edits)
		wantErrors(t, errs, []string{c.want})
	}
}

func TestValidate(t *testing.T) {
	if err := validate(standardTables().edits); err != nil {
		t.Error(err)
	}
	err := validate([]edit{
		{name: "a", file: "p.go", op: atEntry(), code: "x()"},
		{name: "a", file: "p.go", op: atEntry(), code: "x()"},
		{name: "b", op: atEntry(), code: "x()"},
		{name: "c", file: "p.go", code: "x()"},
		{name: "d", file: "p.go", op: atEntry()},
	})
	want := []string{`"a": two of that name`, `edit "b" of "": want a name, a file and an op`, `edit "c" of "p.go": want`, `edit "d": has no code`}
	wantErrors(t, err.(interface{ Unwrap() []error }).Unwrap(), want)
}
