package run

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/choice"
)

// A request on the wire is the byte 'r', the lengths of two parts (4 bytes each,
// little endian, the second in words), and the parts. The first is JSON: what the
// run is. The second, words, is what is looked at or replaced in it: a worker
// keeps it off its heap, so that a run which is recorded, parted, or has choices
// replaced lies in memory as it does without.

// message is a request on the wire.
func (r Request) message(branches []Branch) ([]byte, error) {
	words := r.words(branches)
	r.Record, r.Overrides, r.Neutral, r.Until = RecordNone, nil, nil, nil
	core, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint32([]byte{'r'}, uint32(len(core)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(words)))
	b = append(b, core...)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b, nil
}

var records = []Record{RecordNone, RecordEvents, RecordStacks}

// words is the second part: the record, the moment to stop at, the overrides, the
// keys of neutral streams, and for each branch its moment and its futures' seeds and overrides. A list has its
// length before it.
func (r Request) words(branches []Branch) []uint64 {
	out := []uint64{uint64(max(0, slices.Index(records, r.Record)))}
	var until Moment
	if r.Until != nil {
		until = *r.Until
	}
	out = append(out, uint64(until.Time), until.Events)
	out = appendKeyed(out, r.Overrides)
	out = append(out, uint64(len(r.Neutral)))
	for _, key := range choice.NameKeys(r.Neutral) {
		out = append(out, uint64(key))
	}
	out = append(out, uint64(len(branches)))
	for _, b := range branches {
		out = append(out, uint64(b.At.Time), b.At.Events, uint64(len(b.Futures)))
		for _, f := range b.Futures {
			seed, fresh := r.Seed, uint64(0)
			if f.Seed != nil {
				seed, fresh = *f.Seed, 1
			}
			out = append(out, seed, fresh)
			out = appendKeyed(out, slices.Concat(r.Overrides, f.Overrides))
		}
	}
	return out
}

func appendKeyed(words []uint64, overrides []choice.Override) []uint64 {
	list := choice.ByKey(overrides)
	words = append(words, uint64(len(list)))
	for _, o := range list {
		words = append(words, uint64(o.Key), o.Index, o.Value)
	}
	return words
}

// ReadRequest reads a request but for its first byte. room is where the words of
// the second part are kept.
func ReadRequest(read func([]byte) error, room func(words int) []uint64) (req Request, extra Extra, err error) {
	var sizes [8]byte
	if err := read(sizes[:]); err != nil {
		return req, extra, err
	}
	core := make([]byte, binary.LittleEndian.Uint32(sizes[:]))
	if err := read(core); err != nil {
		return req, extra, err
	}
	words := room(int(binary.LittleEndian.Uint32(sizes[4:])))
	if len(words) == 0 {
		return req, extra, fmt.Errorf("request: it has no words, want its record at least")
	}
	if err := read(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))); err != nil {
		return req, extra, err
	}
	if err := json.Unmarshal(core, &req); err != nil {
		return req, extra, err
	}
	extra, err = readExtra(words)
	return req, extra, err
}

// Extra is the second part of a request, as a worker reads it: word by word, in
// order, and without copying.
type Extra struct {
	Record    Record
	Until     Moment
	Overrides []choice.Keyed
	Neutral   []choice.Key
	Branches  int // that follow: a moment, the number of futures, and these
	rest      []uint64
}

// readExtra reads what [Extra] has before the first branch.
func readExtra(words []uint64) (e Extra, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("request: its %d words end early", len(words))
		}
	}()
	e.rest = words
	e.Record = records[e.word()]
	e.Until = e.moment()
	e.Overrides = e.keyed()
	e.Neutral = e.keys()
	e.Branches = int(e.word())
	return e, nil
}

func (e *Extra) word() uint64 {
	w := e.rest[0]
	e.rest = e.rest[1:]
	return w
}

func (e *Extra) moment() (m Moment) {
	m.Time = int64(e.word())
	m.Events = e.word()
	return m
}

func (e *Extra) keyed() []choice.Keyed {
	n := e.word()
	if n == 0 {
		return nil
	}
	list := unsafe.Slice((*choice.Keyed)(unsafe.Pointer(&e.rest[0])), n)
	e.rest = e.rest[3*n:]
	return list
}

func (e *Extra) keys() []choice.Key {
	n := e.word()
	if n == 0 {
		return nil
	}
	list := unsafe.Slice((*choice.Key)(unsafe.Pointer(&e.rest[0])), n)
	e.rest = e.rest[n:]
	return list
}

// NextBranch returns the moment of the next branch and how many futures it has.
func (e *Extra) NextBranch() (at Moment, futures int) {
	e.Branches--
	at = e.moment()
	return at, int(e.word())
}

// NextFuture returns the seed and the overrides of the branch's next future; fresh
// says that the seed is another, so that nothing stays neutral.
func (e *Extra) NextFuture() (seed uint64, fresh bool, overrides []choice.Keyed) {
	seed = e.word()
	fresh = e.word() != 0
	return seed, fresh, e.keyed()
}
