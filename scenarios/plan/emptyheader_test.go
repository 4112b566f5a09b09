package plan

import (
	"strings"
	"testing"
)

// A table whose header has empty cells is told of, at its line.
func TestEmptyHeader(t *testing.T) {
	for _, header := range []string{"| | text | category | source | basis |", "|  |  |  |  |  |", "| id | | category | source | basis |"} {
		const dashes = "|---|---|---|---|---|\n"
		_, problems := Load("x.md", []byte("# x\n\n## Claims\n\n"+header+"\n"+dashes+"| C1 | a | safety | b | stated |\n"))
		found := false
		for _, p := range problems {
			found = found || p.Line == 5 && strings.Contains(p.String(), "column")
		}
		if !found {
			t.Errorf("%s: no problem of a column in line 5: %v", header, problems)
		}
	}
}

// A header that is one bar has no cells: that is told, too.
func TestBarForHeader(t *testing.T) {
	for _, text := range []string{" |\n|---|---|", "# x\n\n## Claims\n\n |\n|---|---|\n| C1 | a |\n"} {
		if _, problems := Load("x.md", []byte(text)); problems.Err() == nil {
			t.Errorf("%q: no problem", text)
		}
	}
}
