package kernel

// byteQueue is the bytes on their way through a pipe or a pair of sockets.
type byteQueue struct {
	b     []byte // a ring, whose length is a power of two
	first uint   // of the bytes ever put, the first that is still here
	last  uint   // how many bytes were ever put
	most  int    // bytes that it takes
	ended bool   // nothing more is put
}

func (q *byteQueue) size() int { return int(q.last - q.first) }
func (q *byteQueue) room() int { return q.most - q.size() }

// put takes as much of b as there is room for, and returns how much that is.
func (q *byteQueue) put(b []byte) int {
	b = b[:min(len(b), q.room())]
	q.grow(q.size() + len(b))
	for rest := b; len(rest) > 0; {
		n := copy(q.b[q.last&uint(len(q.b)-1):], rest)
		q.last += uint(n)
		rest = rest[n:]
	}
	return len(b)
}

func (q *byteQueue) grow(size int) {
	n := max(len(q.b), 512)
	for n < size {
		n *= 2
	}
	if n == len(q.b) {
		return
	}
	b := make([]byte, n)
	held := q.peek(b)
	q.b, q.first, q.last = b, 0, uint(held)
}

// peek copies the first bytes to b, and returns how many.
func (q *byteQueue) peek(b []byte) int {
	n := 0
	for at := q.first; n < len(b) && at != q.last; {
		from := at & uint(len(q.b)-1)
		m := copy(b[n:], q.b[from:min(uint(len(q.b)), from+q.last-at)])
		n += m
		at += uint(m)
	}
	return n
}

// take is peek that takes the bytes away.
func (q *byteQueue) take(b []byte) int {
	n := q.peek(b)
	q.first += uint(n)
	return n
}
