package plan

import (
	"regexp"
	"strings"
)

// note is a bullet or a numbered line of free text, with its wrapped lines and
// with the items under it.
type note struct {
	line   int
	indent int
	text   string
	under  []*note
}

// Unread is a part of free text that no scenario was made of.
type Unread struct {
	Line int
	Text string
	Why  string
}

var (
	noteMarker = regexp.MustCompile(`^(\s*)(?:[-*+•‣–—]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(\S.*)$`)
	noteBox    = regexp.MustCompile(`^\s*\[[ xX]?\]\s+`)
	noteRule   = regexp.MustCompile(`^[\s\-*_=~]+$`)
	noteTitle  = regexp.MustCompile(`^\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|__[^_]+__:?)\s*$`)
	noteLabel  = regexp.MustCompile(`^\S+(?: \S+){0,4}:\s*$`)
	noteFence  = regexp.MustCompile("^\\s*(?:```|~~~)")
)

// noteReader parts free text into items and the rest.
type noteReader struct {
	tops   []*note
	open   []*note // the last item, and those that it is under
	unread []Unread
	going  going
	lines  int // of the paragraph
	gap    int // empty lines since the last line
}

// going is what the last of unread is, if it goes on in the next line.
type going string

const (
	goingNone  going = ""
	goingProse going = "prose"
	goingCode  going = "code"
)

func readNotes(text string) *noteReader {
	r := &noteReader{}
	for i, line := range strings.Split(text, "\n") {
		r.line(i+1, strings.TrimRight(line, " \t"))
	}
	return r
}

func (r *noteReader) line(n int, text string) {
	switch {
	case r.going == goingCode || noteFence.MatchString(text):
		r.code(n, text)
		return
	case strings.TrimSpace(text) == "":
		r.gap++
		r.going = goingNone
		return
	case noteRule.MatchString(text):
		r.titled()
		r.going, r.open = goingNone, nil
	case noteTitle.MatchString(text), r.label(text):
		r.going, r.open = goingNone, nil
	case noteMarker.MatchString(text):
		m := noteMarker.FindStringSubmatch(text)
		r.titled()
		r.item(&note{line: n, indent: width(m[1]), text: plain(m[2])})
	case len(r.open) > 0 && (r.gap == 0 || width(text) >= 2):
		last := r.open[len(r.open)-1]
		last.text += " " + plain(text)
	case r.going == goingProse:
		r.unread[len(r.unread)-1].Text += " " + plain(text)
		r.lines++
	default:
		r.open = nil
		r.unread = append(r.unread, Unread{n, plain(text), "it is no item of a list"})
		r.going, r.lines = goingProse, 1
	}
	r.gap = 0
}

// titled takes a line of a few words that a rule or an item comes right after for a
// heading.
func (r *noteReader) titled() {
	const wordsMost = 5
	last := len(r.unread) - 1
	if r.going == goingProse && r.lines == 1 && r.gap == 0 && len(strings.Fields(r.unread[last].Text)) <= wordsMost {
		r.unread = r.unread[:last]
	}
}

// label says whether a line names what comes after it.
func (r *noteReader) label(text string) bool {
	return width(text) == 0 && noteLabel.MatchString(text) && !noteMarker.MatchString(text)
}

func (r *noteReader) code(n int, text string) {
	switch {
	case r.going != goingCode:
		r.unread = append(r.unread, Unread{n, strings.TrimSpace(text), "it is a block of code"})
		r.going, r.open = goingCode, nil
	case noteFence.MatchString(text):
		r.going = goingNone
	default:
		r.unread[len(r.unread)-1].Text += " " + strings.TrimSpace(text)
	}
}

// item puts an item under the last one that is less indented.
func (r *noteReader) item(n *note) {
	r.going = goingNone
	for len(r.open) > 0 && r.open[len(r.open)-1].indent >= n.indent {
		r.open = r.open[:len(r.open)-1]
	}
	if len(r.open) == 0 {
		r.tops = append(r.tops, n)
	} else {
		parent := r.open[len(r.open)-1]
		parent.under = append(parent.under, n)
	}
	r.open = append(r.open, n)
}

// width is how far a line is indented; a tab counts as four spaces.
func width(text string) int {
	n := 0
	for _, c := range text {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// plain takes off a check box and emphasis.
func plain(text string) string {
	text = noteBox.ReplaceAllString(text, "")
	return strings.TrimSpace(strings.NewReplacer("**", "", "__", "", "`", "").Replace(text))
}
