package net

import "math/bits"

// bufferPool keeps buffers for use again, by the power of two that is their size.
type bufferPool struct {
	free [classes][][]byte
}

const (
	classLeast = 9 // 512 bytes
	classes    = 20
	bufferKeep = 64 // of each class
)

func class(size int) int {
	return max(bits.Len(uint(size-1)), classLeast) - classLeast
}

// get returns an empty buffer with room for size bytes at least.
func (p *bufferPool) get(size int) []byte {
	c := class(max(size, 1))
	if c >= classes {
		return make([]byte, 0, size)
	}
	free := p.free[c]
	if len(free) == 0 {
		return make([]byte, 0, 1<<(c+classLeast))
	}
	b := free[len(free)-1]
	free[len(free)-1] = nil
	p.free[c] = free[:len(free)-1]
	return b
}

// put takes back a buffer that get returned.
func (p *bufferPool) put(b []byte) {
	if cap(b) == 0 {
		return
	}
	c := class(cap(b))
	if c < classes && len(p.free[c]) < bufferKeep {
		p.free[c] = append(p.free[c], b[:0])
	}
}
