// Package generate draws the arguments of operations from the generators of
// pgregory.net/rapid, and has a client's operations be the actions of a rapid state
// machine. What is drawn are choices of the operation, so that it shrinks: choices
// that are all 0 give what rapid takes for the simplest value.
package generate

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/choice"
	"pgregory.net/rapid"
)

const (
	// drawn is how many words of the input of a generator are choices of their own.
	drawn = 15
	// wordsLeast and wordsMost are the lengths of inputs that a value is made of.
	wordsLeast = 64
	wordsMost  = 1 << 13
)

// Draw returns a value of a generator; the name is for whoever reads of an error.
// It takes the same number of the operation's choices whatever the value is, so that
// another value changes nothing that is drawn after it. It panics if the generator
// finds no value, as one may that filters what choices of 0 give.
func Draw[V any](op *sim.Op, name string, g *rapid.Generator[V]) (v V) {
	in := inputOf(op.Stream)
	for n := wordsLeast; n <= wordsMost; n *= 2 {
		var failed any
		found := false
		rapid.MakeFuzz(func(t *rapid.T) {
			// A filter may refuse values until the input ends.
			for i := 0; i < n && !found && (failed == nil || invalid(failed)); i++ {
				failed = caught(func() { v = g.Draw(t, name) })
				found = failed == nil
			}
		})(new(testing.T), in.words(n)) // which hears only of what is drawn
		if found {
			return v
		}
		if !invalid(failed) {
			panic(failed)
		}
	}
	panic(fmt.Sprintf("generate: %s: no value of %v in %d words of input: want a generator that finds one, also for an input of zeros", name, g, wordsMost))
}

// caught returns what f panics with, nil if it does not.
func caught(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

// invalid reports whether rapid takes a panic for that of an input which makes no
// test case: it has come to its end, a filter found nothing, or the test skips it.
func invalid(r any) bool {
	t := new(testing.T)
	done := make(chan struct{})
	go func() { // which rapid ends, if so
		defer close(done)
		rapid.MakeFuzz(func(*rapid.T) { panic(r) })(t, nil)
	}()
	<-done
	return t.Skipped()
}

// input is what a generator reads: words that are choices, and then those that one
// more choice gives. A choice of 0 gives zeros, without an end.
type input struct {
	head [drawn]uint64
	tail uint64
}

func inputOf(s *choice.Stream) (in input) {
	for i := range in.head {
		in.head[i] = s.Draw(0)
	}
	in.tail = s.Draw(0)
	return in
}

// words returns the first n words as rapid's fuzz tests take them.
func (in input) words(n int) []byte {
	out := make([]byte, 0, 8*n)
	for i := range n {
		word := uint64(0)
		switch {
		case i < drawn:
			word = in.head[i]
		case in.tail != 0:
			word = choice.At(in.tail, 0, uint64(i))
		}
		out = binary.LittleEndian.AppendUint64(out, word)
	}
	return out
}
