package trace

import (
	"bytes"
	"errors"
	"io"
	"testing"

	xtrace "golang.org/x/exp/trace"
	"pgregory.net/rapid"
)

// Whatever a run records, in whatever order, its execution trace can be read: a
// record may start late, and programs annotate as they please.
func TestExecutionTraceIsReadable(t *testing.T) {
	kinds := []Kind{
		Run, Go, Block, Wake, End, Switch, Task, TaskEnd, Region, RegionEnd, UserLog, UserLog, Started, Ended, Log, Injected, Sent, Choice,
	}
	rapid.Check(t, func(t *rapid.T) {
		var list []Event
		at := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			at += rapid.Int64Range(0, 2).Draw(t, "later")
			e := Event{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Process: uint32(rapid.IntRange(0, 2).Draw(t, "process")), At: at,
				A: uint64(rapid.IntRange(1, 4).Draw(t, "a")), B: uint64(rapid.IntRange(0, 3).Draw(t, "b")), C: uint64(rapid.IntRange(0, 1).Draw(t, "c")),
				Text: rapid.SampledFrom([]string{"", "x", "y", "chan receive"}).Draw(t, "text"),
			}
			if rapid.Bool().Draw(t, "stack") {
				e.Stack = []uint64{10, 20, 30}
			}
			list = append(list, e)
		}
		var b bytes.Buffer
		if err := WriteGo(&b, words(list), Symbols{10: {{"main.f", "main.go", 3}, {"main.g", "main.go", 9}}}); err != nil {
			t.Fatal(err)
		}
		readAll(t, b.Bytes())
	})
}

func readAll(t *rapid.T, b []byte) (kinds map[xtrace.EventKind]int) {
	r, err := xtrace.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	kinds = map[xtrace.EventKind]int{}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			return kinds
		}
		if err != nil {
			t.Fatalf("%v, after %v", err, kinds)
		}
		kinds[e.Kind()]++
	}
}
