package kernel

import (
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{unix.SYS_PIPE2: sysPipe2})
}

// A pipe has room for so many pages, as on Linux. Bytes are in the queue; which
// pages they would take says how many there is room for.
const (
	pipePages = 16
	pipePage  = 4096
)

// pipe is what its two ends share.
type pipe struct {
	bytes   byteQueue
	pages   [pipePages]span // a ring
	first   int             // of pages
	used    int             // pages
	in, out *pipeEnd        // nil once closed
	host    *Host
	ino     uint64
	written int64 // when, on the host's clock, or when it was made
}

// span is the part of a page that is in use.
type span struct {
	from, to int
	fixed    bool // a write does not fill it up: it is a page of something else
}

// pipeEnd is one end of a pipe: in is read from, out is written to.
type pipeEnd struct {
	waitQueue
	p *pipe
}

func sysPipe2(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags := int(int32(c.Args[1]))
	if flags&^(syscall.O_NONBLOCK|syscall.O_CLOEXEC) != 0 {
		return 0, syscall.EINVAL
	}
	p := &pipe{bytes: byteQueue{most: pipePages * pipePage}, host: c.proc.Host, ino: k.nextIno(), written: c.proc.Host.Wall(k.now)}
	p.in, p.out = &pipeEnd{p: p}, &pipeEnd{p: p}
	*at[[2]int32](c.Args[0]) = [2]int32{
		int32(k.newDescriptor(c.proc, p.in, syscall.O_RDONLY, flags)),
		int32(k.newDescriptor(c.proc, p.out, syscall.O_WRONLY, flags)),
	}
	return 0, 0
}

func (p *pipe) full() bool { return p.used == pipePages }

func (e *pipeEnd) read(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	p := e.p
	if len(b) == 0 || p.used == 0 && p.out == nil {
		return 0, 0
	}
	if p.used == 0 {
		return 0, syscall.EAGAIN
	}
	return p.take(k, b), 0
}

// take takes the first bytes.
func (p *pipe) take(k *Kernel, b []byte) int {
	full := p.full()
	n := p.bytes.take(b)
	for left := n; left > 0; {
		page := &p.pages[p.first]
		m := min(left, page.to-page.from)
		page.from += m
		left -= m
		if page.from == page.to {
			p.first = (p.first + 1) % pipePages
			p.used--
		}
	}
	if full && !p.full() && p.out != nil {
		p.out.wake(k, writable)
	}
	return n
}

// room is how many pages more there is room for.
func (p *pipe) room() int { return pipePages - p.used }

// put takes a page, of which there must be room for one more.
func (p *pipe) put(b []byte, fixed bool) {
	p.pages[(p.first+p.used)%pipePages] = span{0, len(b), fixed}
	p.used++
	p.bytes.put(b)
}

// write fills up the last page if what is beyond whole pages fits there, and then
// takes new ones. So it writes all or nothing up to PIPE_BUF bytes.
func (e *pipeEnd) write(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	p := e.p
	if len(b) == 0 {
		return 0, 0
	}
	if p.in == nil {
		return 0, syscall.EPIPE
	}
	n := 0
	if odd := len(b) % pipePage; odd > 0 && p.used > 0 {
		last := &p.pages[(p.first+p.used-1)%pipePages]
		if !last.fixed && last.to+odd <= pipePage {
			last.to += odd
			n = odd
		}
	}
	for n < len(b) && !p.full() {
		m := min(len(b)-n, pipePage)
		p.pages[(p.first+p.used)%pipePages] = span{0, m, false}
		p.used++
		n += m
	}
	p.bytes.put(b[:n])
	p.written = p.host.Wall(k.now)
	p.in.wake(k, readable) // on Linux even if nothing was written
	if n == 0 {
		return 0, syscall.EAGAIN
	}
	return n, 0
}

func (e *pipeEnd) stat(_ *Kernel, st *syscall.Stat_t) syscall.Errno {
	at := syscall.NsecToTimespec(e.p.written)
	*st = syscall.Stat_t{Mode: syscall.S_IFIFO | 0o600, Blksize: 4096, Ino: e.p.ino, Atim: at, Mtim: at, Ctim: at}
	setLinks(st, 1)
	return 0
}

func (e *pipeEnd) link() string { return "pipe:[" + strconv.FormatUint(e.p.ino, 10) + "]" }

func (e *pipeEnd) close(k *Kernel) {
	p := e.p
	if e == p.in {
		p.in = nil
		if p.out != nil {
			p.out.wake(k, writable|failed)
		}
		return
	}
	p.out = nil
	if p.in != nil {
		p.in.wake(k, hungUp)
	}
}

func (e *pipeEnd) events(*Kernel) (v events) {
	p := e.p
	if e == p.in {
		if p.used > 0 {
			v |= readable
		}
		if p.out == nil {
			v |= hungUp
		}
		return v
	}
	if !p.full() {
		v |= writable
	}
	if p.in == nil {
		v |= failed
	}
	return v
}

func (e *pipeEnd) ioctl(_ *Kernel, _ *description, request, arg uintptr) (uintptr, syscall.Errno) {
	if request != unix.TIOCINQ {
		return 0, syscall.ENOTTY
	}
	*at[int32](arg) = int32(e.p.bytes.size())
	return 0, 0
}
