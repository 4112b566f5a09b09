package kernel

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_SPLICE:   sysSplice,
		unix.SYS_TEE:      sysTee,
		unix.SYS_VMSPLICE: refuse(syscall.EINVAL),
	})
}

// splicing is a call that moves bytes from one description to another.
type splicing struct {
	in, out     cursor // off is nil where there is no offset
	n           int
	done        int // moved by earlier attempts
	nonblocking bool
	byFile      bool // a pipe is none to be read from
}

// splicedAtOnce is how much one step moves that goes through no pipe of the caller's.
const splicedAtOnce = pipePages * pipePage

func pipeOf(d *description) *pipe {
	if e, ok := d.obj.(*pipeEnd); ok {
		return e.p
	}
	return nil
}

// canSplice reports whether bytes can be moved from or to an object: to and from
// files, devices and sockets, but not to and from what has records of its own.
func canSplice(o object) bool {
	switch o := o.(type) {
	case *file:
		return o.kind == disk.File
	case positioned, messenger, *stdio:
		return true
	}
	return false
}

// seekable reports whether lseek takes an object, whatever it does with it.
func seekable(o object) bool {
	switch o.(type) {
	case *pipeEnd, messenger, *stdio:
		return false
	}
	return true
}

const spliceFlags = unix.SPLICE_F_MOVE | unix.SPLICE_F_NONBLOCK | unix.SPLICE_F_MORE | unix.SPLICE_F_GIFT

// spliced returns the descriptions of a call that moves bytes.
func (c *Call) spliced(in, out uintptr, flags int) (from, to *description, errno syscall.Errno) {
	if flags&^spliceFlags != 0 {
		return nil, nil, syscall.EINVAL
	}
	if from, errno = c.descriptor(in); errno == 0 {
		to, errno = c.descriptor(out)
	}
	return from, to, errno
}

func sysSplice(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if c.Args[4] == 0 {
		return 0, 0
	}
	flags := int(uint32(c.Args[5]))
	from, to, errno := c.spliced(c.Args[0], c.Args[2], flags)
	if errno != 0 {
		return 0, errno
	}
	in, out := pipeOf(from), pipeOf(to)
	switch {
	case in != nil && c.Args[1] != 0, out != nil && c.Args[3] != 0:
		return 0, syscall.ESPIPE
	case !reads(from.flags) || !writes(to.flags):
		return 0, syscall.EBADF
	case in == nil && out == nil, in == out:
		return 0, syscall.EINVAL
	}
	s := splicing{in: spliceCursor(from, c.Args[1]), out: spliceCursor(to, c.Args[3]), n: int(min(c.Args[4], maxIO))}
	for _, at := range [2]cursor{s.in, s.out} {
		if _, ok := at.d.obj.(positioned); at.off != nil && (!ok || *at.off < 0) {
			return 0, syscall.EINVAL
		}
	}
	if in != nil && to.flags&syscall.O_APPEND != 0 && out == nil {
		return 0, syscall.EINVAL
	}
	s.nonblocking = flags&unix.SPLICE_F_NONBLOCK != 0 || (from.flags|to.flags)&syscall.O_NONBLOCK != 0
	return k.splice(c, s)
}

// spliceCursor is cursorOf, without an offset for what has none.
func spliceCursor(d *description, arg uintptr) cursor {
	if _, ok := d.obj.(positioned); !ok && arg == 0 {
		return cursor{d: d}
	}
	return cursorOf(d, arg)
}

// splice moves bytes once the disk's delay has passed, and waits as long as it can
// move none.
func (k *Kernel) splice(c *Call, s splicing) (uintptr, syscall.Errno) {
	call := Call{Nr: c.Nr, Caller: c.Caller, proc: c.proc}
	return k.laterOnBoth(c, s.in, s.out, s.delay(), func() (uintptr, syscall.Errno) {
		attempt := func() (uintptr, syscall.Errno) { return k.spliceOnce(&s) }
		r1, errno := attempt()
		if errno != syscall.EAGAIN || s.nonblocking {
			return r1, errno
		}
		return k.awaitAny(&call, []interest{{s.in.d, wakesRead}, {s.out.d, wakesWrite}}, -1, attempt)
	})
}

// delay is how long the files among both ends take.
func (s *splicing) delay() (sum time.Duration) {
	if f, ok := s.in.d.obj.(*file); ok {
		sum += f.delay(&transfer{d: s.in.d, dir: moveIn})
	}
	if f, ok := s.out.d.obj.(*file); ok {
		sum += f.delay(&transfer{d: s.out.d, dir: moveOut})
	}
	return sum
}

// spliceOnce moves what can be moved now. EAGAIN says that more is to be waited for.
func (k *Kernel) spliceOnce(s *splicing) (uintptr, syscall.Errno) {
	in, out := pipeOf(s.in.d), pipeOf(s.out.d)
	var n int
	var errno syscall.Errno
	switch {
	case in != nil && out != nil && !s.byFile:
		n, errno = k.forward(in, out, s.n)
	case out != nil:
		n, errno = k.fill(out, s.in, s.n)
	case in != nil:
		n, errno = k.drain(in, s.out, s.n)
	default:
		n, errno = k.pump(s)
	}
	if n > 0 && errno == 0 {
		s.in.tell(k, unix.IN_ACCESS)
		s.out.wrote(k, n)
	}
	return uintptr(n), errno
}

// tell tells those who watch the file of a cursor, if it is one.
func (at cursor) tell(k *Kernel, event uint32) {
	if f := inodeOf(at.d.obj); f != nil {
		f.tell(k, event)
	}
}

// wrote makes n bytes that were written to a file durable, if they are to be, and
// tells of them.
func (at cursor) wrote(k *Kernel, n int) {
	if _, ok := at.d.obj.(*file); ok {
		k.synced(&transfer{d: at.d, dir: moveOut}, n, 0)
	}
	at.tell(k, unix.IN_MODIFY)
}

// fill moves bytes to a pipe, each page of a file as a page of its own.
func (k *Kernel) fill(p *pipe, from cursor, n int) (int, syscall.Errno) {
	switch {
	case p.readers.open == 0:
		return 0, syscall.EPIPE
	case p.room() == 0:
		return 0, syscall.EAGAIN
	case n == 0:
		return 0, 0
	case !canSplice(from.d.obj):
		return 0, syscall.EINVAL
	}
	n = min(n, p.room()*pipePage)
	if errno := from.direct(moveIn, n); errno != 0 {
		return 0, errno
	}
	sum := 0
	for sum < n && p.room() > 0 {
		size := min(n-sum, pipePage)
		if from.off != nil {
			size = min(size, pipePage-int(*from.off%pipePage))
		}
		b := k.scratch(size)
		got, errno := k.readFrom(from, b)
		if errno != 0 && sum == 0 {
			return 0, errno
		}
		if got > 0 {
			p.put(b[:got], true)
			sum += got
		}
		if got < size {
			break
		}
	}
	if sum > 0 {
		p.wakeReaders(k, readable)
	}
	return sum, 0
}

// drain moves bytes out of a pipe, a page at a time.
func (k *Kernel) drain(p *pipe, to cursor, n int) (int, syscall.Errno) {
	switch {
	case !canSplice(to.d.obj):
		return 0, syscall.EINVAL
	case p.used == 0 && p.writers.open == 0:
		return 0, 0
	case p.used == 0:
		return 0, syscall.EAGAIN
	}
	if errno := to.direct(moveOut, min(n, p.bytes.size())); errno != 0 {
		return 0, errno
	}
	sum := 0
	for sum < n && p.used > 0 {
		page := p.pages[p.first]
		b := k.scratch(min(n-sum, page.to-page.from))
		p.bytes.peek(b)
		wrote, errno := k.writeTo(to, b)
		if errno != 0 {
			if sum == 0 {
				return 0, errno
			}
			break
		}
		p.take(k, b[:wrote])
		sum += wrote
		if wrote < len(b) {
			break
		}
	}
	return sum, 0
}

// pump moves bytes from what has offsets to what is no pipe, until all are moved or
// there are no more.
func (k *Kernel) pump(s *splicing) (int, syscall.Errno) {
	for s.done < s.n {
		size := min(s.n-s.done, splicedAtOnce)
		errno := s.in.direct(moveIn, size)
		if errno == 0 {
			errno = s.out.direct(moveOut, min(size, s.in.left()))
		}
		b := k.scratch(size)
		got := 0
		if errno == 0 {
			got, errno = s.in.d.obj.(positioned).readAt(k, b, *s.in.off)
		}
		if errno == 0 && got > 0 {
			got, errno = k.writeTo(s.out, b[:got])
		}
		switch {
		case errno == syscall.EAGAIN && !s.nonblocking:
			return 0, errno
		case errno != 0 && s.done == 0:
			return 0, errno
		case errno != 0 || got == 0:
			return s.done, 0
		}
		*s.in.off += int64(got)
		s.done += got
		s.out.tell(k, unix.IN_MODIFY)
	}
	return s.done, 0
}

// scratch returns memory for n bytes, up to copySize, until the next call.
func (k *Kernel) scratch(n int) []byte {
	if k.buf == nil {
		k.buf = make([]byte, copySize)
	}
	return k.buf[:n]
}

// readFrom reads at a cursor and moves it on.
func (k *Kernel) readFrom(at cursor, b []byte) (int, syscall.Errno) {
	if at.off == nil {
		return at.d.obj.read(k, at.d, b)
	}
	n, errno := at.d.obj.(positioned).readAt(k, b, *at.off)
	*at.off += int64(n)
	return n, errno
}

// writeTo writes at a cursor and moves it on.
func (k *Kernel) writeTo(at cursor, b []byte) (int, syscall.Errno) {
	o, ok := at.d.obj.(positioned)
	if at.off == nil || !ok {
		return at.d.obj.write(k, at.d, b)
	}
	n, errno := o.writeAt(k, b, *at.off)
	*at.off += int64(n)
	return n, errno
}

// direct checks n bytes at a cursor of a file that is open past the page cache.
func (at cursor) direct(dir direction, n int) syscall.Errno {
	if f, ok := at.d.obj.(*file); ok && at.d.flags&unix.O_DIRECT != 0 {
		return f.direct(dir, extent{*at.off, int64(n)})
	}
	return 0
}

// left is how many bytes there are at a cursor, as far as is known.
func (at cursor) left() int {
	if f, ok := at.d.obj.(*file); ok {
		return int(max(f.size()-*at.off, 0))
	}
	return splicedAtOnce
}
