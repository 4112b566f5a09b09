package shrink

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// storyWidth is how many columns a story takes.
const storyWidth = 100

// whoWidth is that of the column of nodes and clients.
const whoWidth = 8

// printStory prints a story, a line an event, long ones folded; a reason stands
// below what it is of.
func printStory(w io.Writer, lines []Line) {
	const timeWidth = 14
	left := strings.Repeat(" ", timeWidth+1+whoWidth+1)
	for _, l := range lines {
		head := fmt.Sprintf("%*s %-*s ", timeWidth, trace.Seconds(l.At), whoWidth, cmp.Or(l.Who, "-"))
		if len(l.Who) > whoWidth {
			fmt.Fprintf(w, "%*s %s\n", timeWidth, trace.Seconds(l.At), fold(l.Who, storyWidth-timeWidth-1)[0])
			head = left
		}
		for _, part := range fold(l.What, storyWidth-len(left)) {
			fmt.Fprintf(w, "%s%s\n", head, part)
			head = left
		}
		if l.Why != "" {
			for i, part := range fold("without it: "+l.Why, storyWidth-len(left)-2) {
				fmt.Fprintf(w, "%s%s%s\n", left, [2]string{"^ ", "  "}[min(i, 1)], part)
			}
		}
	}
}

// fold cuts a text into lines of at most width bytes, at spaces where it can. It
// returns one line at least.
func fold(text string, width int) (lines []string) {
	text = strings.Join(strings.Fields(text), " ")
	for len(text) > width {
		i := strings.LastIndexByte(text[:width+1], ' ')
		if i <= 0 {
			i = width
		}
		lines = append(lines, text[:i])
		text = strings.TrimPrefix(text[i:], " ")
	}
	return append(lines, text)
}

// PrintBlame prints whose fault a failure is, at most 100 columns wide, and the experiments that tell.
func PrintBlame(w io.Writer, b run.Blame) {
	fmt.Fprintf(w, "\nat fault: %s\n", b.Party)
	for _, part := range fold(b.Why, storyWidth-2) {
		fmt.Fprintf(w, "  %s\n", part)
	}
	for _, e := range b.Experiments {
		verdict := "not " + string(e.Of)
		switch {
		case e.Shows:
			verdict = "it is " + string(e.Of)
		case !e.Made:
			verdict = string(e.Of) + "?"
		}
		for i, part := range fold(fmt.Sprintf("%s: %s: %s", verdict, e.Did, e.Found), storyWidth-4) {
			fmt.Fprintf(w, "  %s%s\n", [2]string{"- ", "  "}[min(i, 1)], part)
		}
	}
}
