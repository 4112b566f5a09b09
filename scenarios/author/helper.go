package author

import (
	"go/ast"
	"slices"
	"strconv"
)

// programsOf returns a file's variables that are made by sim.NewProgram, and the names
// that they register.
func programsOf(f *ast.File) (variables, registered []string) {
	engine := importName(f, simPath)
	if engine == "" {
		return nil, nil
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Names) != len(v.Values) {
				continue
			}
			for i, value := range v.Values {
				args, ok := callOf(value, engine, "NewProgram")
				if !ok {
					continue
				}
				if v.Names[i].Name != "_" {
					variables = append(variables, v.Names[i].Name)
				}
				registered = append(registered, literals(args[:min(1, len(args))])...)
			}
		}
	}
	return variables, registered
}

// callOf returns the arguments of a call of a package's function.
func callOf(e ast.Expr, pkg, name string) ([]ast.Expr, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || !selects(call.Fun, pkg, name) {
		return nil, false
	}
	return call.Args, true
}

// selects reports whether an expression is pkg.name.
func selects(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg
}

func literals(args []ast.Expr) (out []string) {
	for _, a := range args {
		if lit, ok := a.(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, text)
			}
		}
	}
	return out
}

// helperOf returns a file's function of a world and its nodes, and nothing else, that
// starts programs.
func helperOf(f *ast.File) *helper {
	engine := importName(f, simPath)
	if engine == "" {
		return nil
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || fn.Type.TypeParams != nil || fn.Type.Results != nil {
			continue
		}
		var types []ast.Expr
		for _, field := range fn.Type.Params.List {
			for range max(1, len(field.Names)) {
				types = append(types, field.Type)
			}
		}
		if len(types) == 2 && isPointer(types[0], engine, "World") && isNodes(types[1], engine) && calls(fn.Body, "Start") {
			return &helper{fn.Name.Name, paramsRead(fn)}
		}
	}
	return nil
}

func isPointer(e ast.Expr, pkg, name string) bool {
	star, ok := e.(*ast.StarExpr)
	return ok && selects(star.X, pkg, name)
}

func isNodes(e ast.Expr, engine string) bool {
	list, ok := e.(*ast.ArrayType)
	return ok && list.Len == nil && isPointer(list.Elt, engine, "Node")
}

// calls reports whether a body calls a method of that name.
func calls(body *ast.BlockStmt, method string) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && sel.Sel.Name == method
		}
		return true
	})
	return found
}

// paramsRead are the parameters that a function asks its world for, by their names.
func paramsRead(fn *ast.FuncDecl) (out []string) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Param" {
			out = append(out, literals(call.Args)...)
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}
