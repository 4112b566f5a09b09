package toolchain

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// squeeze puts Go source on one line: comments go, the semicolons that line ends
// stand for are written out, and those around the whole are dropped.
func squeeze(code string) (string, error) {
	src := []byte(code)
	file := token.NewFileSet().AddFile("", -1, len(src))
	var errs scanner.ErrorList
	var s scanner.Scanner
	s.Init(file, src, func(p token.Position, msg string) { errs.Add(p, msg) }, 0)
	var b strings.Builder
	end := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			b.WriteString(";")
			continue
		}
		start := file.Offset(pos)
		b.WriteString(spaceBetween(code[end:start], b.Len() == 0))
		text := tok.String()
		if lit != "" {
			text = lit
		}
		b.WriteString(text)
		end = start + len(text)
	}
	if err := errs.Err(); err != nil {
		return "", fmt.Errorf("code %q: %w", code, err)
	}
	out := strings.Trim(b.String(), "; \t")
	if strings.Contains(out, "\n") {
		return "", fmt.Errorf("code %q: got a literal with lines, want one that fits on a line", code)
	}
	return out, nil
}

// spaceBetween returns what stays of the text between two tokens.
func spaceBetween(gap string, first bool) string {
	switch {
	case first || gap == "":
		return ""
	case strings.Trim(gap, " \t") == "":
		return gap
	}
	return " "
}
