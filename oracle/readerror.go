package oracle

import (
	"fmt"
	"strings"
)

// ReadError says what is wrong with a file of a history, and where.
type ReadError struct {
	Line, Column int // from 1; the column counts bytes
	Found        string
	Want         string
	Remedy       string
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("history: line %d, column %d: found %s, want %s: %s", e.Line, e.Column, e.Found, e.Want, e.Remedy)
}

// errorAt makes the error of an offset in a text.
func errorAt(src string, at int, found, want, remedy string) *ReadError {
	at = min(at, len(src))
	before := src[:at]
	return &ReadError{
		Line:   1 + strings.Count(before, "\n"),
		Column: at - strings.LastIndexByte(before, '\n'),
		Found:  found, Want: want, Remedy: remedy,
	}
}
