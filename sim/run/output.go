package run

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/trace"
)

// Output is a run's result and what was kept of the run.
type Output struct {
	Result
	Events    []uint64      // recorded, as sim/trace reads them
	Symbols   trace.Symbols // of the program counters in Events
	Truncated bool          // there was not room for all events
	State     *State        // at the moment that the request names; nil if the run ended before

	counters []byte   // of coverage, as the Go runtime writes them
	changed  []uint64 // package data: pairs of an address and a number of words
}

// Events64 is how many events the run hashed.
func (o Output) Events64() uint64 { return o.Result.Events }

// headSize is the length of a frame's head: its kind, a flag, two zero bytes, and
// the payload's length.
const headSize = 8

// frames is what one run wrote.
type frames struct {
	Output
	complete bool   // the last frame of a run was there
	ended    []byte // the status of a process that ended without a result
}

// readOutput reads the frames of a run; complete says that its last was there.
func readOutput(f *os.File) (out Output, complete bool, err error) {
	r, _, err := readFrames(f, 0)
	return r.Output, r.complete, err
}

// readFrames reads the frames of one run, from at on, and returns where the next
// run's start.
func readFrames(f *os.File, at int64) (r frames, next int64, err error) {
	st, err := f.Stat()
	if err != nil {
		return r, at, err
	}
	var head [headSize]byte
	for at+headSize <= st.Size() {
		if _, err := f.ReadAt(head[:], at); err != nil {
			return r, at, err
		}
		kind, flag, size := head[0], head[1], int64(binary.LittleEndian.Uint32(head[4:]))
		at += headSize
		if size > st.Size()-at {
			return r, at, nil
		}
		payload, words := payloadOf(size)
		if _, err := f.ReadAt(payload, at); err != nil && !(errors.Is(err, io.EOF) && size == 0) {
			return r, at, err
		}
		at += size
		if err := r.frame(kind, flag, payload, words); err != nil {
			return r, at, fmt.Errorf("output of the run: frame %q: %w", kind, err)
		}
		if r.complete || r.ended != nil {
			return r, at, nil
		}
	}
	return r, at, nil
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

func (r *frames) frame(kind, flag byte, payload []byte, words []uint64) error {
	switch kind {
	case 'C':
		r.Checkpoints = words
	case 'E':
		r.Events, r.Truncated = words, flag != 0
	case 'S':
		return json.Unmarshal(payload, &r.Symbols)
	case 'D':
		r.changed = words
	case 'V':
		r.counters = payload
	case 'T':
		return json.Unmarshal(payload, &r.State)
	case 'L':
		return json.Unmarshal(payload, &r.Log)
	case 'R':
		err := json.Unmarshal(payload, &r.Result)
		r.complete = err == nil
		return err
	case 'X':
		if len(payload) != 4 {
			return fmt.Errorf("found %d bytes, want 4", len(payload))
		}
		r.ended = payload
	default:
		return fmt.Errorf("want one of C, D, E, S, V, T, L, R and X")
	}
	return nil
}
