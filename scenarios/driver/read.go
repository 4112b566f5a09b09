package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/orrery-sim/orrery/oracle"
)

// ReadHistory reads the history in a session's folder. It has to have a call: a
// history without one would pass every oracle.
func ReadHistory(session string) (*oracle.History, error) {
	name := filepath.Join(session, HistoryFile)
	text, err := readWhole(name)
	if err != nil {
		return nil, err
	}
	h, err := oracle.ReadJSONL(bytes.NewReader(text))
	var wrong *oracle.ReadError
	switch {
	case errors.As(err, &wrong):
		return nil, &FileError{name, wrong.Line, wrong.Column, wrong.Found, wrong.Want, wrong.Remedy}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case h.Counts().Invoked == 0:
		return nil, &FileError{File: name, Found: "no call", Want: "one at least", Remedy: "record the workload, or exit 3 if there was none"}
	}
	return h, nil
}

// ReadLandingFile reads the landings in a session's folder. There may be none.
func ReadLandingFile(session string) ([]Landing, error) {
	name := filepath.Join(session, LandingFile)
	text, err := readWhole(name)
	if err != nil {
		return nil, err
	}
	landings, err := ReadLandings(bytes.NewReader(text))
	var wrong *FileError
	if errors.As(err, &wrong) {
		wrong.File = name
	}
	return landings, err
}

// readWhole reads a file of lines that was written to its end.
func readWhole(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &FileError{File: name, Found: "no file", Want: "one that the driver writes", Remedy: "write it, even if it is empty, or exit 3"}
	case err != nil:
		return nil, err
	case len(text) > 0 && text[len(text)-1] != '\n':
		return nil, &FileError{
			File: name, Line: 1 + bytes.Count(text, []byte("\n")), Column: len(text) - bytes.LastIndexByte(text, '\n'),
			Found: "the file's end within a line", Want: "a newline after the last one", Remedy: "write whole lines, and the files to their ends before the driver exits",
		}
	}
	return text, nil
}
