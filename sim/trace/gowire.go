package trace

import (
	"encoding/binary"
	"io"
)

// The execution trace's format is that of Go 1.23, which every later release
// reads. Source: package internal/trace/tracev2 of Go's standard library.
const goTraceHeader = "go 1.23 trace\x00\x00\x00"

// goEvent is a kind of event of an execution trace.
type goEvent byte

const (
	goEventBatch      goEvent = 1
	goStacks          goEvent = 2
	goStack           goEvent = 3
	goStrings         goEvent = 4
	goString          goEvent = 5
	goFrequency       goEvent = 8
	goProcStart       goEvent = 10 // proc, its sequence number
	goProcStop        goEvent = 11
	goProcStatus      goEvent = 13 // proc, status
	goCreate          goEvent = 14 // goroutine, stack of its first function, stack
	goStart           goEvent = 16 // goroutine, its sequence number
	goDestroy         goEvent = 17
	goStop            goEvent = 19 // reason, stack
	goBlock           goEvent = 20 // reason, stack
	goUnblock         goEvent = 21 // goroutine, its sequence number, stack
	goStatus          goEvent = 25 // goroutine, thread, status
	goLabel           goEvent = 39 // label
	goUserTaskBegin   goEvent = 40 // task, its parent, type, stack
	goUserTaskEnd     goEvent = 41 // task, stack
	goUserRegionBegin goEvent = 42 // task, type, stack
	goUserRegionEnd   goEvent = 43 // task, type, stack
	goUserLog         goEvent = 44 // task, category, message, stack
)

const (
	goProcIdle      = 2
	goStateRunnable = 1

	goNoThread   = 1<<64 - 1
	goThread     = 1
	goGeneration = 1

	goBatchMax  = 64 << 10
	goStringMax = 1 << 10
	goFramesMax = 128
)

// goWriter writes an execution trace of one thread.
type goWriter struct {
	out     io.Writer
	err     error
	batch   []byte
	first   uint64 // time of the batch
	last    uint64 // time of its last event
	strings map[string]uint64
	names   []string // by number, from 1
	frames  map[Frame]uint64
	stacks  map[string]uint64
	bodies  [][]byte // of stacks, by number, from 1
}

func newGoWriter(out io.Writer) *goWriter {
	w := &goWriter{out: out, strings: map[string]uint64{}, frames: map[Frame]uint64{}, stacks: map[string]uint64{}}
	w.write([]byte(goTraceHeader))
	return w
}

func (w *goWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

// event writes an event; times do not go back.
func (w *goWriter) event(at uint64, kind goEvent, args ...uint64) {
	const most = 1 + 6*binary.MaxVarintLen64
	if len(w.batch)+most > goBatchMax {
		w.flush()
	}
	if len(w.batch) == 0 {
		w.first, w.last = at, at
	}
	w.batch = append(w.batch, byte(kind))
	w.batch = binary.AppendUvarint(w.batch, at-w.last)
	w.last = at
	for _, a := range args {
		w.batch = binary.AppendUvarint(w.batch, a)
	}
}

func (w *goWriter) flush() {
	if len(w.batch) > 0 {
		w.section(goThread, w.first, w.batch)
		w.batch = w.batch[:0]
	}
}

func (w *goWriter) section(thread, at uint64, body []byte) {
	head := []byte{byte(goEventBatch)}
	for _, v := range []uint64{goGeneration, thread, at, uint64(len(body))} {
		head = binary.AppendUvarint(head, v)
	}
	w.write(head)
	w.write(body)
}

// string returns the number of a text.
func (w *goWriter) string(s string) uint64 {
	s = s[:min(len(s), goStringMax)]
	id, ok := w.strings[s]
	if !ok {
		w.names = append(w.names, s)
		id = uint64(len(w.names))
		w.strings[s] = id
	}
	return id
}

// stack returns the number of a stack, 0 for an empty one.
func (w *goWriter) stack(frames []Frame) uint64 {
	if len(frames) == 0 {
		return 0
	}
	frames = frames[:min(len(frames), goFramesMax)]
	body := binary.AppendUvarint(nil, uint64(len(frames)))
	for _, f := range frames {
		// Readers name a place by its program counter, of which inlined calls share one.
		pc, ok := w.frames[f]
		if !ok {
			pc = uint64(len(w.frames)) + 1
			w.frames[f] = pc
		}
		for _, v := range []uint64{pc, w.string(f.Func), w.string(f.File), uint64(f.Line)} {
			body = binary.AppendUvarint(body, v)
		}
	}
	id, ok := w.stacks[string(body)]
	if !ok {
		w.bodies = append(w.bodies, body)
		id = uint64(len(w.bodies))
		w.stacks[string(body)] = id
	}
	return id
}

// close writes what events refer to by number.
func (w *goWriter) close() error {
	w.flush()
	w.table(goStrings, len(w.names), func(b []byte, i int) []byte {
		b = binary.AppendUvarint(append(b, byte(goString)), uint64(i+1))
		b = binary.AppendUvarint(b, uint64(len(w.names[i])))
		return append(b, w.names[i]...)
	})
	w.table(goStacks, len(w.bodies), func(b []byte, i int) []byte {
		b = binary.AppendUvarint(append(b, byte(goStack)), uint64(i+1))
		return append(b, w.bodies[i]...)
	})
	w.section(goNoThread, 0, binary.AppendUvarint([]byte{byte(goFrequency)}, 1e9))
	return w.err
}

// table writes n entries in as many sections as they take.
func (w *goWriter) table(kind goEvent, n int, entry func(b []byte, i int) []byte) {
	body := []byte{byte(kind)}
	for i := range n {
		one := entry(nil, i)
		if len(body)+len(one) > goBatchMax {
			w.section(goNoThread, 0, body)
			body = []byte{byte(kind)}
		}
		body = append(body, one...)
	}
	w.section(goNoThread, 0, body)
}
