package kernel

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_COPY_FILE_RANGE: sysCopyFileRange,
		unix.SYS_SENDFILE:        sysSendfile,
	})
}

// copySize is how much one step of a copy moves.
const copySize = 128 << 10

func fail(errno syscall.Errno) handler {
	return func(*Kernel, *Call) (uintptr, syscall.Errno) { return 0, errno }
}

func constant(r1 uintptr) handler {
	return func(*Kernel, *Call) (uintptr, syscall.Errno) { return r1, 0 }
}

// cursor is where a copy reads or writes: at a number of the caller's, or at the
// description's own offset.
type cursor struct {
	d   *description
	off *int64
}

func cursorOf(d *description, arg uintptr) cursor {
	if arg != 0 {
		return cursor{d, at[int64](arg)}
	}
	return cursor{d, &d.offset}
}

func sysCopyFileRange(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	from, to := c.proc.fd(c.Args[0]), c.proc.fd(c.Args[2])
	if from == nil || to == nil || (from.flags|to.flags)&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	if c.Args[5] != 0 {
		return 0, syscall.EINVAL
	}
	in, out, errno := copyable(from, to)
	if errno != 0 {
		return 0, errno
	}
	src, dst := cursorOf(from, c.Args[1]), cursorOf(to, c.Args[3])
	n := int64(min(c.Args[4], maxIO))
	for _, off := range [2]int64{*src.off, *dst.off} {
		if uint64(off)+uint64(n) < uint64(off) {
			return 0, syscall.EOVERFLOW
		}
	}
	if *src.off < 0 || *dst.off < 0 {
		return 0, syscall.EINVAL
	}
	n = min(n, max(in.size()-*src.off, 0))
	if in.ino == out.ino && *src.off < *dst.off+n && *dst.off < *src.off+n {
		return 0, syscall.EINVAL
	}
	delay := in.host.Disk.Delay(disk.OpRead) + out.host.Disk.Delay(disk.OpWrite)
	return k.laterOnBoth(c, src, dst, delay, func() (uintptr, syscall.Errno) {
		r1, errno := k.copyRange(in, src, uintptr(n), func(b []byte) (int, syscall.Errno) {
			m, errno := out.writeAt(k, b, *dst.off)
			*dst.off += int64(m)
			return m, errno
		})
		if r1 > 0 && errno == 0 { // as Linux does, which splices
			dst.tell(k, unix.IN_MODIFY)
			src.tell(k, unix.IN_ACCESS)
			dst.wrote(k, int(r1))
		}
		return r1, errno
	})
}

// copyable returns the files of two descriptors that one can be copied to the other.
func copyable(from, to *description) (in, out *file, errno syscall.Errno) {
	in, ok := from.obj.(*file)
	out, ok2 := to.obj.(*file)
	switch {
	case ok && in.kind == disk.Directory, ok2 && out.kind == disk.Directory:
		return nil, nil, syscall.EISDIR
	case !ok || !ok2:
		return nil, nil, syscall.EINVAL
	case !reads(from.flags), !writes(to.flags), to.flags&syscall.O_APPEND != 0:
		return nil, nil, syscall.EBADF
	}
	return in, out, 0
}

func sysSendfile(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	to, from := c.proc.fd(c.Args[0]), c.proc.fd(c.Args[1])
	if from == nil || from.flags&unix.O_PATH != 0 || !reads(from.flags) {
		return 0, syscall.EBADF
	}
	if _, ok := from.obj.(positioned); c.Args[2] != 0 && !ok {
		return 0, syscall.ESPIPE
	}
	src := cursorOf(from, c.Args[2])
	if *src.off < 0 || int64(c.Args[3]) < 0 {
		return 0, syscall.EINVAL
	}
	if to == nil || to.flags&unix.O_PATH != 0 || !writes(to.flags) {
		return 0, syscall.EBADF
	}
	s := splicing{in: src, out: cursor{d: to}, n: int(min(c.Args[3], maxIO)), byFile: true}
	if pipeOf(to) != nil {
		s.nonblocking = (from.flags|to.flags)&syscall.O_NONBLOCK != 0
		return k.splice(c, s)
	}
	if to.flags&syscall.O_APPEND != 0 || !seekable(from.obj) || s.n > 0 && !canSplice(from.obj) {
		return 0, syscall.EINVAL
	}
	s.out.off = &to.offset
	s.nonblocking = to.flags&syscall.O_NONBLOCK != 0
	return k.splice(c, s)
}

// copyRange moves n bytes of a file to write, which may take part of them. If any
// was moved, that is the answer.
func (k *Kernel) copyRange(in *file, src cursor, n uintptr, write func([]byte) (int, syscall.Errno)) (uintptr, syscall.Errno) {
	var sum uintptr
	for sum < n {
		b := k.scratch(int(min(n-sum, copySize)))
		got, errno := in.readAt(k, b, *src.off)
		if got > 0 {
			got, errno = write(b[:got])
		}
		if errno != 0 {
			if sum == 0 {
				return 0, errno
			}
			break
		}
		if got == 0 {
			break
		}
		sum += uintptr(got)
		*src.off += int64(got)
	}
	return sum, 0
}
