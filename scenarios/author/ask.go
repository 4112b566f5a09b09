package author

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// answers is where a person is asked.
type answers struct {
	in  *bufio.Reader // nil if there is nobody
	out io.Writer

	shown *string // the difference that was shown last
}

func newAnswers(in io.Reader, out io.Writer) answers {
	a := answers{out: out, shown: new(string)}
	if in != nil {
		a.in = bufio.NewReader(in)
	}
	return a
}

func (a answers) nobody() bool { return a.in == nil }

// once returns a difference, unless it was shown just now.
func (a answers) once(diff string) string {
	if *a.shown == diff {
		return ""
	}
	*a.shown = diff
	return diff
}

// askMost is how often a question is asked before the file is left alone.
const askMost = 3

// ask shows the difference and asks what to do. A file that is no skeleton is not shown:
// it stays, and a skeleton can only be written beside it. No answer is Skip.
func (a answers) ask(name, diff string, s state) OnConflict {
	if s != foreign {
		fmt.Fprint(a.out, a.once(diff))
	}
	if a.nobody() {
		fmt.Fprintf(a.out, "%s: %s; there is nobody to ask, and it is left alone\n", name, s.text())
		return Skip
	}
	choices := "overwrite, skip or new"
	if s == foreign {
		choices = "skip or new"
	}
	for range askMost {
		fmt.Fprintf(a.out, "%s: %s: %s? [skip] ", name, s.text(), choices)
		text, err := a.in.ReadString('\n')
		switch text = strings.ToLower(strings.TrimSpace(text)); {
		case text == "s" || text == string(Skip) || text == "":
			return Skip
		case text == "n" || text == string(New):
			return New
		case (text == "o" || text == string(Overwrite)) && s != foreign:
			return Overwrite
		}
		if err != nil {
			break
		}
		fmt.Fprintf(a.out, "found %q, want %s\n", text, choices)
	}
	return Skip
}
