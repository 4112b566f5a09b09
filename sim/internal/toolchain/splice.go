package toolchain

import (
	"fmt"
	"sort"
	"strings"
)

// splice puts text in place of the bytes of a span.
type splice struct {
	span
	text  string
	order int    // of its edit in the table
	edit  string // name of its edit
}

// applySplices returns src with all splices applied. At one offset insertions
// come in table order, and before a replacement that starts there.
func applySplices(src []byte, list []splice) ([]byte, error) {
	list = append([]splice(nil), list...)
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.start != b.start {
			return a.start < b.start
		}
		if insA, insB := a.start == a.end, b.start == b.end; insA != insB {
			return insA
		}
		return a.order < b.order
	})
	var out strings.Builder
	at, last := 0, ""
	for _, s := range list {
		if s.start < at {
			return nil, fmt.Errorf("edits %q and %q change the same code: join them", last, s.edit)
		}
		out.Write(src[at:s.start])
		out.WriteString(s.text)
		at, last = s.end, s.edit
	}
	out.Write(src[at:])
	return []byte(out.String()), nil
}

// blankLines returns the line ends of the text that a splice replaces.
func blankLines(src []byte, s span) string {
	return strings.Repeat("\n", strings.Count(string(src[s.start:s.end]), "\n"))
}
