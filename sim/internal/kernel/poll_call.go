package kernel

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_PPOLL:    sysPpoll,
		unix.SYS_PSELECT6: sysPselect6,
	})
}

// milliseconds is a time limit as poll and epoll_wait take it; a negative one is
// none.
func milliseconds(n uintptr) time.Duration {
	return time.Duration(int32(n)) * time.Millisecond
}

// limitAt is the time limit at p; none, which is -1, if p is 0.
func limitAt(p uintptr) (time.Duration, syscall.Errno) {
	if p == 0 {
		return -1, 0
	}
	t := *at[syscall.Timespec](p)
	if !validTime(t) {
		return 0, syscall.EINVAL
	}
	return time.Duration(nanoseconds(t)), 0
}

// sysPpoll ignores the mask of signals: a signal does not end a call here.
func sysPpoll(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	limit, errno := limitAt(c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	return k.poll(c, limit)
}

// polled is a descriptor that poll asks about.
type polled struct {
	interest
	fd *unix.PollFd // the caller's
}

// polling is a call of poll.
type polling struct {
	asked []polled
	bad   int // descriptors that are none
}

func (k *Kernel) poll(c *Call, limit time.Duration) (uintptr, syscall.Errno) {
	if c.Args[1] > uintptr(c.proc.files()) {
		return 0, syscall.EINVAL
	}
	var p polling
	if c.Args[1] > 0 {
		p.ask(c.proc, unsafe.Slice(at[unix.PollFd](c.Args[0]), int(c.Args[1])))
	}
	n, errno := p.attempt(k)
	if errno == 0 || limit == 0 {
		return n, 0
	}
	return k.awaitAny(c, interestsOf(p.asked), limit, func() (uintptr, syscall.Errno) { return p.attempt(k) })
}

func (p *polling) ask(of *Process, fds []unix.PollFd) {
	for i := range fds {
		fd := &fds[i]
		fd.Revents = 0
		if fd.Fd < 0 {
			continue
		}
		d := of.fd(uintptr(fd.Fd))
		if d == nil || d.flags&unix.O_PATH != 0 {
			fd.Revents = unix.POLLNVAL
			p.bad++
			continue
		}
		p.asked = append(p.asked, polled{interest{d, events(uint16(fd.Events)) | failed | hungUp}, fd})
	}
}

func (p *polling) attempt(k *Kernel) (uintptr, syscall.Errno) {
	n := p.bad
	for _, a := range p.asked {
		if a.fd.Revents = int16(k.eventsOf(a.d) & a.mask); a.fd.Revents != 0 {
			n++
		}
	}
	if n == 0 {
		return 0, syscall.EAGAIN
	}
	return uintptr(n), 0
}
