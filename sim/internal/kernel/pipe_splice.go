package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// mayForward returns why nothing can be moved from one pipe to another now, or 0.
func mayForward(in, out *pipe) syscall.Errno {
	switch {
	case in.used == 0 && in.writers.open > 0:
		return syscall.EAGAIN
	case out.readers.open == 0:
		return syscall.EPIPE
	case out.room() == 0:
		return syscall.EAGAIN
	}
	return 0
}

// forward moves pages from one pipe to another, and a part of the last.
func (k *Kernel) forward(in, out *pipe, n int) (int, syscall.Errno) {
	if errno := mayForward(in, out); errno != 0 || in.used == 0 {
		return 0, errno
	}
	sum := 0
	for sum < n && in.used > 0 && out.room() > 0 {
		page := in.pages[in.first]
		whole := page.to - page.from
		b := k.scratch(min(n-sum, whole))
		in.take(k, b)
		out.put(b, page.fixed || len(b) < whole)
		out.pages[(out.first+out.used-1)%pipePages].shift(page.from)
		sum += len(b)
	}
	out.wakeReaders(k, readable)
	return sum, 0
}

// shift has the part of the page start at from: what is before was read.
func (s *span) shift(from int) { s.from, s.to = s.from+from, s.to+from }

func sysTee(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[2] == 0 && c.Args[3]&^spliceFlags == 0 {
		return 0, 0
	}
	from, to, errno := c.spliced(c.Args[0], c.Args[1], int(uint32(c.Args[3])))
	if errno != 0 {
		return 0, errno
	}
	in, out := pipeOf(from), pipeOf(to)
	switch {
	case !reads(from.flags) || !writes(to.flags):
		return 0, syscall.EBADF
	case in == nil || out == nil || in == out:
		return 0, syscall.EINVAL
	}
	n := int(min(c.Args[2], maxIO))
	attempt := func() (uintptr, syscall.Errno) {
		sum, errno := k.copyPipe(in, out, n)
		return uintptr(sum), errno
	}
	r1, errno := attempt()
	if errno != syscall.EAGAIN || int(uint32(c.Args[3]))&unix.SPLICE_F_NONBLOCK != 0 || (from.flags|to.flags)&syscall.O_NONBLOCK != 0 {
		return r1, errno
	}
	return k.awaitAny(c, []interest{{from, wakesRead}, {to, wakesWrite}}, -1, attempt)
}

// copyPipe is forward that leaves everything in the first pipe too.
func (k *Kernel) copyPipe(in, out *pipe, n int) (int, syscall.Errno) {
	if errno := mayForward(in, out); errno != 0 || in.used == 0 {
		return 0, errno
	}
	b := k.scratch(in.bytes.size())
	in.bytes.peek(b)
	sum := 0
	for i := 0; sum < n && i < in.used && out.room() > 0; i++ {
		page := in.pages[(in.first+i)%pipePages]
		size := min(n-sum, page.to-page.from)
		out.put(b[sum:sum+size], true)
		sum += size
	}
	out.wakeReaders(k, readable)
	return sum, 0
}
