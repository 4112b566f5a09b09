package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that is written over; elsewhere it is
// nothing.
type progress struct {
	w     io.Writer // nil: no terminal
	fd    int
	drawn time.Time
	shown bool
}

// drawEvery is the least time between two states of the line.
const drawEvery = 100 * time.Millisecond

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{w: w, fd: int(f.Fd())}
}

// show draws what line returns, unless it was drawn a moment ago.
func (p *progress) show(line func() string) {
	if p.w == nil || time.Since(p.drawn) < drawEvery {
		return
	}
	p.drawn = time.Now()
	text := line()
	if width, _, err := term.GetSize(p.fd); err == nil && width > 1 {
		text = text[:min(len(text), width-1)]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	p.shown = true
}

// clear erases the line, for what is printed next.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown, p.drawn = false, time.Time{}
	}
}
