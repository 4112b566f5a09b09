package author

import (
	"go/build/constraint"
	"strings"
)

// tagsOf returns the tags with which a file's build constraint holds, if it is one tag or
// several that are all wanted.
func tagsOf(text string) []string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "package ") {
			break
		}
		if constraint.IsGoBuild(line) {
			if x, err := constraint.Parse(strings.TrimSpace(line)); err == nil {
				return wantedTags(x)
			}
		}
	}
	return nil
}

func wantedTags(x constraint.Expr) []string {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return []string{x.Tag}
	case *constraint.AndExpr:
		return append(wantedTags(x.X), wantedTags(x.Y)...)
	}
	return nil
}
