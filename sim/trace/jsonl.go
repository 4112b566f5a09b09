package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Schema names the form of a line of [WriteJSONL]. It changes with the form.
const Schema = "orrery.trace/1"

// line is an event as a line of JSON, in the order of its fields. Numbers that
// may pass 2^53 are strings.
type line struct {
	Schema  string   `json:"schema"`
	Index   uint64   `json:"index"` // of hashed events, from 0; another has that of the hashed one after it
	At      int64    `json:"at"`    // virtual nanoseconds; a choice has that of the event before it
	Kind    string   `json:"kind"`
	Process uint32   `json:"process"`
	A       uint64   `json:"a,string"`
	B       uint64   `json:"b,string"`
	C       uint64   `json:"c,string"`
	Value   *string  `json:"value,omitempty"` // of a choice
	Text    string   `json:"text,omitempty"`
	Say     string   `json:"say"`
	Hash    string   `json:"hash,omitempty"`
	Stack   []string `json:"stack,omitempty"`
}

// WriteJSONL writes recorded events as lines of JSON, one an event. symbols names
// the program counters of stacks.
func WriteJSONL(w io.Writer, words []uint64, symbols Symbols) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	names, r := NewNames(), NewReader(words)
	var index uint64
	var at int64
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
		l := line{
			Schema: Schema, Index: index, At: at, Kind: e.Kind.String(), Process: e.Process,
			A: e.A, B: e.B, C: e.C, Text: e.Text, Say: names.Say(e), Stack: symbols.Lines(e.Stack),
		}
		if e.Kind == Choice {
			value := fmt.Sprint(e.Value)
			l.Value = &value
		} else {
			at = e.At
			l.At = at
		}
		if e.Kind.Hashed() {
			l.Hash = fmt.Sprintf("%016x", e.Hash)
			index++
		}
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// WriteText writes recorded events as lines of text, one an event.
func WriteText(w io.Writer, words []uint64) error {
	out := bufio.NewWriter(w)
	names, r := NewNames(), NewReader(words)
	for e, ok := r.Next(); ok; e, ok = r.Next() {
		names.Learn(e)
		fmt.Fprintln(out, names.Text(e))
	}
	if err := r.Err(); err != nil {
		return err
	}
	return out.Flush()
}
