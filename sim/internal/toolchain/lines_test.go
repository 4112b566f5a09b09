package toolchain

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"pgregory.net/rapid"
)

// TestLinesStayTrue applies random edits to a random function whose statements
// are calls of distinct functions; what is left of them must be on its line, and
// what was inserted in its place, in the order of the table.
func TestLinesStayTrue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "statements")
		src := randomFunc(rt, n)
		var edits []edit
		replaced := map[string]bool{}
		insertions := map[string]string{} // by statement, the last one before it
		for i := range rapid.IntRange(0, 8).Draw(rt, "edits") {
			at := fmt.Sprintf("s%d", rapid.IntRange(0, n-1).Draw(rt, "at"))
			e := edit{name: fmt.Sprint(i), fn: "f", code: fmt.Sprintf("in%d(\n)", i)}
			switch rapid.SampledFrom([]string{"before", "after", "replace", "expr", "entry"}).Draw(rt, "op") {
			case "before":
				e.op = before(at + "(__)")
				insertions[at] = fmt.Sprintf("in%d", i)
			case "after":
				e.op = after(at + "(__)")
			case "entry":
				e.op = atEntry()
			case "replace", "expr":
				if replaced[at] {
					continue
				}
				replaced[at] = true
				e.op = replaceStmt(at + "(__)")
				if rapid.Bool().Draw(rt, "expression") {
					e.op = replaceExpr(at + "(__)")
				}
			}
			edits = append(edits, e)
		}
		out, errs := patchFile(go126, "p.go", []byte(src), edits)
		if len(errs) > 0 {
			rt.Fatalf("%v\n%s", errs, src)
		}
		was, _ := callLines(rt, src)
		is, order := callLines(rt, string(out))
		for name, line := range was {
			if got, ok := is[name]; ok == replaced[name] || ok && got != line {
				rt.Fatalf("%s: got line %d, want %d, replaced %v\n%s", name, got, line, replaced[name], out)
			}
		}
		for at, last := range insertions {
			if i := order[at]; !replaced[at] && order[last] != i-1 {
				rt.Fatalf("%s is no longer right before %s\n%s", last, at, out)
			}
		}
		if got := bytes.Count(out, []byte("\n")); got != bytes.Count([]byte(src), []byte("\n")) {
			rt.Fatalf("lines: got %d\n%s", got, out)
		}
		if len(is) != n-len(replaced)+len(edits) {
			rt.Fatalf("calls: got %d, want %d kept and %d inserted\n%s", len(is), n-len(replaced), len(edits), out)
		}
	})
}

func randomFunc(rt *rapid.T, n int) string {
	src := "package p\n\nfunc f() {\n"
	depth := 0
	for i := range n {
		switch rapid.IntRange(0, 3).Draw(rt, "nesting") {
		case 0:
			src += "if x { // in\n"
			depth++
		case 1:
			if depth > 0 {
				src += "}\n"
				depth--
			}
		}
		args := rapid.SampledFrom([]string{"()", "(1,\n\t2)", "(func() {\n\n})", "(\n\t1,\n)"}).Draw(rt, "args")
		src += fmt.Sprintf("s%d%s // c\n", i, args)
	}
	for range depth {
		src += "}\n"
	}
	return src + "}\n"
}

// callLines returns the line of each called function, and its place among them.
func callLines(rt *rapid.T, src string) (line, order map[string]int) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		rt.Fatal(err)
	}
	line, order = map[string]int{}, map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			name := c.Fun.(*ast.Ident).Name
			line[name] = fset.Position(c.Pos()).Line
			order[name] = len(order)
		}
		return true
	})
	return line, order
}
