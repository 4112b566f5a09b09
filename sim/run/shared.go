package run

import (
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// dataSymbols are a binary's variables of the system under test, by address.
type dataSymbols struct {
	once sync.Once
	list []elf.Symbol
	err  error
}

// sharedMost is how many variables one run warns of.
const sharedMost = 20

// shared warns of the variables that a run changed: pairs of an address and a
// number of words. Nodes share them, as processes would not.
func (b *Binary) shared(changed []uint64) ([]string, error) {
	if len(changed) == 0 {
		return nil, nil
	}
	b.data.once.Do(func() { b.data.list, b.data.err = b.variables() })
	if b.data.err != nil {
		return nil, fmt.Errorf("%s: the symbols of package data: %w", b.Package, b.data.err)
	}
	var out []string
	for i := 0; i+1 < len(changed) && len(out) < sharedMost; i += 2 {
		from, to := changed[i], changed[i]+8*changed[i+1]
		at, _ := slices.BinarySearchFunc(b.data.list, from, func(s elf.Symbol, addr uint64) int {
			if s.Value+s.Size <= addr {
				return -1
			}
			return 1
		})
		for ; at < len(b.data.list) && b.data.list[at].Value < to && len(out) < sharedMost; at++ {
			w := fmt.Sprintf("nodes share the variable %s, which changed: sim.PerNode gives each its own", b.data.list[at].Name)
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out, nil
}

// variables reads the binary's package-level variables of the system under test:
// those of its own modules, but for the engine's and the test's.
func (b *Binary) variables() ([]elf.Symbol, error) {
	info, err := buildinfo.ReadFile(b.File)
	if err != nil {
		return nil, err
	}
	modules := []string{info.Main.Path}
	for _, d := range info.Deps {
		modules = append(modules, d.Path)
	}
	ours, err := testVariables(b.Dir)
	if err != nil {
		return nil, err
	}
	f, err := elf.Open(b.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil, nil // go test, when it runs what it builds, leaves them out
	}
	if err != nil {
		return nil, err
	}
	symbols = slices.DeleteFunc(symbols, func(s elf.Symbol) bool {
		pkg, name, ok := splitSymbol(s.Name)
		return elf.ST_TYPE(s.Info) != elf.STT_OBJECT || s.Size == 0 || !ok || !isUnderTest(pkg, b.Package, modules) ||
			(pkg == b.Package || pkg == b.Package+"_test") && slices.Contains(ours, name)
	})
	slices.SortFunc(symbols, func(x, y elf.Symbol) int { return int(int64(x.Value - y.Value)) })
	return symbols, nil
}

// symbolSyntax is the symbol of a variable that somebody declared; the compiler's
// own have dots in their names.
var symbolSyntax = regexp.MustCompile(`^((?:.*/)?[^/.]+)\.(\pL[\pL\pN_]*|_[\pL\pN_]+)$`)

func splitSymbol(symbol string) (pkg, name string, ok bool) {
	m := symbolSyntax.FindStringSubmatch(symbol)
	if m == nil {
		return "", "", false
	}
	return strings.ReplaceAll(m[1], "%2e", "."), m[2], true
}

// isUnderTest reports whether a package is of the system under test.
func isUnderTest(pkg, tested string, modules []string) bool {
	if pkg == tested {
		return true
	}
	if rest, ok := strings.CutPrefix(pkg, enginePath+"/"); ok && !strings.HasPrefix(rest, "scenarios/") {
		return false
	}
	return slices.ContainsFunc(modules, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") })
}

// testVariables returns the names of the package-level variables of a folder's tests.
func testVariables(dir string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names, nil
}
