package driver

import "fmt"

// FileError says what is wrong with a file that a driver left, or with one that it
// found.
type FileError struct {
	File         string // its path
	Line, Column int    // from 1; 0 if the whole file is meant
	Found        string
	Want         string
	Remedy       string
}

func (e *FileError) Error() string {
	place := e.File
	if e.Line > 0 {
		if place != "" {
			place += ":"
		} else {
			place = "line "
		}
		place += fmt.Sprintf("%d:%d", e.Line, e.Column)
	}
	return fmt.Sprintf("%s: found %s, want %s: %s", place, e.Found, e.Want, e.Remedy)
}

// faulty is a FileError whose place is not known yet.
type faulty struct{ found, want, remedy string }

func (f *faulty) Error() string { return f.found }
