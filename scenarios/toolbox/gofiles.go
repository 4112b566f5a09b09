package toolbox

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sim/orrery/sim/run"
)

// goPackage is what a folder has of Go that tests can use.
type goPackage struct {
	tests  []*ast.File
	main   bool
	driver *file // that declares it
}

// addGo takes a Go file in. The go command takes none of folders like testdata, and
// neither does this.
func (s *search) addGo(f *file) {
	for _, part := range strings.Split(f.path, "/") {
		if part != "." && (strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_")) {
			return
		}
	}
	test := strings.HasSuffix(f.base(), "_test.go")
	drives := !test && declared(f) != ""
	if f.fixture() && !drives {
		return
	}
	mode := parser.PackageClauseOnly
	if test {
		mode = parser.SkipObjectResolution
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), f.base(), f.text(), mode)
	if err != nil {
		if f.text() != "" {
			s.omit(f.path, "no Go: "+err.Error())
		}
		return
	}
	p := s.packages[f.dir()]
	if p == nil {
		p = &goPackage{}
		s.packages[f.dir()] = p
	}
	switch {
	case test:
		p.tests = append(p.tests, parsed)
	case parsed.Name.Name == "main":
		p.main = true
		if drives {
			p.driver = f
		}
	case drives:
		s.omit(f.path, "declares a driver and is not of package main")
	}
}

// goTools lists the packages, once all go.mod files are known.
func (s *search) goTools() {
	for _, dir := range slices.Sorted(maps.Keys(s.packages)) {
		p := s.packages[dir]
		s.mainTools(dir, p)
		s.testTools(dir, p)
	}
}

func (s *search) mainTools(dir string, p *goPackage) {
	if !p.main {
		return
	}
	t := Tool{Path: dir, Argv: s.goCall(dir, "run")}
	name := path.Base(dir)
	switch {
	case p.driver != nil:
		t.Kind = KindDriver
		for _, t := range s.driver(p.driver, t) {
			s.add(t)
		}
	case told(name, workloadWords):
		t.Kind = KindWorkload
		s.add(t)
	case told(name, clusterWords) && !told(name, stopWords):
		t.Kind = KindCluster
		s.add(t)
	}
}

// testTools lists each scenario, and all tests and all benchmarks of a folder as one.
func (s *search) testTools(dir string, p *goPackage) {
	scenarios := run.ScenarioTests(p.tests)
	var tests, fuzz, benchmarks []string
	for _, f := range p.tests {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			name := fn.Name.Name
			switch {
			case isTestName(name, "Benchmark"):
				benchmarks = append(benchmarks, name)
			case isTestName(name, "Fuzz"):
				fuzz = append(fuzz, name)
			case isTestName(name, "Test") && name != "TestMain" && !slices.Contains(scenarios, name):
				tests = append(tests, name)
			}
		}
	}
	for _, name := range scenarios {
		s.add(Tool{Kind: KindScenario, Path: dir, Name: name, Argv: []string{"orrery", "sweep", "--run", run.MatchExactly(name), dotted(dir)}})
	}
	if len(tests)+len(fuzz) > 0 {
		what := counted(len(tests), "test")
		if len(fuzz) > 0 {
			what += ", " + counted(len(fuzz), "fuzz test")
		}
		s.add(Tool{Kind: KindTest, Path: dir, Name: what, Argv: s.goCall(dir, "test"), Note: few(append(tests, fuzz...))})
	}
	if len(benchmarks) > 0 {
		s.add(Tool{
			Kind: KindBenchmark, Path: dir, Name: counted(len(benchmarks), "benchmark"),
			Argv: s.goCall(dir, "test", "-run", "^$", "-bench", "."), Note: few(benchmarks),
		})
	}
}

// isTestName keeps the go command's rule: what follows the prefix starts in no lower case.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first)
}

// goCall is a go command for a folder, in the module that the folder is of.
func (s *search) goCall(dir string, args ...string) []string {
	module := "."
	for _, m := range s.modules {
		if m == dir || strings.HasPrefix(dir, m+"/") {
			module = max(module, m) // of two above one folder the longer name is the greater
		}
	}
	argv := []string{"go"}
	if module != "." {
		argv = append(argv, "-C", module)
		dir = cmp.Or(strings.TrimPrefix(strings.TrimPrefix(dir, module), "/"), ".")
	}
	return append(append(argv, args...), dotted(dir))
}

// dotted is a folder as the go command takes it.
func dotted(dir string) string {
	if dir == "." {
		return "."
	}
	return "./" + dir
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// namesMost is how many names of a folder are shown.
const namesMost = 5

// few shows the first of some names in order.
func few(list []string) string {
	slices.Sort(list)
	if n := len(list) - namesMost; n > 0 {
		return strings.Join(list[:namesMost], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ")
}
