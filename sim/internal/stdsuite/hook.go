package stdsuite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
)

// hookFile declares what every main of a test calls first.
const hookFile = `package testing

// OrreryMain, if set, is called once, by the first MainStart.
var OrreryMain func(tests []InternalTest)

func orreryMain(tests []InternalTest) {
	if f := OrreryMain; f != nil {
		OrreryMain = nil
		f(tests)
	}
}
`

// addHook has the main of a test binary call OrreryMain before anything else.
func (t *tree) addHook() error {
	const file, fn = "testing/testing.go", "MainStart"
	src, err := t.readSource(file)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == fn && d.Recv == nil {
			at := set.Position(d.Body.Lbrace).Offset + 1
			t.files[file] = slices.Concat(src[:at], []byte(" orreryMain(tests);"), src[at:])
			t.files["testing/orrery_main.go"] = []byte(hookFile)
			return nil
		}
	}
	return fmt.Errorf("%s: found no func %s, want the one that main of a test calls", file, fn)
}

// entryFile makes a package's test binary a worker. Its package clause is missing.
var entryFile = `

import (
	"testing"
	_ "unsafe"

	"` + stdPath(guestPackage) + `"
)

//go:linkname orreryProgram main.main
func orreryProgram()

func init() {
	testing.OrreryMain = func(tests []testing.InternalTest) {
		names := make([]string, len(tests))
		for i, t := range tests {
			names[i] = t.Name
		}
		guest.Main(names, orreryProgram)
	}
}
`

// addEntry makes workers of the tests of the package in dir.
func addEntry(dir string) error {
	text := "package " + filepath.Base(dir) + "_test" + entryFile
	return os.WriteFile(filepath.Join(dir, "orrery_std_test.go"), []byte(text), 0o644)
}
