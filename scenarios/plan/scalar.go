package plan

import (
	"fmt"
	"regexp"
	"strings"
)

// bare takes off spaces, and the backquotes of a text that is all code.
func bare(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n > 2 && text[0] == '`' && text[n-1] == '`' && !strings.Contains(text[1:n-1], "`") {
		return strings.TrimSpace(text[1 : n-1])
	}
	return text
}

// split parts a text at separators that are in no parentheses.
func split(text, seps string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth = max(0, depth-1)
		case depth == 0 && strings.ContainsRune(seps, r):
			out = append(out, text[from:i])
			from = i + len(string(r))
		}
	}
	out = append(out, text[from:])
	var full []string
	for _, s := range out {
		if s = bare(s); s != "" {
			full = append(full, s)
		}
	}
	return full
}

func (n *Named) parse(text string) *misread {
	name, rest, has := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	bad := &misread{quote(text), `a name, or "name (detail)"`, "write the detail once, in parentheses that match, after the name"}
	if name == "" || strings.ContainsAny(name, ")\n") {
		return bad
	}
	if !has {
		*n = Named{Name: name}
		return nil
	}
	detail, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if detail = strings.TrimSpace(detail); !closed || detail == "" || !balanced(detail) {
		return bad
	}
	*n = Named{name, detail}
	return nil
}

func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

func (p *Param) parse(text string) *misread {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" || value == "" || strings.ContainsAny(text, " \t\n;") || strings.ContainsAny(name, ":()`") {
		return &misread{quote(text), "a parameter, as nodes=3", "write a name, =, and a value without spaces"}
	}
	*p = Param{name, value}
	return nil
}

func (c *Config) parse(text string) *misread {
	name, rest, ok := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t\n;=()`") {
		return &misread{quote(text), "a configuration, as three: nodes=3", "write a name, a colon and its parameters"}
	}
	out := Config{Name: name}
	for _, word := range strings.Fields(rest) {
		var p Param
		if m := p.parse(word); m != nil {
			return m
		}
		out.Parameters = append(out.Parameters, p)
	}
	if len(out.Parameters) == 0 {
		return &misread{quote(text), "a configuration, as three: nodes=3", "give it a parameter"}
	}
	*c = out
	return nil
}

func (t *Target) parse(text string) *misread {
	if why := None(text); why != "" {
		*t = Target{None: why}
		return nil
	}
	file, fn, has := strings.Cut(text, "#")
	if file == "" || has && !isFunction(fn) || strings.ContainsAny(text, " \t\n") {
		return &misread{quote(text), "a file and a function, as kv/kv_test.go#TestKV",
			"write the path from the repository's top, # and the name of a function"}
	}
	*t = Target{File: file, Func: fn}
	return nil
}

func isFunction(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

var revisitWhen = regexp.MustCompile(`(?i)\brevisit when\s`)

// parse reads "none, because WHY; revisit when WHEN".
func (n *NoRelease) parse(text string) *misread {
	why := None(text)
	at := revisitWhen.FindStringIndex(why)
	bad := &misread{quote(text), `"none, because WHY; revisit when WHEN"`, "say why there is no release tier, and when to think about it again"}
	if at == nil {
		return bad
	}
	because := strings.TrimRight(why[:at[0]], ";,. \n")
	when := strings.TrimSpace(why[at[1]:])
	if because == "" || when == "" {
		return bad
	}
	*n = NoRelease{because, when}
	return nil
}

// silences are texts that say nothing and look as if they did.
var silences = []string{"", "none", "none, because", "none because", "n/a", "na", "-", "--", "—", "?", "...", "tbd", "todo", "null", "nil", "nothing"}

// silent says whether a text says nothing.
func silent(text string) bool {
	text = strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), ".:; ")
	for _, s := range silences {
		if text == s {
			return true
		}
	}
	return false
}

// found shows what is in the place of something that is missing.
func found(text string) string {
	if strings.TrimSpace(text) == "" {
		return "nothing"
	}
	return fmt.Sprintf("only %s", quote(text))
}
