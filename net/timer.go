package net

// timer is one of a socket's timers. It can be stopped, so that Next never names
// a time at which nothing happens.
type timer struct {
	when  int64
	order uint64
	index int // in the heap plus 1; 0 if not armed
	sock  *Socket
	run   func(*Socket)
}

func (t *timer) armed() bool { return t.index != 0 }

func (t *timer) fire() { t.run(t.sock) }

func (t *timer) less(u *timer) bool {
	return t.when < u.when || t.when == u.when && t.order < u.order
}

// arm has t fire at when, in place of any time it was armed for.
func (n *Network) arm(t *timer, when int64) {
	n.timers.remove(t)
	n.order++
	t.when, t.order = when, n.order
	n.timers.push(t)
}

func (n *Network) disarm(t *timer) { n.timers.remove(t) }

// timerHeap is a binary heap that knows where each timer is.
type timerHeap []*timer

func (h timerHeap) next() int64 {
	if len(h) == 0 {
		return 0
	}
	return h[0].when
}

func (h timerHeap) peek() *timer {
	if len(h) == 0 {
		return nil
	}
	return h[0]
}

func (h timerHeap) set(i int, t *timer) {
	h[i] = t
	t.index = i + 1
}

func (h *timerHeap) push(t *timer) {
	*h = append(*h, t)
	h.up(len(*h)-1, t)
}

func (h *timerHeap) remove(t *timer) {
	if t.index == 0 {
		return
	}
	i := t.index - 1
	q := *h
	last := q[len(q)-1]
	q[len(q)-1] = nil
	*h = q[:len(q)-1]
	t.index = 0
	if last == t {
		return
	}
	if !h.down(i, last) {
		h.up(i, last)
	}
}

func (h timerHeap) up(i int, t *timer) {
	for i > 0 {
		up := (i - 1) / 2
		if !t.less(h[up]) {
			break
		}
		h.set(i, h[up])
		i = up
	}
	h.set(i, t)
}

// down reports whether t went below i.
func (h timerHeap) down(i int, t *timer) bool {
	start := i
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].less(h[down]) {
			down++
		}
		if !h[down].less(t) {
			break
		}
		h.set(i, h[down])
		i = down
	}
	h.set(i, t)
	return i > start
}
