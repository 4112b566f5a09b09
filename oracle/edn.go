package oracle

import (
	"fmt"
	"strings"
)

// ednKind is the kind of an EDN value (github.com/edn-format/edn).
type ednKind byte

const (
	ednNil ednKind = iota
	ednBool
	ednNumber
	ednString
	ednChar
	ednKeyword
	ednSymbol
	ednList
	ednVector
	ednMap // kids are keys and values in turn, in the order of the text
	ednSet
	ednTagged // text is the tag, with its #; kids is the one value
)

// edn is one value. Text is an atom as it is written, but a string's content.
type edn struct {
	kind ednKind
	text string
	kids []edn
	at   int // offset in the text
}

// value returns the value as a history holds it: nil is "", a string its content,
// everything else as it is written.
func (v edn) value() string {
	switch v.kind {
	case ednNil:
		return ""
	case ednString:
		return v.text
	}
	return v.String()
}

// ednOf is the opposite of value.
func ednOf(s string) edn {
	if s == "" {
		return edn{kind: ednNil, text: "nil"}
	}
	if v, ok := parseOne(s); ok && v.String() == s {
		switch v.kind {
		case ednNil, ednString, ednSymbol, ednChar:
		default:
			return v
		}
	}
	return edn{kind: ednString, text: s}
}

// String writes the value in one line.
func (v edn) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v edn) write(b *strings.Builder) {
	open, end := "", ""
	switch v.kind {
	case ednString:
		writeQuoted(b, v.text)
		return
	case ednList:
		open, end = "(", ")"
	case ednVector:
		open, end = "[", "]"
	case ednMap:
		open, end = "{", "}"
	case ednSet:
		open, end = "#{", "}"
	case ednTagged:
		b.WriteString(v.text + " ")
	default:
		b.WriteString(v.text)
		return
	}
	b.WriteString(open)
	for i := range v.kids {
		if i > 0 {
			b.WriteByte(' ')
		}
		v.kids[i].write(b)
	}
	b.WriteString(end)
}

func writeQuoted(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// get returns the value of a map's keyword, and whether there is one.
func (v edn) get(keyword string) (edn, bool) {
	for i := 0; i+1 < len(v.kids); i += 2 {
		if k := v.kids[i]; k.kind == ednKeyword && k.text == keyword {
			return v.kids[i+1], true
		}
	}
	return edn{}, false
}

// describe names the value for an error, short.
func (v edn) describe() string {
	s := v.String()
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "..."
	}
	return s
}
