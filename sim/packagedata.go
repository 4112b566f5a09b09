package sim

import (
	"iter"
	"slices"
	"syscall"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/internal/rt"
)

// dataCopy is a copy of the worker's package-level data, taken before the first
// world, in memory that is not of the heap.
type dataCopy struct {
	segments [][]uint64 // the data
	copies   [][]uint64 // what it was
	used     [][]byte   // of segments that are zero at first: room for what mincore(2) says of their pages
}

// copyData copies the data.
func copyData() (s dataCopy) {
	ends, zeroed := rt.Data(), [...]bool{false, true, false, true}
	for i := 0; i < len(ends); i += 2 {
		from, to := (ends[i]+7)&^7, ends[i+1]&^7
		if from >= to {
			continue
		}
		kept, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, to-from, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON, ^uintptr(0), 0)
		if errno != 0 {
			fatalf("the copy of package data: %v", errno)
		}
		s.segments = append(s.segments, wordsAt(from, to-from))
		s.copies = append(s.copies, wordsAt(kept, to-from))
		var used []byte
		if zeroed[i/2] {
			used = make([]byte, (to-from)/dataPage+2)
		}
		s.used = append(s.used, used)
	}
	for i, words := range s.segments {
		for from, to := range s.stretches(i) {
			copy(s.copies[i][from:to], words[from:to])
		}
	}
	return s
}

const dataPage = 4096

// stretches ranges over the parts of a segment, in words, that may differ from what
// they were: the whole of one that a file has the content of, and of one that is zero
// at first the pages that have memory. A big array that nobody uses costs a run
// nothing (crypto's has 32 MB).
func (s dataCopy) stretches(segment int) iter.Seq2[int, int] {
	words, used := s.segments[segment], s.used[segment]
	start := uintptr(unsafe.Pointer(&words[0]))
	first := start &^ (dataPage - 1)
	end := start + uintptr(len(words))*8
	return func(yield func(int, int) bool) {
		if used == nil {
			yield(0, len(words))
			return
		}
		_, _, errno := syscall.RawSyscall(syscall.SYS_MINCORE, first, end-first, uintptr(unsafe.Pointer(&used[0])))
		if errno != 0 {
			fatalf("which pages of package data are used: %v", errno)
		}
		for page := first; page < end; page += dataPage {
			if used[(page-first)/dataPage]&1 == 0 {
				continue
			}
			from, to := max(page, start), min(page+dataPage, end)
			if !yield(int(from-start)/8, int(to-start)/8) {
				return
			}
		}
	}
}

func wordsAt(addr, bytes uintptr) []uint64 {
	return unsafe.Slice(*(**uint64)(unsafe.Pointer(&addr)), bytes/8)
}

// changed returns where data differs from what it was, but for variables that each
// process has for itself: pairs of an address and how many words differ from there on.
func (s dataCopy) changed() (out []uint64) {
	for i, words := range s.segments {
		was := s.copies[i]
		for from, to := range s.stretches(i) {
			for j := from; j < to; j++ {
				at := uint64(uintptr(unsafe.Pointer(&words[j])))
				if words[j] == was[j] || isPerNode(uintptr(at)) {
					continue
				}
				if n := len(out); n > 0 && out[n-2]+8*out[n-1] == at {
					out[n-1]++
				} else {
					out = append(out, at, 1)
				}
			}
		}
	}
	return out
}

// isPerNode reports whether a word is of a variable of [PerNode], or of another
// that each process has for itself.
func isPerNode(at uintptr) bool {
	for _, v := range perNodes {
		if at+8 > v.at && at < v.at+v.size {
			return true
		}
	}
	return slices.Contains(rt.OwnWords(), at)
}
