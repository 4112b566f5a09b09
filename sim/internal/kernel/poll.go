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

// pollable is an object whose readiness the runtime's poller can be told of.
type pollable interface {
	// pollOpened tells a poller that begins to watch what is ready already.
	pollOpened()
}

// pollOpen has the readiness of a descriptor reported to a poll descriptor. As
// with epoll, EPERM says that its object is always ready.
func pollOpen(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil {
		return 0, syscall.EBADF
	}
	o, ok := d.obj.(pollable)
	if !ok {
		return 0, syscall.EPERM
	}
	if d.pd != 0 {
		return 0, syscall.EEXIST
	}
	d.pd = c.Args[1]
	o.pollOpened()
	return 0, 0
}

func pollClose(_ *Kernel, c *Call) (uintptr, syscall.Errno) {
	if d := c.proc.fd(c.Args[0]); d != nil && d.pd == c.Args[1] {
		d.pd = 0
	}
	return 0, 0
}
