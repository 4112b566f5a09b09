package run

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unsafe"
)

// Output is a run's result and what was kept of the run.
type Output struct {
	Result
	Events    []uint64          // recorded, as sim/trace reads them
	Symbols   map[uint64]string // of the program counters in Events
	Truncated bool              // there was not room for all events
}

// Events64 is how many events the run hashed.
func (o Output) Events64() uint64 { return o.Result.Events }

// headSize is the length of a frame's head: its kind, a flag, two zero bytes, and
// the payload's length.
const headSize = 8

// readOutput reads the frames of a run; complete says that its last was there.
func readOutput(f *os.File) (out Output, complete bool, err error) {
	st, err := f.Stat()
	if err != nil {
		return out, false, err
	}
	var head [headSize]byte
	for at := int64(0); at+headSize <= st.Size(); {
		if _, err := f.ReadAt(head[:], at); err != nil {
			return out, false, err
		}
		kind, flag, size := head[0], head[1], int64(binary.LittleEndian.Uint32(head[4:]))
		at += headSize
		if size > st.Size()-at {
			return out, false, nil
		}
		payload, words := payloadOf(size)
		if _, err := f.ReadAt(payload, at); err != nil && !(errors.Is(err, io.EOF) && size == 0) {
			return out, false, err
		}
		at += size
		if err := out.frame(kind, flag, payload, words); err != nil {
			return out, false, fmt.Errorf("output of the run: frame %q: %w", kind, err)
		}
		if kind == 'R' {
			return out, true, nil
		}
	}
	return out, false, nil
}

// payloadOf is room for a payload, as bytes and as the whole words in them: both
// platforms are little endian, as the frames are, so that words need no copy.
func payloadOf(size int64) ([]byte, []uint64) {
	words := make([]uint64, (size+7)/8)
	if size == 0 {
		return nil, words
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size), words[:size/8]
}

func (o *Output) frame(kind, flag byte, payload []byte, words []uint64) error {
	switch kind {
	case 'C':
		o.Checkpoints = words
	case 'E':
		o.Events, o.Truncated = words, flag != 0
	case 'S':
		return o.symbols(payload)
	case 'L':
		return json.Unmarshal(payload, &o.Log)
	case 'R':
		return json.Unmarshal(payload, &o.Result)
	default:
		return fmt.Errorf("want one of C, E, S, L and R")
	}
	return nil
}

func (o *Output) symbols(payload []byte) error {
	var byText map[string]string
	if err := json.Unmarshal(payload, &byText); err != nil {
		return err
	}
	o.Symbols = make(map[uint64]string, len(byText))
	for pc, name := range byText {
		n, err := strconv.ParseUint(pc, 10, 64)
		if err != nil {
			return err
		}
		o.Symbols[n] = name
	}
	return nil
}
