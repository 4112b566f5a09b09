package net

// ring is a queue of bytes: what a TCP socket has received in order and its owner
// has not read yet.
type ring struct {
	buf  []byte // its capacity is a power of two
	head int
	size int
}

// at returns where the i-th byte of the queue is.
func (r *ring) at(i int) int { return (r.head + i) & (cap(r.buf) - 1) }

func (r *ring) write(p *bufferPool, b []byte) {
	if r.size+len(b) > cap(r.buf) {
		r.grow(p, r.size+len(b))
	}
	buf := r.buf[:cap(r.buf)]
	n := copy(buf[r.at(r.size):], b)
	copy(buf, b[n:])
	r.size += len(b)
}

func (r *ring) grow(p *bufferPool, size int) {
	buf := p.get(max(size, 4<<10))
	if cap(buf)&(cap(buf)-1) != 0 {
		panic("net: a buffer whose size is no power of two")
	}
	r.peek(buf[:r.size])
	p.put(r.buf)
	r.buf, r.head = buf, 0
}

// peek copies the first bytes of the queue into b.
func (r *ring) peek(b []byte) int {
	b = b[:min(len(b), r.size)]
	if len(b) == 0 {
		return 0
	}
	buf := r.buf[:cap(r.buf)]
	n := copy(b, buf[r.head:])
	copy(b[n:], buf)
	return len(b)
}

// read takes the first bytes of the queue. An empty queue holds no buffer.
func (r *ring) read(p *bufferPool, b []byte) int {
	n := r.peek(b)
	if n == r.size {
		r.drop(p)
		return n
	}
	r.head = r.at(n)
	r.size -= n
	return n
}

func (r *ring) drop(p *bufferPool) {
	p.put(r.buf)
	*r = ring{}
}
