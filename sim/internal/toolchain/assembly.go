package toolchain

import (
	"fmt"
	"strings"
)

// assembly renames the one TEXT symbol of a function in an assembly file.
func (t *target) assembly(e edit) ([]splice, error) {
	if e.op.kind != opRenameFunc {
		return nil, fmt.Errorf("edit %q: %s is no Go file: want renameFunc or appendDecl", e.name, t.path)
	}
	var out []splice
	var at []int
	start := 0
	for i, line := range strings.SplitAfter(string(t.src), "\n") {
		if s, ok := textSymbol(line, e.fn); ok {
			at = append(at, i+1)
			out = append(out, splice{span: span{start + s.start, start + s.end}, text: e.op.name})
		}
		start += len(line)
	}
	if len(out) != 1 {
		return nil, t.misfit(e, fmt.Sprintf("1 TEXT ·%s", e.fn), countText(at))
	}
	return out, nil
}

// textSymbol finds name in a line such as "TEXT ·name(SB),NOSPLIT,$0-56".
func textSymbol(line, name string) (span, bool) {
	rest, ok := strings.CutPrefix(line, "TEXT")
	if !ok {
		return span{}, false
	}
	sym := strings.TrimLeft(rest, " \t")
	dot := strings.Index(sym, "·")
	if dot < 0 || strings.ContainsAny(sym[:dot], "(, ") {
		return span{}, false
	}
	start := len(line) - len(sym) + dot + len("·")
	after, ok := strings.CutPrefix(line[start:], name)
	if !ok || !strings.HasPrefix(after, "(") && !strings.HasPrefix(after, "<") {
		return span{}, false
	}
	return span{start, start + len(name)}, true
}
