package toolchain

import (
	"go/scanner"
	"go/token"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSqueeze(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"", ""},
		{" ; a() ; ", "a()"},
		{"a()\nb()\n", "a(); b()"},
		{"a := b +\n\tc // sum\n/* d\n */\ne()", "a := b + c; e()"},
		{"a  /* b */ (c)", "a (c)"},
		{"for i := 0; i < n; i++ {\n}\n", "for i := 0; i < n; i++ { }"},
		{"x := `a // b` + \"//\"", "x := `a // b` + \"//\""},
	} {
		got, err := squeeze(c.code)
		if err != nil || got != c.want {
			t.Errorf("squeeze(%q): got %q, %v, want %q", c.code, got, err, c.want)
		}
	}
}

// TestSqueezeKeepsTokens compares the tokens before and after, line ends that
// stand for semicolons included.
func TestSqueezeKeepsTokens(t *testing.T) {
	pieces := []string{"a", "1", "(", ")", "{", "}", "+", "return", "\n", "\n", " ", "// c\n", "/* d */", "/* e\n*/", "x++", ",", `"s"`, ";"}
	rapid.Check(t, func(rt *rapid.T) {
		code := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(rt, "pieces"), " ")
		got, err := squeeze(code)
		if err != nil {
			rt.Fatal(err)
		}
		if strings.Contains(got, "\n") {
			rt.Fatalf("squeeze(%q): got lines: %q", code, got)
		}
		a, b := tokens(code), tokens(got)
		if strings.Trim(a, "; ") != strings.Trim(b, "; ") {
			rt.Fatalf("tokens of %q: got %q, want %q", code, b, a)
		}
	})
}

func tokens(code string) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(code)), []byte(code), nil, 0)
	var out []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.Join(out, " ")
		case tok == token.SEMICOLON:
			out = append(out, ";")
		default:
			out = append(out, tok.String()+lit)
		}
	}
}
