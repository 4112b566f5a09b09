package kernel

import (
	"slices"

	"golang.org/x/sys/unix"
)

// events are what an object is ready for, in the bits of poll, which are epoll's
// too.
type events uint32

const (
	readable = events(unix.POLLIN | 0x40)   // and POLLRDNORM
	writable = events(unix.POLLOUT | 0x100) // and POLLWRNORM
	peerShut = events(unix.POLLRDHUP)
	failed   = events(unix.POLLERR)
	hungUp   = events(unix.POLLHUP)

	// What wakes those who wait to read and to write: an error or an end is both.
	wakesRead  = readable | peerShut | failed | hungUp
	wakesWrite = writable | failed | hungUp
)

// mask returns the events that a waiting call of mode m is woken by.
func (m PollMode) mask() events {
	switch m {
	case PollRead:
		return wakesRead
	case PollWrite:
		return wakesWrite
	}
	return wakesRead | wakesWrite
}

// modes returns whom the events wake, 0 if nobody.
func (e events) modes() (m PollMode) {
	if e&wakesRead != 0 {
		m += PollRead
	}
	if e&wakesWrite != 0 {
		m += PollWrite
	}
	return m
}

// pollable is an object that is not always ready. One description has it.
type pollable interface {
	object
	// events is what the object is ready for.
	events(k *Kernel) events
	// queue is who is told when that rises.
	queue() *waitQueue
}

// eventsOf returns what a description is ready for.
func (k *Kernel) eventsOf(d *description) events {
	if o, ok := d.obj.(pollable); ok {
		return o.events(k)
	}
	return readable | writable
}

// waitQueue is who waits for an object: poll descriptors of the runtime, calls and
// epoll objects. It is part of every pollable object.
type waitQueue struct {
	pd    uintptr   // the runtime's poll descriptor, 0 if none
	pds   []uintptr // further ones, of dup'ed descriptors
	list  []*waiting
	spare []*waiting // room for list, while it is not walked
}

// waiting is one who waits.
type waiting struct {
	mask events
	try  func() (done bool)
	end  func() // the object closed; may be nil
	off  bool   // to be told no more
}

func (q *waitQueue) queue() *waitQueue { return q }

func (q *waitQueue) wait(_ *Kernel, m PollMode, try func() bool) {
	q.add(&waiting{mask: m.mask(), try: try})
}

func (q *waitQueue) add(w *waiting) { q.list = append(q.list, w) }

func (q *waitQueue) addFirst(w *waiting) { q.list = slices.Insert(q.list, 0, w) }

func (q *waitQueue) remove(w *waiting) {
	w.off = true
	if i := slices.Index(q.list, w); i >= 0 {
		q.list = slices.Delete(q.list, i, i+1)
	}
}

// wake tells those who wait for one of e, in the order of the list: all of them,
// for the first may leave something to the next.
func (q *waitQueue) wake(k *Kernel, e events) {
	q.report(k, e)
	if len(q.list) == 0 {
		return
	}
	walked := q.list
	q.list, q.spare = q.spare[:0], nil
	for _, w := range walked {
		if !w.off && w.mask&e != 0 && w.try() {
			w.off = true
		}
		if !w.off {
			q.list = append(q.list, w)
		}
	}
	clear(walked)
	q.spare = walked[:0]
}

// report tells the runtime's poller.
func (q *waitQueue) report(k *Kernel, e events) {
	if q.pd == 0 {
		return
	}
	m := e.modes()
	if m == 0 {
		return
	}
	k.rt.PollReady(q.pd, m)
	for _, pd := range q.pds {
		k.rt.PollReady(pd, m)
	}
}

func (q *waitQueue) hasPoll(pd uintptr) bool { return q.pd == pd || slices.Contains(q.pds, pd) }

func (q *waitQueue) addPoll(pd uintptr) {
	if q.pd == 0 {
		q.pd = pd
		return
	}
	q.pds = append(q.pds, pd)
}

func (q *waitQueue) removePoll(pd uintptr) {
	if q.pd != pd {
		q.pds = slices.DeleteFunc(q.pds, func(p uintptr) bool { return p == pd })
		return
	}
	q.pd = 0
	if len(q.pds) > 0 {
		q.pd, q.pds = q.pds[0], q.pds[1:]
	}
}

// dropPolls gives back the poll descriptors of a process that ended.
func (q *waitQueue) dropPolls(k *Kernel) {
	for q.pd != 0 {
		k.rt.PollDrop(q.pd)
		q.removePoll(q.pd)
	}
}

// shut ends all waiting: the object's last reference has gone.
func (q *waitQueue) shut() {
	q.pd, q.pds = 0, nil
	list := q.list
	q.list = nil
	for _, w := range list {
		w.off = true
		if w.end != nil {
			w.end()
		}
	}
}
