package kernel

import (
	"syscall"
	"time"
)

// await is a call that waits for any of several objects, for some time.
type await struct {
	k       *Kernel
	p       *Process
	caller  Caller
	attempt func() (uintptr, syscall.Errno)
	late    func() (uintptr, syscall.Errno) // the answer when the time has passed
	descs   []*description                  // held
	waits   []*waiting                      // in the queue of the description at the same place; nil if it has none
	timer   *timer                          // nil if there is no limit
}

// interest is what a call waits for.
type interest struct {
	d    *description
	mask events
}

// awaitAny leaves a call pending until attempt answers other than EAGAIN, which it
// just did, or, if limit is not negative, until that has passed: then it answers 0.
func (k *Kernel) awaitAny(c *Call, of []interest, limit time.Duration, attempt func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	return k.awaitLate(c, of, limit, attempt, func() (uintptr, syscall.Errno) { return 0, 0 })
}

// awaitLate is awaitAny with another answer for when the time has passed.
func (k *Kernel) awaitLate(c *Call, of []interest, limit time.Duration, attempt, late func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	a := &await{k: k, p: c.proc, caller: c.Caller, attempt: attempt, late: late}
	for _, i := range of {
		a.p.hold(i.d)
		a.descs = append(a.descs, i.d)
		var w *waiting
		if o, ok := i.d.obj.(pollable); ok {
			w = &waiting{mask: i.mask, try: a.try}
			o.queue().add(w)
		}
		a.waits = append(a.waits, w)
	}
	if limit >= 0 {
		a.timer = &timer{}
		k.after(limit, a.expire, a.timer)
	}
	return 0, pending
}

func (a *await) try() bool {
	if a.p.dead {
		return true
	}
	r1, errno := guarded(a.attempt)
	if errno == syscall.EAGAIN {
		return false
	}
	a.finish(r1, errno)
	return true
}

func (a *await) expire() {
	if !a.p.dead {
		a.finish(a.late())
	}
}

func (a *await) finish(r1 uintptr, errno syscall.Errno) {
	for i, w := range a.waits {
		if w != nil {
			a.descs[i].obj.(pollable).queue().remove(w)
		}
	}
	if a.timer != nil {
		a.k.stop(a.timer)
	}
	a.k.complete(a.p, a.caller, r1, errno)
	for _, d := range a.descs {
		a.k.unhold(a.p, d)
	}
}

// asks gives what embeds an interest its interest.
func (i interest) asks() interest { return i }

// interestsOf is what a call asks about, without what it keeps beside.
func interestsOf[T interface{ asks() interest }](asked []T) []interest {
	of := make([]interest, len(asked))
	for i, a := range asked {
		of[i] = a.asks()
	}
	return of
}
