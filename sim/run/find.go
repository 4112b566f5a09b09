package run

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// testsOf returns the names of the test functions in files that call the engine's
// Test, themselves or through functions of the package: those that a listing has
// to run.
func testsOf(dir string, files []string) ([]string, error) {
	var parsed []*ast.File
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	return ScenarioTests(parsed), nil
}

// ScenarioTests returns the names of the test functions in a package's test files that
// call the engine's Test, themselves or through functions of those files, sorted.
func ScenarioTests(files []*ast.File) []string {
	calls := map[string][]string{} // function to the names that it uses
	scenario := map[string]bool{}
	var tests []string
	for _, f := range files {
		engine := importName(f)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			name := fn.Name.Name
			uses, direct := usesOf(fn.Body, engine)
			calls[name] = append(calls[name], uses...)
			scenario[name] = scenario[name] || direct
			if fn.Recv == nil && strings.HasPrefix(name, "Test") && name != "TestMain" {
				tests = append(tests, name)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for name, uses := range calls {
			if !scenario[name] && slices.ContainsFunc(uses, func(u string) bool { return scenario[u] }) {
				scenario[name], changed = true, true
			}
		}
	}
	tests = slices.DeleteFunc(tests, func(name string) bool { return !scenario[name] })
	slices.Sort(tests)
	return tests
}

// importName is what a file calls the engine's package, "" if it does not.
func importName(f *ast.File) string {
	for _, im := range f.Imports {
		if path, _ := strconv.Unquote(im.Path.Value); path == enginePackage {
			if im.Name != nil {
				return im.Name.Name
			}
			return "sim"
		}
	}
	return ""
}

// usesOf returns the names that a body uses, and whether it calls the engine's Test.
func usesOf(body *ast.BlockStmt, engine string) (uses []string, direct bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && engine != "" && x.Name == engine && n.Sel.Name == "Test" {
				direct = true
			}
			uses = append(uses, n.Sel.Name)
		case *ast.Ident:
			uses = append(uses, n.Name)
		}
		return true
	})
	return uses, direct
}

// matchAll is the pattern of -test.run for tests of these names.
func matchAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = regexp.QuoteMeta(n)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}
