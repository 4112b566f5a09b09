package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeJSON writes a file that people can read, under another name first: what was
// there before stays until the new one is whole.
func writeJSON(name string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	return WriteFile(name, b.Bytes())
}

// WriteFile writes a file under another name first, and makes its folder.
func WriteFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".orrery-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

// form is a kind of file: how its schema is named, what it is, and what to do about
// one that is not like it.
type form struct{ schema, what, remedy string }

// parse reads a file's text, strictly. An error begins with a line and a column.
func (f form) parse(text []byte, v any) error {
	found, err := schemaOf(text)
	if err != nil {
		return fmt.Errorf("%s: %w: want %s", place(text, err, int64(len(text))), err, f.what)
	}
	if found != f.schema {
		return fmt.Errorf("1:1: schema is %q, want %q: it is of another version, or not %s: %s", found, f.schema, f.what, f.remedy)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%s: %w: want the fields of %s", place(text, err, dec.InputOffset()), err, f.schema)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("%s: more than one object: want one", place(text, nil, dec.InputOffset()))
	}
	return nil
}

func schemaOf(text []byte) (string, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&head)
	return head.Schema, err
}

// place is where an error of package json lies in a text, as "line:column".
func place(text []byte, err error, offset int64) string {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
	}
	before := text[:max(0, min(offset, int64(len(text))))]
	return fmt.Sprintf("%d:%d", 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'))
}
