package kernel

import (
	"container/heap"
	"math"
	"time"
)

// event is something that the kernel does at a time.
type event struct {
	when int64
	seq  uint64 // ties go to the one scheduled first
	run  func()
	t    *timer // nil if it cannot be stopped
}

// timer is an event that can be stopped.
type timer struct{ index int } // in the heap; -1 once it ran or was stopped

type eventQueue struct {
	heap eventHeap
	seq  uint64
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	return h[i].when < h[j].when || h[i].when == h[j].when && h[i].seq < h[j].seq
}
func (h eventHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h.place(i)
	h.place(j)
}

func (h eventHeap) place(i int) {
	if t := h[i].t; t != nil {
		t.index = i
	}
}

func (h *eventHeap) Push(x any) {
	*h = append(*h, x.(event))
	h.place(len(*h) - 1)
}

func (h *eventHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	if e.t != nil {
		e.t.index = -1
	}
	old[len(old)-1] = event{}
	*h = old[:len(old)-1]
	return e
}

func (q *eventQueue) next() int64 {
	if len(q.heap) == 0 {
		return 0
	}
	return q.heap[0].when
}

func (q *eventQueue) run(now int64) {
	for len(q.heap) > 0 && q.heap[0].when <= now {
		heap.Pop(&q.heap).(event).run()
	}
}

// After runs f in the kernel once d of virtual time has passed.
func (k *Kernel) After(d time.Duration, f func()) { k.after(d, f, nil) }

// after leaves out what is due after the last time that there is.
func (k *Kernel) after(d time.Duration, f func(), t *timer) {
	if d = max(d, 0); int64(d) > math.MaxInt64-k.now {
		if t != nil {
			t.index = -1
		}
		return
	}
	k.events.seq++
	heap.Push(&k.events.heap, event{k.now + int64(d), k.events.seq, f, t})
}

// stop takes a timer's event away, unless it ran.
func (k *Kernel) stop(t *timer) {
	if t.index >= 0 {
		heap.Remove(&k.events.heap, t.index)
	}
}
