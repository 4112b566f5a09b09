package kernel

import (
	"math"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// batched is one of the messages of sendmmsg and recvmmsg.
type batched struct {
	header syscall.Msghdr
	n      uint32
}

// batch is several messages that one call moves.
type batch struct {
	message
	list []batched
	done int
}

func sysSendmmsg(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.batch(c, moveOut) }

// sysRecvmmsg looks at its time limit when a message has come, as Linux does: a
// call that receives nothing waits beyond.
func sysRecvmmsg(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.batch(c, moveIn) }

func (k *Kernel) batch(c *Call, dir direction) (uintptr, syscall.Errno) {
	m, errno := c.message(k, dir, c.Args[3])
	if errno == 0 {
		errno = m.checkFlags()
	}
	if errno != 0 {
		return 0, errno
	}
	n := int(min(c.Args[2], maxVectors))
	if n == 0 {
		return 0, 0
	}
	b := &batch{message: *m, list: unsafe.Slice(at[batched](c.Args[1]), n)}
	until := int64(math.MaxInt64)
	if dir == moveIn && c.Args[4] != 0 {
		t := *at[syscall.Timespec](c.Args[4])
		if !validTime(t) {
			return 0, syscall.EINVAL
		}
		until = k.now + min(nanoseconds(t), until-k.now)
	}
	attempt := func() (uintptr, syscall.Errno) { return k.attemptBatch(b, until) }
	r1, errno := attempt()
	if errno == syscall.EAGAIN && b.waits() {
		return k.blockUntil(c, b.d, dir.mode(), attempt, func() (uintptr, syscall.Errno) { return b.answer(errno) })
	}
	return r1, errno
}

// attemptBatch moves messages until one has to wait. An error after the first is
// left for the next call to find.
func (k *Kernel) attemptBatch(b *batch, until int64) (uintptr, syscall.Errno) {
	for b.done < len(b.list) {
		if b.done > 0 && k.now >= until {
			break
		}
		h := &b.list[b.done]
		if b.header != &h.header {
			if errno := b.setHeader(&h.header); errno != 0 {
				return b.answer(errno)
			}
		}
		n, errno := k.attempt(&b.message)
		if errno == syscall.EAGAIN && b.waits() && !(b.done > 0 && b.flags&unix.MSG_WAITFORONE != 0) {
			return 0, errno
		}
		if errno != 0 {
			return b.answer(errno)
		}
		h.n = uint32(n)
		b.done++
	}
	return uintptr(b.done), 0
}

func (b *batch) answer(errno syscall.Errno) (uintptr, syscall.Errno) {
	if b.done > 0 {
		return uintptr(b.done), 0
	}
	return 0, errno
}
