package kernel

import (
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_READ:     func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.buffer(c, moveIn, anyOffset) },
		unix.SYS_WRITE:    func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.buffer(c, moveOut, anyOffset) },
		unix.SYS_PREAD64:  func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.bufferAt(c, moveIn) },
		unix.SYS_PWRITE64: func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.bufferAt(c, moveOut) },
		unix.SYS_READV:    func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.vector(c, moveIn, anyOffset) },
		unix.SYS_WRITEV:   func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.vector(c, moveOut, anyOffset) },
		unix.SYS_PREADV:   func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.vectorAt(c, moveIn) },
		unix.SYS_PWRITEV:  func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.vectorAt(c, moveOut) },
		unix.SYS_PREADV2:  func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.vectorAt2(c, moveIn) },
		unix.SYS_PWRITEV2: func(k *Kernel, c *Call) (uintptr, syscall.Errno) { return k.vectorAt2(c, moveOut) },
	})
}

const (
	maxIO      = 0x7ffff000 // bytes that one call moves at most, as on Linux
	maxVectors = 1024       // buffers of one call at most, as on Linux
)

// positioned is an object that can be read and written at an offset.
type positioned interface {
	readAt(k *Kernel, b []byte, off int64) (int, syscall.Errno)
	writeAt(k *Kernel, b []byte, off int64) (int, syscall.Errno)
}

// direction is where bytes go, as the process sees it.
type direction uint8

const (
	moveIn direction = iota
	moveOut
)

// anyOffset, as the offset of a transfer, stands for the description's own.
const anyOffset = -1

// transfer is one call that moves bytes between buffers and an object.
type transfer struct {
	d    *description
	dir  direction
	off  int64
	one  []byte          // the only buffer, if there is no list
	list []syscall.Iovec // the process's own: valid until the call is answered
}

// open returns the description of a call's first argument if bytes may go that way,
// from that offset.
func (c *Call) open(dir direction, off int64) (*description, syscall.Errno) {
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return nil, syscall.EBADF
	}
	if _, ok := d.obj.(positioned); off != anyOffset && !ok {
		return nil, syscall.ESPIPE
	}
	if dir == moveIn && !reads(d.flags) || dir == moveOut && !writes(d.flags) {
		return nil, syscall.EBADF
	}
	return d, 0
}

func (k *Kernel) buffer(c *Call, dir direction, off int64) (uintptr, syscall.Errno) {
	d, errno := c.open(dir, off)
	if errno != 0 {
		return 0, errno
	}
	return k.transfer(c, transfer{d: d, dir: dir, off: off, one: bytesAt(c.Args[1], min(c.Args[2], maxIO))})
}

func (k *Kernel) bufferAt(c *Call, dir direction) (uintptr, syscall.Errno) {
	if int64(c.Args[3]) < 0 {
		return 0, syscall.EINVAL
	}
	return k.buffer(c, dir, int64(c.Args[3]))
}

func (k *Kernel) vector(c *Call, dir direction, off int64) (uintptr, syscall.Errno) {
	d, errno := c.open(dir, off)
	if errno != 0 {
		return 0, errno
	}
	if c.Args[2] > maxVectors {
		return 0, syscall.EINVAL
	}
	t := transfer{d: d, dir: dir, off: off}
	if c.Args[2] > 0 {
		t.list = unsafe.Slice(at[syscall.Iovec](c.Args[1]), int(c.Args[2]))
	}
	return k.transfer(c, t)
}

func (k *Kernel) vectorAt(c *Call, dir direction) (uintptr, syscall.Errno) {
	if int64(c.Args[3]) < 0 {
		return 0, syscall.EINVAL
	}
	return k.vector(c, dir, int64(c.Args[3]))
}

// vectorAt2 knows no flags, and -1 for the description's own offset.
func (k *Kernel) vectorAt2(c *Call, dir direction) (uintptr, syscall.Errno) {
	if c.Args[5] != 0 {
		return 0, syscall.EOPNOTSUPP
	}
	if int64(c.Args[3]) == -1 {
		return k.vector(c, dir, anyOffset)
	}
	return k.vectorAt(c, dir)
}

// transfer moves the bytes of a call now, or once the disk's delay has passed or
// the object is ready.
func (k *Kernel) transfer(c *Call, t transfer) (uintptr, syscall.Errno) {
	if o, ok := t.d.obj.(endpoint); ok && t.off == anyOffset {
		return k.plainMessage(c, &t, o)
	}
	if f, ok := t.d.obj.(*file); ok {
		if delay := f.delay(&t); delay > 0 {
			late := t
			return k.laterOn(c, t.d, delay, func() (uintptr, syscall.Errno) { return k.moveFile(f, &late) })
		}
		return k.moveFile(f, &t)
	}
	r1, errno := k.move(&t)
	if t.d.flags&syscall.O_NONBLOCK != 0 {
		return r1, errno
	}
	if _, ok := t.d.obj.(waiter); ok && (errno == syscall.EAGAIN || errno == 0 && t.dir == moveOut && r1 < t.size()) {
		return k.moveLate(c, t, r1)
	}
	return r1, errno
}

// moveLate moves what a first attempt left when the object is ready. A write waits
// until all its bytes are written, or until one fails after the first.
func (k *Kernel) moveLate(c *Call, t transfer, done uintptr) (uintptr, syscall.Errno) {
	t.skip(done)
	attempt := func() (uintptr, syscall.Errno) {
		for {
			n, errno := k.move(&t)
			switch {
			case errno == syscall.EAGAIN:
				return 0, errno
			case errno != 0 && done > 0:
				return done, 0
			case errno != 0:
				return 0, errno
			}
			done += n
			if t.dir == moveIn || n == t.size() {
				return done, 0
			}
			t.skip(n)
		}
	}
	r1, errno := attempt()
	if errno == syscall.EAGAIN {
		return k.block(c, t.d, t.dir.mode(), attempt)
	}
	return r1, errno
}

// size is how many bytes the transfer is to move.
func (t *transfer) size() uintptr {
	if t.list == nil {
		return uintptr(len(t.one))
	}
	return uintptr(room(t.list))
}

// skip leaves out the first n bytes.
func (t *transfer) skip(n uintptr) {
	if t.list == nil {
		t.one = t.one[n:]
		return
	}
	t.list = slices.Clone(t.list)
	for n > 0 {
		v := &t.list[0]
		if n < uintptr(v.Len) {
			v.Base = (*byte)(unsafe.Add(unsafe.Pointer(v.Base), n))
			v.Len -= uint64(n)
			return
		}
		n -= uintptr(v.Len)
		t.list = t.list[1:]
	}
}

func (dir direction) mode() PollMode {
	if dir == moveIn {
		return PollRead
	}
	return PollWrite
}

// delay returns how long a transfer to or from a file takes.
func (f *file) delay(t *transfer) time.Duration {
	if t.dir == moveIn {
		return f.host.Disk.Delay(disk.OpRead)
	}
	delay := f.host.Disk.Delay(disk.OpWrite)
	if t.d.flags&(syscall.O_DSYNC|syscall.O_SYNC) != 0 {
		delay += f.host.Disk.Delay(disk.OpSync)
	}
	return delay
}

// moveFile is move of what is to or from a file, and tells of it.
func (k *Kernel) moveFile(f *file, t *transfer) (uintptr, syscall.Errno) {
	if t.d.flags&unix.O_DIRECT != 0 {
		if errno := f.direct(t.dir, extent{t.start(f), int64(t.size())}); errno != 0 {
			return 0, errno
		}
	}
	n, errno := k.move(t)
	if n > 0 && errno == 0 {
		event := uint32(unix.IN_ACCESS)
		if t.dir == moveOut {
			event = unix.IN_MODIFY
		}
		f.tell(k, event)
	}
	return n, errno
}

// start is where in a file the transfer starts.
func (t *transfer) start(f *file) int64 {
	switch {
	case t.dir == moveOut && t.d.flags&syscall.O_APPEND != 0:
		return f.size()
	case t.off == anyOffset:
		return t.d.offset
	}
	return t.off
}

// move moves one buffer after another until one is moved in part or not at all.
// If any byte was moved, that is the answer.
func (k *Kernel) move(t *transfer) (uintptr, syscall.Errno) {
	if t.list == nil {
		n, errno := k.moveOne(t, t.one, t.off)
		return uintptr(n), k.synced(t, n, errno)
	}
	sum, off := 0, t.off
	for _, v := range t.list {
		b := bytesOf(v)
		if len(b) == 0 {
			continue
		}
		n, errno := k.moveOne(t, b, off)
		if errno != 0 {
			if sum > 0 {
				break
			}
			return 0, errno
		}
		sum += n
		if off != anyOffset {
			off += int64(n)
		}
		if n < len(b) {
			break
		}
	}
	return uintptr(sum), k.synced(t, sum, 0)
}

func (k *Kernel) moveOne(t *transfer, b []byte, off int64) (int, syscall.Errno) {
	if t.dir == moveOut {
		k.touch(b)
	}
	// With O_APPEND pwrite appends, as on Linux and against POSIX.
	if off == anyOffset || t.dir == moveOut && t.d.flags&syscall.O_APPEND != 0 {
		if off != anyOffset {
			defer func(old int64) { t.d.offset = old }(t.d.offset)
		}
		if t.dir == moveIn {
			return t.d.obj.read(k, t.d, b)
		}
		return t.d.obj.write(k, t.d, b)
	}
	o := t.d.obj.(positioned)
	if t.dir == moveIn {
		return o.readAt(k, b, off)
	}
	return o.writeAt(k, b, off)
}

// synced makes a write durable if its description asks for it.
func (k *Kernel) synced(t *transfer, n int, errno syscall.Errno) syscall.Errno {
	if t.dir == moveOut && n > 0 && errno == 0 && t.d.flags&(syscall.O_DSYNC|syscall.O_SYNC) != 0 {
		if f, ok := t.d.obj.(*file); ok {
			return f.host.Disk.Fsync(f.ino)
		}
	}
	return errno
}
