package toolchain

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// onBody is atEntry, replaceBody and removeBody.
func (t *target) onBody(e edit, body *ast.BlockStmt, code string) ([]splice, error) {
	whole := nodeSpan(t.fset, body)
	inside := span{whole.start + 1, whole.end - 1}
	switch e.op.kind {
	case opAtEntry:
		return []splice{{span: span{inside.start, inside.start}, text: " " + code + ";"}}, nil
	case opReplaceBody:
		return []splice{{span: inside, text: " " + code + " " + blankLines(t.src, inside)}}, nil
	case opRemoveBody:
		return []splice{{span: whole, text: blankLines(t.src, whole)}}, nil
	}
	return nil, fmt.Errorf("edit %q: unknown op", e.name)
}

// choose returns the matches that an op is about.
func (t *target) choose(e edit, what string, all []found) ([]found, error) {
	o := e.op
	if len(all) == 0 || o.of > 0 && len(all) != o.of {
		at := make([]int, len(all))
		for i, f := range all {
			at[i] = 1 + bytes.Count(t.src[:f.inner.start], []byte("\n"))
		}
		return nil, t.misfit(e, o.wantText(what), countText(at))
	}
	switch {
	case o.n == 0:
		return all, nil
	case o.n == lastMatch:
		return all[len(all)-1:], nil
	case o.n > len(all):
		return nil, fmt.Errorf("edit %q: match %d of %d", e.name, o.n, o.of)
	}
	return all[o.n-1 : o.n], nil
}

func (t *target) onStmts(e edit, scope ast.Node, code string) ([]splice, error) {
	pattern, err := parseStmtPattern(e.op.pattern)
	if err != nil {
		return nil, fmt.Errorf("edit %q: %w", e.name, err)
	}
	chosen, err := t.choose(e, "statement", findStmts(t.fset, scope, pattern))
	if err != nil {
		return nil, err
	}
	var out []splice
	for _, f := range chosen {
		switch e.op.kind {
		case opBefore:
			out = append(out, splice{span: span{f.outer.start, f.outer.start}, text: code + "; "})
		case opAfter:
			out = append(out, splice{span: span{f.outer.end, f.outer.end}, text: "; " + code})
		case opReplaceStmt:
			out = append(out, splice{span: f.inner, text: code + blankLines(t.src, f.inner)})
		}
	}
	return out, nil
}

func (t *target) replaceExprs(e edit, scope ast.Node, code string) ([]splice, error) {
	pattern, err := parseExprPattern(e.op.pattern)
	if err != nil {
		return nil, fmt.Errorf("edit %q: %w", e.name, err)
	}
	chosen, err := t.choose(e, "expression", findExprs(t.fset, scope, pattern))
	if err != nil {
		return nil, err
	}
	var out []splice
	for _, f := range chosen {
		text, err := t.inPlaceOf(f.inner, code)
		if err != nil {
			return nil, fmt.Errorf("edit %q: %w", e.name, err)
		}
		out = append(out, splice{span: f.inner, text: text})
	}
	return out, nil
}

// inPlaceOf returns an expression that can stand where another did: operations
// in parentheses; and blank lines for its lines, behind an open parenthesis,
// where a line end stands for no semicolon.
func (t *target) inPlaceOf(old span, code string) (string, error) {
	x, err := parser.ParseExpr(code)
	if err != nil {
		return "", fmt.Errorf("code %q: want an expression: %w", code, err)
	}
	blank := blankLines(t.src, old)
	if _, binary := x.(*ast.BinaryExpr); binary || blank != "" {
		return "(" + blank + code + ")", nil
	}
	return code, nil
}

func (t *target) afterField(e edit, code string) ([]splice, error) {
	fields := findFields(t.file, e.op.name, e.op.field)
	if len(fields) != 1 {
		want := fmt.Sprintf("1 field %s of struct type %s", e.op.field, e.op.name)
		return nil, t.misfit(e, want, countText(lines(t, fields)))
	}
	end := nodeSpan(t.fset, fields[0]).end
	return []splice{{span: span{end, end}, text: "; " + code}}, nil
}

func (t *target) initialiser(e edit, code string) ([]splice, error) {
	vars := findValues(t.file, e.op.name, token.VAR, token.CONST)
	if len(vars) != 1 {
		var at []int
		for _, v := range vars {
			at = append(at, lines(t, []ast.Node{v.spec})...)
		}
		return nil, t.misfit(e, fmt.Sprintf("1 package-level variable or constant %s", e.op.name), countText(at))
	}
	v := vars[0]
	value, ok := v.value()
	if !ok || value == nil && len(v.spec.Names) > 1 {
		return nil, t.misfit(e, fmt.Sprintf("a value of %s's own", e.op.name), "one value or none for several names")
	}
	if value == nil {
		end := nodeSpan(t.fset, v.spec).end
		return []splice{{span: span{end, end}, text: " = " + code}}, nil
	}
	old := nodeSpan(t.fset, value)
	text, err := t.inPlaceOf(old, code)
	if err != nil {
		return nil, fmt.Errorf("edit %q: %w", e.name, err)
	}
	return []splice{{span: old, text: text}}, nil
}

func (t *target) addImport(e edit) []splice {
	name, importPath := "", e.op.name
	if i := strings.IndexByte(importPath, ' '); i >= 0 {
		name, importPath = importPath[:i], importPath[i+1:]
	}
	key := name + " " + importPath
	if t.added[key] || importsPath(t.file, name, importPath) {
		return nil
	}
	t.added[key] = true
	if name != "" {
		name += " "
	}
	end := nodeSpan(t.fset, t.file.Name).end
	return []splice{{span: span{end, end}, text: fmt.Sprintf("; import %s%q", name, importPath)}}
}
