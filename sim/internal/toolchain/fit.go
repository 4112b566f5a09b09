package toolchain

import (
	"fmt"
	"strconv"
	"strings"
)

// FitError says that an edit, or a variable that each process is to have for
// itself, does not fit the sources of a Go release.
type FitError struct {
	GoVersion string
	Edit      string // name of the edit
	File      string // below src
	Func      string // empty: the whole file
	Want      string // what was looked for
	Got       string // what there is instead
}

func (e *FitError) Error() string {
	place := e.File
	if e.Func != "" {
		place += ", func " + e.Func
	}
	return fmt.Sprintf("%s: edit %q does not fit %s: got %s, want %s: use a release of %s that this orrery knows, or mend the edit",
		e.GoVersion, e.Edit, place, e.Got, e.Want, supported())
}

// countText says how many matches there are and on which lines.
func countText(lines []int) string {
	if len(lines) == 0 {
		return "none"
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strconv.Itoa(l)
	}
	return fmt.Sprintf("%d (line %s)", len(lines), strings.Join(texts, ", "))
}

// wantText is the number of matches that an op wants.
func (o op) wantText(what string) string {
	n := "one or more"
	if o.of > 0 {
		n = strconv.Itoa(o.of)
	}
	return fmt.Sprintf("%s %s %q", n, what, o.pattern)
}

func (k opKind) onStmt() bool { return k == opBefore || k == opAfter || k == opReplaceStmt }
