package net

// arrival is a packet that is due at a host at a time.
type arrival struct {
	when   int64
	order  uint64 // ties go to what was scheduled first, over arrivals and timers
	packet *packet
}

func (a *arrival) less(b *arrival) bool {
	return a.when < b.when || a.when == b.when && a.order < b.order
}

func (a *arrival) before(t *timer) bool {
	return a.when < t.when || a.when == t.when && a.order < t.order
}

// arrivalHeap is a binary heap of values: pushing one allocates only when the
// heap has never been so large.
type arrivalHeap []arrival

func (h arrivalHeap) next() int64 {
	if len(h) == 0 {
		return 0
	}
	return h[0].when
}

func (h arrivalHeap) peek() *arrival {
	if len(h) == 0 {
		return nil
	}
	return &h[0]
}

func (h *arrivalHeap) push(a arrival) {
	*h = append(*h, a)
	q, i := *h, len(*h)-1
	for i > 0 {
		up := (i - 1) / 2
		if !a.less(&q[up]) {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = a
}

func (h *arrivalHeap) pop() arrival {
	q := *h
	top, last := q[0], q[len(q)-1]
	q[len(q)-1] = arrival{}
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return top
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= len(q) {
			break
		}
		if down+1 < len(q) && q[down+1].less(&q[down]) {
			down++
		}
		if !q[down].less(&last) {
			break
		}
		q[i] = q[down]
		i = down
	}
	q[i] = last
	return top
}
