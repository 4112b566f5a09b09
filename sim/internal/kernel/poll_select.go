package kernel

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fdSet is a set of descriptors of select, one bit each.
type fdSet []uint64

func setAt(p uintptr, n int) fdSet {
	if p == 0 || n == 0 {
		return nil
	}
	return unsafe.Slice(at[uint64](p), (n+63)/64)
}

func (s fdSet) has(fd int) bool { return len(s) > 0 && s[fd/64]>>(fd%64)&1 != 0 }
func (s fdSet) add(fd int)      { s[fd/64] |= 1 << (fd % 64) }

// selectModes is what each set of select is about, as Linux has it.
var selectModes = [3]events{wakesRead &^ peerShut, writable | failed, unix.POLLPRI}

// selected is a descriptor that select asks about.
type selected struct {
	interest
	fd int
}

// selecting is a call of select.
type selecting struct {
	sets   [3]fdSet // the caller's: what is asked for, and then where the answer goes
	wanted [3]fdSet // what was asked for
	asked  []selected
}

// sysPselect6 ignores the mask of signals: a signal does not end a call here.
func sysPselect6(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	limit, errno := limitAt(c.Args[4])
	if errno != 0 {
		return 0, errno
	}
	return k.selectCall(c, limit)
}

func (k *Kernel) selectCall(c *Call, limit time.Duration) (uintptr, syscall.Errno) {
	n := int(int32(c.Args[0]))
	if n < 0 {
		return 0, syscall.EINVAL
	}
	n = min(n, maxFiles)
	s := selecting{sets: [3]fdSet{setAt(c.Args[1], n), setAt(c.Args[2], n), setAt(c.Args[3], n)}}
	if errno := s.ask(c, n); errno != 0 {
		return 0, errno
	}
	r1, errno := s.attempt(k)
	if errno == 0 || limit == 0 {
		return r1, 0
	}
	return k.awaitAny(c, interestsOf(s.asked), limit, func() (uintptr, syscall.Errno) { return s.attempt(k) })
}

func (s *selecting) ask(c *Call, n int) syscall.Errno {
	for fd := range n {
		var mask events
		for i, set := range s.sets {
			if set.has(fd) {
				mask |= selectModes[i]
			}
		}
		if mask == 0 {
			continue
		}
		d, errno := c.descriptor(uintptr(fd))
		if errno != 0 {
			return errno
		}
		s.asked = append(s.asked, selected{interest{d, mask}, fd})
	}
	for i, set := range s.sets {
		s.wanted[i] = append(fdSet(nil), set...)
		clear(set)
	}
	return 0
}

func (s *selecting) attempt(k *Kernel) (uintptr, syscall.Errno) {
	n := uintptr(0)
	for _, a := range s.asked {
		ready := k.eventsOf(a.d)
		for i, set := range s.sets {
			if ready&selectModes[i] != 0 && s.wanted[i].has(a.fd) {
				set.add(a.fd)
				n++
			}
		}
	}
	if n == 0 {
		return 0, syscall.EAGAIN
	}
	return n, 0
}
