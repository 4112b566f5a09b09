package capability

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// Terminal is where a person is asked, if there is one.
type Terminal struct {
	in     *bufio.Reader
	out    io.Writer
	person presence
}

// presence says whether a person reads the questions.
type presence string

const (
	absent  presence = "absent"
	present presence = "present"
)

// TerminalOf is the terminal that both files are of. If one of them is none, nothing is asked, and
// what would be shown is written all the same.
func TerminalOf(in, out *os.File) *Terminal {
	t := &Terminal{bufio.NewReader(in), out, absent}
	if term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) {
		t.person = present
	}
	return t
}

// Conversation is a terminal on which somebody answers, whatever its streams are.
func Conversation(in io.Reader, out io.Writer) *Terminal {
	return &Terminal{bufio.NewReader(in), out, present}
}

// Asks reports whether there is somebody to ask.
func (t *Terminal) Asks() bool { return t.person == present }

// line asks for a line. The end of the input is an empty one.
func (t *Terminal) line(question string) (string, error) {
	fmt.Fprint(t.out, question)
	text, err := t.in.ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(text), err
}

// askMost is how often a question is asked before it is given up.
const askMost = 3

// Ask asks what of a plan's needs there is, and what to skip, before anything is
// probed. Without a terminal it asks nothing, and there are no answers. Names that no
// need has are asked for again, and are an error in the end.
func (c Catalogue) Ask(t *Terminal, needs []Need) (Answers, error) {
	var a Answers
	if !t.Asks() || len(needs) == 0 {
		return a, nil
	}
	fmt.Fprintln(t.out, "The plan needs:")
	for _, n := range needs {
		fmt.Fprintf(t.out, "  %s", n)
		if len(n.UsedBy) > 0 {
			fmt.Fprintf(t.out, " (%s)", strings.Join(n.UsedBy, ", "))
		}
		if p, err := c.Find(n.Item); err == nil {
			fmt.Fprintf(t.out, ": %s", p.For)
		}
		fmt.Fprintln(t.out)
	}
	var err error
	if a.Have, err = c.askFor(t, needs, "Which of these are there, whatever a probe finds? Names with commas, or nothing: "); err != nil {
		return Answers{}, err
	}
	if a.Skip, err = c.askFor(t, needs, "Which of these are to be skipped, as if they were missing? "); err != nil {
		return Answers{}, err
	}
	return a, a.validate(c)
}

// askFor asks for some of the needs.
func (c Catalogue) askFor(t *Terminal, needs []Need, question string) ([]string, error) {
	for n := 1; ; n++ {
		text, err := t.line(question)
		if err != nil {
			return nil, err
		}
		names := ParseList(text)
		unknown := slices.IndexFunc(names, func(name string) bool {
			return !slices.ContainsFunc(needs, func(n Need) bool { return c.same(n.Item, name) })
		})
		if unknown < 0 {
			return names, nil
		}
		err = fmt.Errorf("found %q, want names of what the plan needs, as they are listed", names[unknown])
		if n == askMost {
			return nil, err
		}
		fmt.Fprintln(t.out, err)
	}
}
