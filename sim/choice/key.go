package choice

import (
	"math/bits"
	"strconv"
	"strings"
)

// Key is a stream's name as the 64 bits that choices are drawn from.
//
// The patched runtime draws the schedule and the systems' own randomness from
// the same function; sim/internal/rt has a test that both agree.
type Key uint64

// Family is a stream that each goroutine draws from: its key is that of the
// goroutine's path with the family's mixed in, its name "NAME/PATH".
type Family struct {
	Name string
	Key  Key
}

// Families are all of them. The patched runtime has the same.
var Families = []Family{
	{"sched", 0x53434845445f4b31},  // places in the queue of goroutines that can run
	{"select", 0x53454c4543545f31}, // the order in which a select looks at its cases
	{"rand", 0x52414e445f4b3131},   // what the program asks for
	{"map", 0x4d41505f4b313131},    // seeds and iteration of maps
	{"timer", 0x54494d45525f4b31},  // the order of timers of one moment
}

// golden is 2^64 divided by the golden ratio, the step of SplitMix64
// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
const golden = 0x9e3779b97f4a7c15

// mix is the finalizer of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// At returns the index-th choice of a stream as 64 uniform bits.
func At(seed uint64, k Key, index uint64) uint64 {
	return mix(mix(seed+golden^uint64(k)) + (index+1)*golden)
}

// Child returns the key of a path's nth child.
func (k Key) Child(n uint64) Key {
	return Key(mix(bits.RotateLeft64(uint64(k), 23) + (n+1)*golden))
}

// NameKey returns the key of a plain name (FNV-1a).
func NameKey(name string) Key {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return Key(h)
}

// NameKeys returns the keys of plain names.
func NameKeys(names []string) []Key {
	keys := make([]Key, len(names))
	for i, name := range names {
		keys[i] = NameKey(name)
	}
	return keys
}

// KeyOf returns the key of a stream by its name. That of a goroutine's is a family's
// name, a slash and a path as [PathKey] reads it; every other name is a plain one.
func KeyOf(name string) Key {
	family, path, _ := strings.Cut(name, "/")
	for _, f := range Families {
		if f.Name != family {
			continue
		}
		if k, ok := PathKey(path); ok {
			return k ^ f.Key
		}
	}
	return NameKey(name)
}

// PathKey returns the key of a goroutine's path: a node's name, a slash, and
// numbers separated by dots, as in "n1/0.2.7": the third goroutine that the
// first process of n1 started, its eighth. A timer's goroutine has a t before
// its number. It reports false for a text of another form.
func PathKey(path string) (Key, bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return 0, false
	}
	k := NameKey(path[:i])
	for part := range strings.SplitSeq(path[i+1:], ".") {
		digits, timer := strings.CutPrefix(part, "t")
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil {
			return 0, false
		}
		if timer {
			n |= TimerChild
		}
		k = k.Child(n)
	}
	return k, true
}

// TimerChild marks the number of a child that a timer started.
const TimerChild = 1 << 63
