package trace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encode writes an event as the runtime does.
func encode(e Event) []uint64 {
	words := []uint64{
		uint64(e.Kind) | uint64(len(e.Stack))<<8 | uint64(len(e.Text))<<16 | uint64(e.Process)<<32,
		uint64(e.At + start), e.A, e.B, e.C, e.Hash,
	}
	if e.Kind == Choice {
		words[1], words[5] = e.Value, 0
	}
	words = append(words, e.Stack...)
	for i := 0; i < len(e.Text); i += 8 {
		var w uint64
		for j := 0; j < 8 && i+j < len(e.Text); j++ {
			w |= uint64(e.Text[i+j]) << (8 * j)
		}
		words = append(words, w)
	}
	return words
}

var events = []Event{
	{Kind: Started, Process: 1, Text: "n1", Hash: 1},
	{Kind: Go, Process: 1, At: 5, A: 77, B: 66, C: 3, Hash: 2, Stack: []uint64{10, 20}},
	{Kind: Choice, A: 9, B: 1, C: 4, Value: 3},
	{Kind: Log, Process: 1, At: 1_500_000_000, Text: "hello, world", Hash: 4},
	{Kind: Sent, At: 2_000_000_000, A: 1<<32 | 2, B: 7, C: 8, Hash: 5},
}

func words(list []Event) (out []uint64) {
	for _, e := range list {
		out = append(out, encode(e)...)
	}
	return out
}

func TestReaderReadsWhatTheRuntimeWrites(t *testing.T) {
	r := NewReader(words(events))
	for i, want := range events {
		got, ok := r.Next()
		if !ok || got.Kind != want.Kind || got.Process != want.Process || got.At != want.At || got.A != want.A || got.B != want.B ||
			got.C != want.C || got.Value != want.Value || got.Hash != want.Hash || got.Text != want.Text || !slices.Equal(got.Stack, want.Stack) {
			t.Errorf("event %d: got %+v, want %+v", i, got, want)
		}
	}
	if _, ok := r.Next(); ok || r.Err() != nil {
		t.Errorf("after the last event: %v, %v", ok, r.Err())
	}
}

// A record that was cut, or is none, is an error and never a panic.
func TestReaderOfGarbage(t *testing.T) {
	all := words(events)
	for n := range len(all) {
		r := NewReader(all[:n])
		for _, ok := r.Next(); ok; _, ok = r.Next() {
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		r := NewReader(rapid.SliceOfN(rapid.Uint64(), 0, 50).Draw(t, "words"))
		for _, ok := r.Next(); ok; _, ok = r.Next() {
		}
	})
	r := NewReader(all[:len(all)-1])
	for _, ok := r.Next(); ok; _, ok = r.Next() {
	}
	if r.Err() == nil {
		t.Error("a record without its last word was read without an error")
	}
}

func TestJSONLines(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSONL(&b, words(events), Symbols{10: {{"main.f", "main.go", 3}}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != len(events) {
		t.Fatalf("%d lines of %d events", len(lines), len(events))
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, `{"schema":"orrery.trace/1",`) || !json.Valid([]byte(l)) {
			t.Errorf("line %s", l)
		}
	}
	for i, want := range map[int]string{1: "main.f main.go:3", 2: `"value":"3"`, 3: "hello, world", 4: `"kind":"sent"`} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %s, want %s in it", i, lines[i], want)
		}
	}
}
