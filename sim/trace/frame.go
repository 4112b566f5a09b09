package trace

import "fmt"

// Frame is a place in a program.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// String returns the frame as "main.f main.go:3".
func (f Frame) String() string { return fmt.Sprintf("%s %s:%d", f.Func, f.File, f.Line) }

// Symbols names program counters. Functions that were inlined at one make it
// several frames, innermost first.
type Symbols map[uint64][]Frame

// Frames returns a stack with its names, innermost first.
func (s Symbols) Frames(stack []uint64) []Frame {
	var out []Frame
	for _, pc := range stack {
		if frames := s[pc]; len(frames) > 0 {
			out = append(out, frames...)
		} else {
			out = append(out, Frame{Func: fmt.Sprintf("pc %#x", pc), File: "?"})
		}
	}
	return out
}

// Lines returns a stack as lines of text, innermost first.
func (s Symbols) Lines(stack []uint64) []string {
	var out []string
	for _, f := range s.Frames(stack) {
		out = append(out, f.String())
	}
	return out
}
