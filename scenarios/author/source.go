package author

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// source is Go text that is being written, and the packages that it uses.
type source struct {
	idiom   *idiom
	text    strings.Builder
	imports map[string]bool
}

// line adds a line.
func (s *source) line(format string, args ...any) {
	fmt.Fprintf(&s.text, format+"\n", args...)
}

// use imports a package and returns what it is called.
func (s *source) use(path string) string {
	s.imports[path] = true
	return s.idiom.name(path)
}

// importBlock has the standard library's packages first.
func (s *source) importBlock() string {
	var std, ours []string
	for _, path := range slices.Sorted(maps.Keys(s.imports)) {
		line := strconv.Quote(path)
		if alias := s.idiom.aliases[path]; alias != "" {
			line = alias + " " + line
		}
		if strings.Contains(path, ".") {
			ours = append(ours, line)
		} else {
			std = append(std, line)
		}
	}
	return "import (\n" + strings.Join(std, "\n") + "\n\n" + strings.Join(ours, "\n") + "\n)\n"
}

// width is how long lines of comments are.
const width = 100

// comment adds a text of the plan as comment lines, after a label.
func (s *source) comment(label, text string) {
	line := "//"
	for _, word := range strings.Fields(label + " " + plain(text)) {
		if len(line)+len(word) >= width && line != "//" {
			s.line("%s", line)
			line = "//"
		}
		line += " " + word
	}
	s.line("%s", line)
}

// note is comment, unless there is nothing to say.
func (s *source) note(label, text string) {
	if strings.TrimSpace(plain(text)) != "" {
		s.comment(label, text)
	}
}

// todo asks for what the catalogue has not.
func (s *source) todo(id, text string) { s.comment("TODO("+plain(id)+"):", text) }

// plain takes out what a Go source cannot hold, and makes one line of the rest.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) || r == '\ufeff' || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
