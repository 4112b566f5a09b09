package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Known is a failure that is known: alone it fails no sweep.
type Known struct {
	Signature string `json:"signature"`
	Issue     string `json:"issue"`              // where it is being dealt with
	Note      string `json:"note"`               // what is to be known of it
	Scenario  string `json:"scenario,omitempty"` // the only one that it is known of; "" is all
}

// String is what is to be told of it beside the failure.
func (k Known) String() string { return "known: " + k.Issue + ": " + k.Note }

// KnownOf returns those of the list that are known of a scenario.
func KnownOf(list []Known, scenario string) (out []Known) {
	for _, k := range list {
		if k.Scenario == "" || k.Scenario == scenario {
			out = append(out, k)
		}
	}
	return out
}

// FindKnown returns the one of a scenario's list that is of a signature, nil if it is
// not known.
func FindKnown(list []Known, signature string) *Known {
	for i := range list {
		if list[i].Signature == signature {
			return &list[i]
		}
	}
	return nil
}

// KnownBeside reads the known failures that are kept beside a package's tests; if the
// file is not there, none are.
func KnownBeside(dir string) ([]Known, error) {
	list, err := ReadKnown(filepath.Join(dir, CorpusDir, KnownFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// ReadKnown reads a file of known failures. An error says its place, what is there
// and what was expected.
func ReadKnown(name string) ([]Known, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	list, err := ParseKnown(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return list, nil
}

// ParseKnown reads the text of a file of known failures: a list of objects, each with
// the fields signature, issue and note, and scenario if it is of one alone. An error
// begins with a line and a column.
func ParseKnown(text []byte) ([]Known, error) {
	r := &knownReader{text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	if err := r.delim('[', "a list of known failures"); err != nil {
		return nil, err
	}
	var list []Known
	var places []string
	for r.dec.More() {
		at := r.next()
		k, err := r.entry()
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(list, k.covers); i >= 0 {
			return nil, fmt.Errorf("%s: the failure %q is known at %s already: want each once", at, k.Signature, places[i])
		}
		list, places = append(list, k), append(places, at)
	}
	if err := r.delim(']', "the list's end"); err != nil {
		return nil, err
	}
	at := r.next()
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s: found more after the list: want one list", at)
	}
	return list, nil
}

// covers reports whether a failure could be either.
func (k Known) covers(other Known) bool {
	return k.Signature == other.Signature && (k.Scenario == "" || other.Scenario == "" || k.Scenario == other.Scenario)
}

// knownReader reads a file token by token, so that every error has its place.
type knownReader struct {
	text []byte
	dec  *json.Decoder
}

// next is the place of the next token.
func (r *knownReader) next() string {
	offset := r.dec.InputOffset()
	for int(offset) < len(r.text) && bytes.IndexByte([]byte(" \t\r\n,:"), r.text[offset]) >= 0 {
		offset++
	}
	return place(r.text, nil, offset)
}

func (r *knownReader) delim(want json.Delim, what string) error {
	at := r.next()
	token, err := r.dec.Token()
	if err != nil {
		return fmt.Errorf("%s: %w: want %s, %s", at, err, what, want)
	}
	if token != want {
		return fmt.Errorf("%s: found %v, want %s, %s", at, token, what, want)
	}
	return nil
}

// string is a token that must be a string with something in it.
func (r *knownReader) string(what string) (string, error) {
	at := r.next()
	token, err := r.dec.Token()
	if err != nil {
		return "", fmt.Errorf("%s: %w: want %s", at, err, what)
	}
	s, ok := token.(string)
	switch {
	case !ok:
		return "", fmt.Errorf("%s: found %v, want %s, a string", at, token, what)
	case s == "":
		return "", fmt.Errorf("%s: %s is empty: want a text", at, what)
	}
	return s, nil
}

func (r *knownReader) entry() (k Known, err error) {
	start := r.next()
	if err := r.delim('{', "a known failure"); err != nil {
		return k, err
	}
	fields := map[string]*string{"signature": &k.Signature, "issue": &k.Issue, "note": &k.Note, "scenario": &k.Scenario}
	for r.dec.More() {
		at := r.next()
		name, err := r.string("a field's name")
		if err != nil {
			return k, err
		}
		field := fields[name]
		switch {
		case field == nil:
			return k, fmt.Errorf("%s: found field %q, want signature, issue, note or scenario", at, name)
		case *field != "":
			return k, fmt.Errorf("%s: field %q is there twice: want it once", at, name)
		}
		if *field, err = r.string(name); err != nil {
			return k, err
		}
	}
	for _, name := range []string{"signature", "issue", "note"} {
		if *fields[name] == "" {
			return k, fmt.Errorf("%s: a known failure without %s: want signature, issue and note", start, name)
		}
	}
	return k, r.delim('}', "the end of a known failure")
}
