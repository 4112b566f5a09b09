package plan

import (
	"fmt"
	"strings"
	"unicode"
)

// key returns a heading or a column's name as fields are named: lower case, with
// hyphens.
func key(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_'
	}), "-")
}

// nearest returns the name that takes the fewest changes, the first of several.
func nearest(name string, known []string) string {
	best, least := "", -1
	for _, k := range known {
		if d := distance(clip(name), k); least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

// clip bounds what a distance costs.
func clip(name string) string { return name[:min(len(name), 64)] }

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// unknown tells of a name that is none of the known ones.
func (t *teller) unknown(line int, about, what, name string, known []string) {
	near := nearest(name, known)
	want := "one of " + strings.Join(known, ", ")
	if len(known) == 0 {
		want = "none"
	}
	do := "take it out"
	if near != "" {
		do = fmt.Sprintf("write %s if that was meant, or take it out", near)
	}
	t.tell(line, about, fmt.Sprintf("%s %s", what, quote(name)), want, do)
}

// quote shows a text in one line of bounded length.
func quote(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		text = string(r[:most-3]) + "..."
	}
	return fmt.Sprintf("%q", text)
}
