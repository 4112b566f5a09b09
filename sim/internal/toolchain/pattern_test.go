package toolchain

import (
	"go/token"
	"testing"
)

func TestStmtPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, stmt string
		want          bool
	}{
		{"schedule()", "schedule()", true},
		{"schedule()", "schedule(x)", false},
		{"schedule(__)", "schedule(x, y...)", true},
		{"schedule(__)", "schedule()", true},
		{"f(__, 1)", "f(a+b, 1)", true},
		{"f(__, 1)", "f(a, b, 1)", false},
		{"f(x)", "f(x...)", false},
		{"t.rand = cheaprand()", "t.rand = /* why */ (cheaprand())", true},
		{"t.rand = cheaprand()", "t.rand := cheaprand", false},
		{"x := 1", "x = 1", false},
		{"__ = f()", "a, b = f()", true},
		{"return __", "return", true},
		{"return __", "return a, b", true},
		{"return x", "return x, y", false},
		{"if a { __ }", "if a { f(); g() } else if b { h() }", true},
		{"if a { __ }", "if x := 1; a { f() }", false},
		{"if a { __ } else { __ }", "if a { f() }", false},
		{"if a { f() }", "if a { f() } else { g() }", false},
		{"if __ { __ }", "if x := 1; a { }", false},
		{"if a == nil { throw(__) }", `if (a) == (nil) { throw("a") }`, true},
		{"for { __ }", "for { x() }", true},
		{"for { __ }", "for x { x() }", false},
		{"for i := range __ { __ }", "for i := range list { f(i) }", true},
		{"for i := range __ { __ }", "for i = range list { f(i) }", false},
		{"switch x { default: __ }", "switch x { case 1: f(); case 2: }", true},
		{"switch x { case 1: f() }", "switch x { case 1: g() }", false},
		{"select { default: __ }", "select { case <-c: }", true},
		{"systemstack(func() { __ })", "systemstack(func() { a(); b() })", true},
		{"f(func(__) bool { __ })", "f(func(a, b int) bool { return true })", true},
		{"f(func(__) bool { __ })", "f(func(a, b int) int { return 1 })", false},
		{"var docrash bool", "var (docrash bool)", true},
		{"var docrash bool", "var docrash int", false},
		{"var x = __", "var x = 1", true},
		{"x++", "x--", false},
		{"c <- 1", "c <- 1", true},
		{"go f()", "defer f()", false},
		{"x = a[1:2]", "x = a[1:2:3]", false},
		{"x = T{__}", "x = T{a: 1, b: 2}", true},
		{"x = 0x10", "x = 16", false},
		{"var c chan<- int", "var c <-chan int", false},
		{"break", "break L", false},
		{"goto L", "goto L", true},
	} {
		p, err := parseStmtPattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parseStmtPattern(c.stmt)
		if err != nil {
			t.Fatal(err)
		}
		if got := matches(p, s); got != c.want {
			t.Errorf("%q matches %q: got %v, want %v", c.pattern, c.stmt, got, c.want)
		}
	}
}

func TestExprPatternsLeaveNamesAlone(t *testing.T) {
	src := `package p

type rand struct{ rand int }

func rand(rand int) {
rand:
	for x.rand = range rand {
		_ = T{rand: rand, y: (rand)}
		continue rand
	}
}
`
	tt := parseTarget(t, "p.go", src)
	p, err := parseExprPattern("(rand)")
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, f := range findExprs(tt.fset, tt.file, p) {
		got = append(got, tt.fset.Position(token.Pos(tt.fset.File(tt.file.Pos()).Base()+f.inner.start)).Line)
	}
	if want := []int{7, 8, 8}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("lines with the expression: got %v, want %v", got, want)
	}
}

func TestBadPatterns(t *testing.T) {
	for _, text := range []string{"", "f(); g()", "if", "} func g() {"} {
		if _, err := parseStmtPattern(text); err == nil {
			t.Errorf("statement pattern %q: got no error", text)
		}
	}
	for _, text := range []string{"", "x = 1", "f(", "a b"} {
		if _, err := parseExprPattern(text); err == nil {
			t.Errorf("expression pattern %q: got no error", text)
		}
	}
}
