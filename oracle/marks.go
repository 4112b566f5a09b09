package oracle

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks finds what is a tenant's in a text. At each place the longest mark counts, so that
// "acme2" is a mark of its own and not also the mark "acme".
type marks struct {
	by      map[string]planted
	lengths []int // that marks have, the longest first
}

// planted is whose a mark is, and since which call.
type planted struct {
	owner string
	by    int // index of the call
}

// marksOf collects the marks of all writes, those into what is another's among them: what a
// denied write would have written is the writer's.
func marksOf(controls []Control) (marks, error) {
	m := marks{by: map[string]planted{}}
	for i := range controls {
		c := &controls[i]
		if c.Kind != ControlPlant && !c.negative() {
			continue
		}
		for _, mark := range c.Marks {
			was, known := m.by[mark]
			if known && was.owner != c.Tenant {
				return m, fmt.Errorf("call %d plants mark %q for %s, and %s has it already: give every tenant marks of its own", i, mark, c.Tenant, was.owner)
			}
			if !known {
				m.by[mark] = planted{c.Tenant, i}
				m.lengths = append(m.lengths, len(mark))
			}
		}
	}
	slices.Sort(m.lengths)
	m.lengths = slices.Compact(m.lengths)
	slices.Reverse(m.lengths)
	return m, nil
}

// foreign returns the first mark in an answer that is not the tenant's. What the request
// named itself is no news to the tenant.
func (m *marks) foreign(text string, c *Control) (mark string, of planted, found bool) {
	for i := 0; i < len(text); {
		step := 1
		for _, n := range m.lengths {
			if i+n > len(text) {
				continue
			}
			if p, ok := m.by[text[i:i+n]]; ok {
				if mark = text[i : i+n]; p.owner != c.Tenant && !strings.Contains(c.Owner, mark) && !strings.Contains(c.Object, mark) {
					return mark, p, true
				}
				step = n
				break
			}
		}
		i += step
	}
	return "", planted{}, false
}

// replaceWord replaces a word wherever it is not a part of a longer one.
func replaceWord(text, word, by string) string {
	if word == "" {
		return text
	}
	var b strings.Builder
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			b.WriteString(text[from:])
			return b.String()
		}
		at += from
		end := at + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		b.WriteString(text[from:at])
		if letter(before) || letter(after) {
			b.WriteString(word)
		} else {
			b.WriteString(by)
		}
		from = end
	}
}

// letter reports whether a rune continues a word.
func letter(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
