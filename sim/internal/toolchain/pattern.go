package toolchain

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
)

// wildcard, as an identifier of a pattern, matches any expression. Alone in a
// list of expressions, statements or parameters it matches any list of them: the
// arguments of f(__), the body of for { __ }, the clauses of a switch whose only
// clause is default: __. An if whose pattern has the body { __ } and no else may
// have any else.
const wildcard = "__"

// parseStmtPattern reads Go source of one statement.
func parseStmtPattern(text string) (ast.Stmt, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "pattern", "package p; func _() { "+text+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: want one statement: %w", text, err)
	}
	list := f.Decls[0].(*ast.FuncDecl).Body.List
	if len(f.Decls) != 1 || len(list) != 1 {
		return nil, fmt.Errorf("pattern %q: got %d statements, want one", text, len(list))
	}
	return list[0], nil
}

// parseExprPattern reads Go source of one expression.
func parseExprPattern(text string) (ast.Expr, error) {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: want one expression: %w", text, err)
	}
	return ast.Unparen(x), nil
}

// matches reports whether node has the syntax of pattern, whatever its
// positions, comments and parentheses.
func matches(pattern, node ast.Node) bool {
	return matchValue(reflect.ValueOf(pattern), reflect.ValueOf(node))
}

var (
	posType      = reflect.TypeFor[token.Pos]()
	objectType   = reflect.TypeFor[*ast.Object]()
	scopeType    = reflect.TypeFor[*ast.Scope]()
	commentsType = reflect.TypeFor[*ast.CommentGroup]()
)

func matchValue(p, n reflect.Value) bool {
	if !p.IsValid() || !n.IsValid() {
		return p.IsValid() == n.IsValid()
	}
	switch p.Type() {
	case posType, objectType, scopeType, commentsType:
		return true
	}
	switch p.Kind() {
	case reflect.Interface:
		return matchValue(p.Elem(), n.Elem())
	case reflect.Pointer:
		return matchPointer(p, n)
	case reflect.Slice:
		return matchList(p, n)
	case reflect.Struct:
		return matchFields(p, n)
	default:
		return p.Equal(n)
	}
}

func matchPointer(p, n reflect.Value) bool {
	if p.IsNil() || n.IsNil() {
		return p.IsNil() == n.IsNil()
	}
	if x, ok := p.Interface().(ast.Expr); ok {
		return matchExpr(x, n)
	}
	switch p := p.Interface().(type) {
	case *ast.FieldList:
		if anyFields(p) {
			return true
		}
	case *ast.IfStmt:
		if n, ok := n.Interface().(*ast.IfStmt); ok && p.Else == nil && anyStmts(p.Body.List) {
			return matchNode(p.Init, n.Init) && matches(p.Cond, n.Cond)
		}
	}
	return p.Type() == n.Type() && matchValue(p.Elem(), n.Elem())
}

func matchExpr(p ast.Expr, n reflect.Value) bool {
	node, ok := n.Interface().(ast.Expr)
	if !ok {
		return false
	}
	p, node = ast.Unparen(p), ast.Unparen(node)
	if isWildcard(p) {
		return true
	}
	if p, ok := p.(*ast.CallExpr); ok {
		n, ok := node.(*ast.CallExpr)
		if ok && p.Ellipsis.IsValid() != n.Ellipsis.IsValid() && !anyExprs(p.Args) {
			return false
		}
	}
	pv, nv := reflect.ValueOf(p), reflect.ValueOf(node)
	return pv.Type() == nv.Type() && matchValue(pv.Elem(), nv.Elem())
}

// matchNode is matches where either may be a nil interface.
func matchNode(p, n ast.Stmt) bool {
	if p == nil || n == nil {
		return p == nil && n == nil
	}
	return matches(p, n)
}

func matchFields(p, n reflect.Value) bool {
	for i := range p.NumField() {
		switch p.Type().Field(i).Name {
		case "Implicit", "Incomplete": // how it was written, not what
			continue
		}
		if !matchValue(p.Field(i), n.Field(i)) {
			return false
		}
	}
	return true
}

func matchList(p, n reflect.Value) bool {
	switch list := p.Interface().(type) {
	case []ast.Expr:
		if anyExprs(list) {
			return true
		}
	case []ast.Stmt:
		if anyStmts(list) || anyClauses(list) {
			return true
		}
	}
	if p.Len() != n.Len() {
		return false
	}
	for i := range p.Len() {
		if !matchValue(p.Index(i), n.Index(i)) {
			return false
		}
	}
	return true
}

func isWildcard(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == wildcard
}

func anyExprs(list []ast.Expr) bool { return len(list) == 1 && isWildcard(list[0]) }

func anyFields(list *ast.FieldList) bool {
	return len(list.List) == 1 && len(list.List[0].Names) == 0 && isWildcard(list.List[0].Type)
}

func anyStmts(list []ast.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	x, ok := list[0].(*ast.ExprStmt)
	return ok && isWildcard(x.X)
}

// anyClauses reports whether list is the one clause default: __.
func anyClauses(list []ast.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	switch c := list[0].(type) {
	case *ast.CaseClause:
		return c.List == nil && anyStmts(c.Body)
	case *ast.CommClause:
		return c.Comm == nil && anyStmts(c.Body)
	}
	return false
}
