package kernel

import (
	"slices"
	"syscall"
	"time"
)

// waiter is an object whose calls can wait.
type waiter interface {
	// wait has try called whenever the object becomes ready in mode m, until try
	// reports true. It is called when the object is not ready.
	wait(k *Kernel, m PollMode, try func() (done bool))
}

// complete answers a call of p that was left pending, unless p ended.
func (k *Kernel) complete(p *Process, caller Caller, r1 uintptr, errno syscall.Errno) {
	if p.dead {
		return
	}
	if errno != 0 {
		r1 = ^uintptr(0)
	}
	if errno == syscall.EPIPE {
		k.send(p, syscall.SIGPIPE)
	}
	k.rt.Complete(caller, r1, errno)
}

// later makes a call take effect after a delay: at once if there is none. Nothing
// happens if the process ends before.
func (k *Kernel) later(c *Call, delay time.Duration, effect func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	if delay <= 0 {
		return effect()
	}
	p, caller := c.proc, c.Caller
	k.After(delay, func() {
		if !p.dead {
			r1, errno := guarded(effect)
			k.complete(p, caller, r1, errno)
		}
	})
	return 0, pending
}

// laterOn is later of a call on a description, which lives until then. The effect
// may leave the call pending.
func (k *Kernel) laterOn(c *Call, d *description, delay time.Duration, effect func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	if delay <= 0 {
		return effect()
	}
	p, caller := c.proc, c.Caller
	p.hold(d)
	k.After(delay, func() {
		if p.dead {
			return
		}
		if r1, errno := guarded(effect); errno != pending {
			k.complete(p, caller, r1, errno)
		}
		k.unhold(p, d)
	})
	return 0, pending
}

// laterOnBoth is laterOn of a call from one description to another.
func (k *Kernel) laterOnBoth(c *Call, from, to cursor, delay time.Duration, effect func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	if delay <= 0 {
		return effect()
	}
	p := c.proc
	p.hold(from.d)
	return k.laterOn(c, to.d, delay, func() (uintptr, syscall.Errno) {
		r1, errno := guarded(effect)
		k.unhold(p, from.d)
		return r1, errno
	})
}

// block leaves a call pending until attempt answers other than EAGAIN, if the
// description is in blocking mode and its object can wait. attempt was made once
// and answered EAGAIN. If the object's patience ends, so does EAGAIN.
func (k *Kernel) block(c *Call, d *description, m PollMode, attempt func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	return k.blockUntil(c, d, m, attempt, func() (uintptr, syscall.Errno) { return 0, syscall.EAGAIN })
}

// blockUntil is block with another answer for when the object's patience ends.
func (k *Kernel) blockUntil(c *Call, d *description, m PollMode, attempt, late func() (uintptr, syscall.Errno)) (uintptr, syscall.Errno) {
	w, ok := d.obj.(waiter)
	if !ok || d.flags&syscall.O_NONBLOCK != 0 {
		return 0, syscall.EAGAIN
	}
	if o, ok := d.obj.(patient); ok {
		if limit := o.patience(m); limit > 0 {
			return k.awaitLate(c, []interest{{d, m.mask()}}, limit, attempt, late)
		}
	}
	p, caller := c.proc, c.Caller
	p.hold(d)
	w.wait(k, m, func() bool {
		if p.dead {
			return true
		}
		r1, errno := guarded(attempt)
		if errno == syscall.EAGAIN {
			return false
		}
		k.complete(p, caller, r1, errno)
		k.unhold(p, d)
		return true
	})
	return 0, pending
}

// hold keeps a description alive for a call that is not answered yet, until
// unhold or the end of the process.
func (p *Process) hold(d *description) {
	d.refs++
	p.held = append(p.held, d)
}

// unhold undoes one hold, unless the end of the process did.
func (k *Kernel) unhold(p *Process, d *description) {
	if p.dead {
		return
	}
	i := slices.Index(p.held, d)
	p.held = slices.Delete(p.held, i, i+1)
	k.release(d)
}
