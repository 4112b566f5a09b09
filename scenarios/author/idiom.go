package author

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	simPath    = "github.com/orrery-sim/orrery/sim"
	oraclePath = "github.com/orrery-sim/orrery/oracle"
)

// idiom is how the tests of a folder are written.
type idiom struct {
	pkg        string            // name of the package
	constraint string            // "//go:build ..." of all siblings; "" if they have not one in common
	aliases    map[string]string // of imports, by path; one that is not here has its own name
	programs   []string          // variables that are programs, in order
	start      *helper           // nil if there is none
	declared   map[string]string // names of the package, with their files
	present    map[string]bool   // names of the package, those of skeletons too
	registered []string          // names of programs, in the whole folder
}

// helper is a function that starts the system under test: its arguments are a world and
// its nodes.
type helper struct {
	name   string
	params []string // of the scenario, that it reads
}

// sibling is a file of the folder.
type sibling struct {
	name string // of the file
	file *ast.File
	test testFile
}

// testFile says whether a file is a test's.
type testFile string

const (
	isTestFile testFile = "test"
	isSkel     testFile = "skeleton"
	isCode     testFile = "code"
)

// idiomOf reads the folder of a target. Skeletons do not count: what is written for one
// must not depend on which others there are.
func idiomOf(folder, target string) (idiom, error) {
	id := idiom{aliases: map[string]string{}, declared: map[string]string{}, present: map[string]bool{}}
	all, err := siblingsOf(folder, target)
	if err != nil {
		return id, err
	}
	siblings := slices.DeleteFunc(slices.Clone(all), func(s sibling) bool { return s.test == isSkel })
	id.pkg = packageOf(siblings)
	if id.pkg == "" {
		id.pkg = folderPackage(folder)
	}
	tests := slices.DeleteFunc(slices.Clone(siblings), func(s sibling) bool { return s.test != isTestFile })
	id.constraint = constraintOf(tests)
	for _, s := range tests {
		_, names := programsOf(s.file)
		id.registered = append(id.registered, names...)
	}
	for _, s := range siblings {
		if s.file.Name.Name != id.pkg {
			continue
		}
		for name := range namesOf(s.file) {
			id.declared[name] = s.name
		}
		if s.test == isTestFile {
			id.learn(s.file)
		}
	}
	for _, s := range all {
		if s.file.Name.Name == id.pkg {
			for name := range namesOf(s.file) {
				id.present[name] = true
			}
		}
	}
	return id, nil
}

func siblingsOf(folder, target string) (out []sibling, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		name := e.Name()
		if filepath.Ext(name) != ".go" || name == target || !e.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler will say so
		}
		kind := isCode
		switch {
		case marked(string(text)):
			kind = isSkel
		case strings.HasSuffix(name, "_test.go"):
			kind = isTestFile
		}
		out = append(out, sibling{name, file, kind})
	}
	return out, err
}

// packageOf is the package of most tests, among which those with scenarios come first; or
// else that of the code; "" if there is none. Of two with as many it is that of the
// file whose name comes first.
func packageOf(siblings []sibling) string {
	count := map[string]int{}
	best := ""
	for _, s := range siblings {
		weight := 1
		if s.test == isTestFile {
			weight = 1000
			if importName(s.file, simPath) != "" {
				weight = 1000000
			}
		}
		count[s.file.Name.Name] += weight
	}
	for _, s := range siblings {
		if name := s.file.Name.Name; count[name] > count[best] {
			best = name
		}
	}
	return best
}

// folderPackage makes a name of a folder's, or at a module's top of the module's.
func folderPackage(folder string) string {
	abs, err := filepath.Abs(folder)
	if err != nil {
		abs = folder
	}
	name := filepath.Base(abs)
	if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil {
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
				name = baseName(strings.Trim(words[1], `"`))
				break
			}
		}
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	if name == "" || token.IsKeyword(name) || unicode.IsDigit(rune(name[0])) {
		return "tests" + name
	}
	return name
}

// constraintOf is the build constraint that all files have.
func constraintOf(files []sibling) string {
	common := ""
	for i, s := range files {
		found := ""
		for _, g := range s.file.Comments {
			for _, c := range g.List {
				if c.Pos() < s.file.Package && strings.HasPrefix(c.Text, "//go:build ") {
					found = strings.TrimSpace(c.Text)
				}
			}
		}
		if i > 0 && found != common {
			return ""
		}
		common = found
	}
	return common
}

// namesOf returns the names that a file declares.
func namesOf(f *ast.File) map[string]bool {
	out := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						out[n.Name] = true
					}
				}
			}
		}
	}
	return out
}

// declaredIn is namesOf for a text; one that is no Go declares nothing.
func declaredIn(text []byte) map[string]bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return namesOf(f)
}

// learn takes over what a file of tests does.
func (id *idiom) learn(f *ast.File) {
	for _, p := range []string{simPath, oraclePath} {
		if name := importName(f, p); id.aliases[p] == "" && name != "" && name != baseName(p) {
			id.aliases[p] = name
		}
	}
	variables, _ := programsOf(f)
	id.programs = append(id.programs, variables...)
	if id.start == nil {
		id.start = helperOf(f)
	}
}

// name is what an import is called: by siblings or, if the package has something of that
// name, otherwise.
func (id *idiom) name(path string) string {
	if name := cmp.Or(id.aliases[path], baseName(path)); id.declared[name] != "" {
		id.aliases[path] = id.free("orrery" + name)
	}
	if alias := id.aliases[path]; alias != "" {
		return alias
	}
	return baseName(path)
}

// free makes a name that the package has not.
func (id *idiom) free(name string) string {
	for n, try := 2, name; ; n++ {
		if id.declared[try] == "" {
			return try
		}
		try = fmt.Sprint(name, n)
	}
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// importName is what a file calls a package, "" if it has no name for it.
func importName(f *ast.File, path string) string {
	for _, im := range f.Imports {
		if p, _ := strconv.Unquote(im.Path.Value); p != path {
			continue
		}
		switch {
		case im.Name == nil:
			return baseName(path)
		case im.Name.Name != "_" && im.Name.Name != ".":
			return im.Name.Name
		}
	}
	return ""
}
