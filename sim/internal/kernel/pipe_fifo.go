package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// openFifo opens an end of a fifo's pipe, which there is as long as one is open.
func (o *opening) openFifo(k *Kernel, ino disk.Ino, by entry) (object, syscall.Errno) {
	h, access := o.p.Host, o.flags&syscall.O_ACCMODE
	p := h.fifos[ino]
	switch {
	case access == syscall.O_ACCMODE:
		return nil, syscall.EINVAL
	case access == syscall.O_WRONLY && o.has(syscall.O_NONBLOCK) && (p == nil || p.readers.open == 0):
		return nil, syscall.ENXIO
	case o.has(unix.O_DIRECT):
		return nil, syscall.EINVAL
	}
	if p == nil {
		p = newPipe(k, h)
		h.fifos[ino] = p
	}
	e := p.end(o.flags, h.openFile(ino, by, o.flags))
	p.met(k, e)
	if !e.lonely() {
		e.fifo.tell(k, unix.IN_OPEN)
	}
	return e, 0
}

// met wakes those whose open waits for such an end.
func (p *pipe) met(k *Kernel, e *pipeEnd) {
	if e.writes() && p.writers.open == 1 {
		p.wakeReaders(k, readable)
	}
	if e.reads() && p.readers.open == 1 {
		p.wakeWriters(k, writable)
	}
}

// lonely reports whether the open of the end is to wait for one of the other side.
func (e *pipeEnd) lonely() bool {
	if e.fifo == nil || e.flags&syscall.O_NONBLOCK != 0 {
		return false
	}
	return e.reads() && e.p.writers.open == 0 || e.writes() && e.p.readers.open == 0
}

// meet makes a descriptor of an end once one of the other side was opened, even if
// that has closed again.
func (k *Kernel) meet(c *Call, o *opening, d *description, e *pipeEnd) (uintptr, syscall.Errno) {
	others := &e.p.writers
	if e.writes() {
		others = &e.p.readers
	}
	before, p, caller := others.ever, o.p, c.Caller
	p.hold(d)
	e.wait(k, PollBoth, func() bool {
		if p.dead {
			return true
		}
		if others.ever == before {
			return false
		}
		e.fifo.tell(k, unix.IN_OPEN)
		k.complete(p, caller, o.installed(d), 0)
		k.unhold(p, d)
		return true
	})
	return 0, pending
}

// closeFifo gives up the fifo's inode, and its pipe with the last end.
func (e *pipeEnd) closeFifo(k *Kernel) {
	if len(e.p.ends) == 0 {
		delete(e.fifo.host.fifos, e.fifo.ino)
	}
	e.fifo.close(k)
}

// reopen opens one more end of the pipe, which never waits unless it is a fifo's.
func (e *pipeEnd) reopen(k *Kernel, o *opening) (object, syscall.Errno) {
	if e.fifo != nil {
		return o.existing(k, disk.Place{Ino: e.fifo.ino}, e.fifo.at)
	}
	switch {
	case o.has(syscall.O_DIRECTORY):
		return nil, syscall.ENOTDIR
	case o.has(unix.O_PATH):
	case o.flags&syscall.O_ACCMODE == syscall.O_ACCMODE, o.has(unix.O_DIRECT):
		return nil, syscall.EINVAL
	}
	again := e.p.end(o.flags, nil)
	e.p.met(k, again)
	return again, 0
}
