package toolchain

// edit is one change to one file of the standard library.
type edit struct {
	name  string // unique; says what is so afterwards
	file  string // below src, as in "runtime/proc.go"
	fn    string // "park_m", "(*timers).check", "timerWhen.less"; empty: anywhere in the file
	op    op
	code  string // Go source; lines are joined, so that nothing moves down
	since string // first and last language versions it applies to, as in "1.26";
	until string // empty: no bound
}

// op is what an edit does and where. Its pattern is Go source of one statement
// or expression, see pattern.
type op struct {
	kind    opKind
	pattern string
	n       int    // which match, from 1; 0: all of them; lastMatch
	of      int    // how many matches there must be; 0: at least one
	name    string // struct, variable, new name of a function, import path
	field   string
}

type opKind int

const (
	opAtEntry opKind = iota + 1
	opBefore
	opAfter
	opReplaceStmt
	opReplaceExpr
	opAfterField
	opRenameFunc
	opRemoveBody
	opReplaceBody
	opInitialiser
	opAppendDecl
	opAddImport
)

const lastMatch = -1

// atEntry inserts code as the first statements of the function.
func atEntry() op { return op{kind: opAtEntry} }

// before inserts code before the one statement that matches; if that is
// labelled, before its label.
func before(pattern string) op { return op{kind: opBefore, pattern: pattern, n: 1, of: 1} }

// beforeLast is before, at the last of any number of matches.
func beforeLast(pattern string) op { return op{kind: opBefore, pattern: pattern, n: lastMatch} }

// beforeNth is before, at the n-th, from 1, of exactly so many matches.
func beforeNth(pattern string, n, of int) op {
	return op{kind: opBefore, pattern: pattern, n: n, of: of}
}

// after inserts code after the one statement that matches.
func after(pattern string) op { return op{kind: opAfter, pattern: pattern, n: 1, of: 1} }

// afterNth is after, at the n-th, from 1, of exactly so many matches.
func afterNth(pattern string, n, of int) op {
	return op{kind: opAfter, pattern: pattern, n: n, of: of}
}

// replaceStmt puts code, which may be empty, in place of the one statement that
// matches; a label stays.
func replaceStmt(pattern string) op { return op{kind: opReplaceStmt, pattern: pattern, n: 1, of: 1} }

// replaceStmtNth is replaceStmt, at the n-th, from 1, of exactly so many matches.
func replaceStmtNth(pattern string, n, of int) op {
	return op{kind: opReplaceStmt, pattern: pattern, n: n, of: of}
}

// replaceExpr puts code, in parentheses if it is an operation, in place of the
// one expression that matches.
func replaceExpr(pattern string) op { return op{kind: opReplaceExpr, pattern: pattern, n: 1, of: 1} }

// replaceNth is replaceExpr, at the n-th, from 1, of exactly so many matches.
func replaceNth(pattern string, n, of int) op {
	return op{kind: opReplaceExpr, pattern: pattern, n: n, of: of}
}

// replaceAll is replaceExpr at each of exactly count matches; with a count of 0,
// of any number but none.
func replaceAll(pattern string, count int) op {
	return op{kind: opReplaceExpr, pattern: pattern, of: count}
}

// afterField inserts code after a field of a package-level struct type. An
// embedded field goes by its type's name.
func afterField(structName, fieldName string) op {
	return op{kind: opAfterField, name: structName, field: fieldName}
}

// renameFunc renames the declaration, and no use of it. In an assembly file it
// renames the TEXT symbol.
func renameFunc(newName string) op { return op{kind: opRenameFunc, name: newName} }

// removeBody leaves the function's declaration without a body.
func removeBody() op { return op{kind: opRemoveBody} }

// replaceBody puts code in place of all statements of the function.
func replaceBody() op { return op{kind: opReplaceBody} }

// initialiser puts code in place of the value of a package-level variable or
// constant, or gives a variable without one that value.
func initialiser(varName string) op { return op{kind: opInitialiser, name: varName} }

// appendDecl adds code, which may have lines, to the end of the file; that may
// be an assembly or header file.
func appendDecl() op { return op{kind: opAppendDecl} }

// addImport imports a package in the file if it does not. A path may be preceded
// by a name, as in "_ unsafe".
func addImport(path string) op { return op{kind: opAddImport, name: path} }
