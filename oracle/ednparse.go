package oracle

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ednDepth is how deep values may nest, so that no file can exhaust the stack.
const ednDepth = 200

var ednNumbers = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)(N|/[1-9][0-9]*|(\.[0-9]*)?([eE][+-]?[0-9]+)?M?)$`)

type ednParser struct {
	src string
	pos int
}

// parseOne parses a text that is one value and nothing else.
func parseOne(s string) (edn, bool) {
	p := ednParser{src: s}
	v, more, err := p.next()
	if err != nil || !more {
		return edn{}, false
	}
	_, more, err = p.next()
	return v, err == nil && !more
}

// next returns the next value of the text; more is false at its end.
func (p *ednParser) next() (v edn, more bool, err *ReadError) {
	if err := p.skip(0); err != nil {
		return edn{}, false, err
	}
	if p.pos == len(p.src) {
		return edn{}, false, nil
	}
	v, err = p.parse(0)
	return v, err == nil, err
}

// skip passes over white space, commas, comments and discarded values.
func (p *ednParser) skip(depth int) *ReadError {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == ',':
			p.pos++
		case c == ';':
			n := strings.IndexByte(p.src[p.pos:], '\n')
			if n < 0 {
				n = len(p.src) - p.pos
			}
			p.pos += n
		case strings.HasPrefix(p.src[p.pos:], "#_"):
			if depth > ednDepth {
				return p.tooDeep()
			}
			p.pos += 2
			if err := p.skip(depth + 1); err != nil {
				return err
			}
			if _, err := p.parse(depth + 1); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// fail makes the error of a place.
func (p *ednParser) fail(at int, found, want, remedy string) *ReadError {
	return errorAt(p.src, at, found, want, remedy)
}

func (p *ednParser) tooDeep() *ReadError {
	return p.fail(p.pos, "values nested more than "+strconv.Itoa(ednDepth)+" deep", "a flatter value", "check the file's brackets")
}

func (p *ednParser) parse(depth int) (edn, *ReadError) {
	at := p.pos
	if depth > ednDepth {
		return edn{}, p.tooDeep()
	}
	if p.pos == len(p.src) {
		return edn{}, p.fail(at, "the end of the file", "a value", "check whether the file was cut short")
	}
	switch c := p.src[p.pos]; c {
	case '(':
		return p.sequence(edn{kind: ednList, at: at}, ')', depth)
	case '[':
		return p.sequence(edn{kind: ednVector, at: at}, ']', depth)
	case '{':
		return p.sequence(edn{kind: ednMap, at: at}, '}', depth)
	case '"':
		return p.quoted()
	case ')', ']', '}':
		return edn{}, p.fail(at, strconv.QuoteRune(rune(c)), "a value", "remove it, or open its bracket")
	case '\\':
		return p.char()
	case '#':
		return p.dispatch(depth)
	}
	return p.atom()
}

// sequence reads the elements of v up to its closing bracket.
func (p *ednParser) sequence(v edn, end byte, depth int) (edn, *ReadError) {
	p.pos++
	for {
		if err := p.skip(depth); err != nil {
			return edn{}, err
		}
		if p.pos < len(p.src) && p.src[p.pos] == end {
			p.pos++
			break
		}
		if p.pos == len(p.src) {
			return edn{}, p.fail(v.at, "a bracket that is never closed", strconv.QuoteRune(rune(end))+" after its elements", "check whether the file was cut short")
		}
		kid, err := p.parse(depth + 1)
		if err != nil {
			return edn{}, err
		}
		v.kids = append(v.kids, kid)
	}
	if v.kind == ednMap && len(v.kids)%2 != 0 {
		return edn{}, p.fail(v.at, "a map of "+strconv.Itoa(len(v.kids))+" forms", "a value for every key", "add the value that is missing")
	}
	return v, nil
}

// dispatch reads what begins with #: a set or a tagged value.
func (p *ednParser) dispatch(depth int) (edn, *ReadError) {
	at := p.pos
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] == '{' {
		return p.sequence(edn{kind: ednSet, at: at}, '}', depth)
	}
	tag := p.token()
	if tag == "" {
		return edn{}, p.fail(at, "a lone #", "a set or a tag", "remove it")
	}
	if err := p.skip(depth); err != nil {
		return edn{}, err
	}
	v, err := p.parse(depth + 1)
	if err != nil {
		return edn{}, err
	}
	return edn{kind: ednTagged, text: "#" + tag, kids: []edn{v}, at: at}, nil
}

// token passes over the characters up to a delimiter.
func (p *ednParser) token() string {
	at := p.pos
	for p.pos < len(p.src) && !strings.ContainsRune(" \t\n\r\f,;()[]{}\"", rune(p.src[p.pos])) {
		p.pos++
	}
	return p.src[at:p.pos]
}

func (p *ednParser) char() (edn, *ReadError) {
	at := p.pos
	p.pos++
	_, n := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += n
	p.token()
	if p.pos == at+1 {
		return edn{}, p.fail(at, "a lone \\", "a character", "remove it")
	}
	return edn{kind: ednChar, text: p.src[at:p.pos], at: at}, nil
}

func (p *ednParser) atom() (edn, *ReadError) {
	at := p.pos
	text := p.token()
	v := edn{kind: ednSymbol, text: text, at: at}
	switch c := text[0]; {
	case text == "nil":
		v.kind = ednNil
	case text == "true" || text == "false":
		v.kind = ednBool
	case c == ':' && len(text) > 1:
		v.kind = ednKeyword
	case ednNumbers.MatchString(text):
		v.kind = ednNumber
	case c == ':' || c >= '0' && c <= '9':
		return edn{}, p.fail(at, strconv.Quote(text), "a number, a keyword or a symbol", `write it as a string: "`+text+`"`)
	}
	return v, nil
}

func (p *ednParser) quoted() (edn, *ReadError) {
	at := p.pos
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		if c == '"' {
			p.pos++
			return edn{kind: ednString, text: b.String(), at: at}, nil
		}
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if err := p.escape(&b); err != nil {
			return edn{}, err
		}
	}
	return edn{}, p.fail(at, "a string that is never closed", `a closing "`, "check whether the file was cut short")
}

// escape reads one escape of a string and leaves pos at its last byte.
func (p *ednParser) escape(b *strings.Builder) *ReadError {
	at := p.pos
	p.pos++
	if p.pos == len(p.src) {
		return nil // the string is not closed, which is what gets reported
	}
	if i := strings.IndexByte(`nrtbf"\/`, p.src[p.pos]); i >= 0 {
		b.WriteByte("\n\r\t\b\f\"\\/"[i])
		return nil
	}
	if p.src[p.pos] == 'u' && p.pos+4 < len(p.src) {
		if r, err := strconv.ParseUint(p.src[p.pos+1:p.pos+5], 16, 32); err == nil {
			b.WriteRune(rune(r))
			p.pos += 4
			return nil
		}
	}
	return p.fail(at, "an escape that is unknown", `one of \n \r \t \b \f \" \\ \uXXXX`, `write \\ for a backslash`)
}
