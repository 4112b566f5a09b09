package kernel

import "syscall"

// Calls of the patched runtime's poller, which are not Linux's; sim/internal/rt
// has the same numbers.
const (
	sysPollOpen  = 500 // descriptor, poll descriptor
	sysPollClose = 501
)

func init() {
	register(map[uintptr]handler{
		sysPollOpen:  pollOpen,
		sysPollClose: pollClose,
	})
}

// pollOpen has the readiness of a descriptor reported to a poll descriptor, at
// once what there is already. As with epoll, EPERM says that its object is always
// ready, EEXIST that the descriptor has a poll descriptor.
func pollOpen(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil {
		return 0, syscall.EBADF
	}
	o, ok := d.obj.(pollable)
	if !ok {
		return 0, syscall.EPERM
	}
	q, pd := o.queue(), c.Args[1]
	if pd == 0 {
		return 0, syscall.EINVAL
	}
	s := &c.proc.fds[c.Args[0]]
	if s.polled || q.hasPoll(pd) {
		return 0, syscall.EEXIST
	}
	s.polled = true
	q.addPoll(pd)
	if m := o.events(k).modes(); m != 0 {
		k.rt.PollReady(pd, m)
	}
	return 0, 0
}

func pollClose(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	if d := c.proc.fd(c.Args[0]); d != nil {
		if o, ok := d.obj.(pollable); ok {
			c.proc.fds[c.Args[0]].polled = false
			o.queue().removePoll(c.Args[1])
		}
	}
	return 0, 0
}
