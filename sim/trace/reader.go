package trace

import (
	"fmt"
	"unsafe"
)

// Reader reads the words that the runtime writes:
//
//	kind | len(stack)<<8 | len(text)<<16 | process<<32
//	time (of a choice: its value), A, B, C, hash
//	stack, a word each
//	text, eight bytes a word, the first byte lowest
type Reader struct {
	words []uint64
	at    int
	err   error
}

// NewReader returns a reader of words, which must not change while its events
// are in use.
func NewReader(words []uint64) *Reader { return &Reader{words: words} }

// Next returns the next event; ok is false at the end, and after an error.
func (r *Reader) Next() (e Event, ok bool) {
	rest := r.words[r.at:]
	if len(rest) == 0 || r.err != nil {
		return Event{}, false
	}
	head := rest[0]
	depth, text := int(head>>8&0xff), int(head>>16&0xffff)
	size := headWords + depth + (text+7)/8
	if size > len(rest) || head&0xff == 0 {
		r.err = fmt.Errorf("event at word %d of %d: got head %#x, want a kind and %d words: the record was cut or is not one", r.at, len(r.words), head, size)
		return Event{}, false
	}
	r.at += size
	e = Event{
		Kind: Kind(head), Process: uint32(head >> 32),
		A: rest[2], B: rest[3], C: rest[4],
		Stack: rest[headWords : headWords+depth : headWords+depth],
		Text:  textOf(rest[headWords+depth:size], text),
	}
	if e.Kind == Choice {
		e.Value = rest[1]
	} else {
		e.At, e.Hash = int64(rest[1])-start, rest[5]
	}
	return e, true
}

// Err returns what was wrong with the words, once Next has returned false.
func (r *Reader) Err() error { return r.err }

// textOf reads the words as text. Both platforms, amd64 and arm64, are little
// endian, so that the bytes lie in order.
func textOf(words []uint64, size int) string {
	if size == 0 {
		return ""
	}
	return unsafe.String((*byte)(unsafe.Pointer(&words[0])), size)
}
