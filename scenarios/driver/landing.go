package driver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Landed says whether a fault is known to have reached what it was meant for.
type Landed string

// What is known of a fault. In a file the first two are JSON's true and false.
const (
	LandedYes       Landed = "true"
	LandedNo        Landed = "false"
	LandedAmbiguous Landed = "ambiguous"
)

// Landing is what a driver says of one fault.
type Landing struct {
	Fault    string `json:"fault"` // in words, as "at 1.2s kill n1"
	Kind     string `json:"kind"`  // "kill", "partition" ...
	At       int64  `json:"at"`    // nanoseconds, on the history's clock
	Landed   Landed `json:"landed"`
	Injector string `json:"injector"` // what the injector saw; "" if nothing
	Victim   string `json:"victim"`   // what was seen at the victim; "" if nothing
}

// MarshalJSON writes true, false or "ambiguous".
func (l Landed) MarshalJSON() ([]byte, error) {
	switch l {
	case LandedYes, LandedNo:
		return []byte(l), nil
	case LandedAmbiguous:
		return []byte(`"ambiguous"`), nil
	}
	return nil, fmt.Errorf("landed is %q, want %q, %q or %q", string(l), LandedYes, LandedNo, LandedAmbiguous)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *Landed) UnmarshalJSON(text []byte) error {
	for _, v := range []Landed{LandedYes, LandedNo, LandedAmbiguous} {
		if b, _ := v.MarshalJSON(); bytes.Equal(b, text) {
			*l = v
			return nil
		}
	}
	return &faulty{"landed " + string(text), `true, false or "ambiguous"`, "say what is known of the fault"}
}

// validate checks one landing by itself.
func (l *Landing) validate() *faulty {
	switch {
	case l.Fault == "":
		return &faulty{"no fault", `what was done, as "at 1.2s kill n1"`, "write the fault in words"}
	case l.Kind == "":
		return &faulty{"no kind", `the kind of fault, as "kill"`, "name it"}
	case l.At < 0:
		return &faulty{fmt.Sprintf("at %d", l.At), "nanoseconds from 0", "count from the clock of the history"}
	case l.Landed == "":
		return &faulty{"no landed", `true, false or "ambiguous"`, "say what is known of the fault"}
	case l.Landed == LandedYes && (l.Injector == "" || l.Victim == ""):
		return &faulty{"landed true without evidence of both injector and victim", "both", `write what was seen at each, or "ambiguous"`}
	}
	return nil
}

// WriteLandings writes a file of landings, an object a line.
func WriteLandings(w io.Writer, landings []Landing) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for i := range landings {
		if wrong := landings[i].validate(); wrong != nil {
			return &FileError{Line: i + 1, Column: 1, Found: wrong.found, Want: wrong.want, Remedy: wrong.remedy}
		}
		if err := enc.Encode(&landings[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// ReadLandings reads a file of landings, strictly: a field that the format does not
// have is an error, for evidence under a wrong name would be lost. Blank lines are
// skipped. An error about the text is a *FileError without a File.
func ReadLandings(r io.Reader) ([]Landing, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	out := []Landing{}
	for line := 1; len(src) > 0; line++ {
		text, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		l, wrong := readLanding(text)
		if wrong != nil {
			wrong.Line = line
			return nil, wrong
		}
		out = append(out, l)
	}
	return out, nil
}

func readLanding(text []byte) (Landing, *FileError) {
	var l Landing
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, landingError(err, text, dec.InputOffset())
	}
	next := int(dec.InputOffset()) + 1
	if _, err := dec.Token(); err != io.EOF {
		return l, &FileError{Column: next, Found: "more than one value", Want: "one object a line", Remedy: "end each with a newline"}
	}
	if wrong := l.validate(); wrong != nil {
		return l, &FileError{Column: 1, Found: wrong.found, Want: wrong.want, Remedy: wrong.remedy}
	}
	return l, nil
}

// landingError finds the place of what encoding/json says is wrong with a line.
func landingError(err error, text []byte, offset int64) *FileError {
	e := &FileError{Column: int(offset), Found: err.Error(), Want: "the fields fault, kind, at, landed, injector and victim", Remedy: "write no others"}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var wrong *faulty
	switch {
	case errors.As(err, &wrong):
		e.Column, e.Found, e.Want, e.Remedy = 1, wrong.found, wrong.want, wrong.remedy
	case errors.As(err, &syntax):
		e.Column = int(syntax.Offset)
		e.Found, e.Want, e.Remedy = "a line that is no JSON: "+syntax.Error(), "one object", "write each line at once, with a library for JSON"
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Column = len(text)
		e.Found, e.Want, e.Remedy = "the line's end within an object", "one object", "write each line at once"
	case errors.As(err, &kind):
		e.Column = int(kind.Offset)
		e.Found, e.Want, e.Remedy = kind.Value, kind.Type.String(), "write the value as the format has it"
		if kind.Field != "" {
			e.Want += " as " + kind.Field
		}
	}
	e.Column = max(1, min(e.Column, len(text)))
	return e
}
