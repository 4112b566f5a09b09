package kernel

import (
	"slices"
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

// pipe is what its ends share.
type pipe struct {
	bytes   byteQueue
	pages   [pipePages]span // a ring
	first   int             // of pages
	used    int             // pages
	ends    []*pipeEnd      // that are open, in the order in which they are told
	readers sideOfPipe
	writers sideOfPipe
	host    *Host
	ino     uint64
	written int64 // when, on the host's clock, or when it was made
}

// sideOfPipe counts the ends that are read from, or those that are written to.
type sideOfPipe struct {
	open int
	ever int
}

// span is the part of a page that is in use.
type span struct {
	from, to int
	fixed    bool // a write does not fill it up: it is a page of something else
}

// pipeEnd is an end of a pipe, of a fifo too, that was opened to be read from, to be
// written to, for both, or by O_PATH for neither.
type pipeEnd struct {
	waitQueue
	p     *pipe
	flags int   // that it was opened with
	fifo  *file // whose pipe it is, or nil
	// Of a fifo's end that did not wait for a writer: how many there had been. It has not
	// hung up before there is one more. Of others it is -1.
	unmet int
}

func (e *pipeEnd) reads() bool  { return e.flags&unix.O_PATH == 0 && reads(e.flags) }
func (e *pipeEnd) writes() bool { return e.flags&unix.O_PATH == 0 && writes(e.flags) }

func newPipe(k *Kernel, h *Host) *pipe {
	return &pipe{bytes: byteQueue{most: pipePages * pipePage}, host: h, ino: k.nextIno(), written: h.Wall(k.now)}
}

// end opens an end.
func (p *pipe) end(flags int, fifo *file) *pipeEnd {
	e := &pipeEnd{p: p, flags: flags, fifo: fifo, unmet: -1}
	if fifo != nil && e.reads() && !e.writes() && flags&syscall.O_NONBLOCK != 0 && p.writers.open == 0 {
		e.unmet = p.writers.ever
	}
	p.count(e, 1)
	p.ends = append(p.ends, e)
	return e
}

func (p *pipe) count(e *pipeEnd, n int) {
	if e.reads() {
		p.readers.open += n
		p.readers.ever += max(n, 0)
	}
	if e.writes() {
		p.writers.open += n
		p.writers.ever += max(n, 0)
	}
}

// first has the end be told before the pipe's others: what waits for any of them is in
// one queue on Linux.
func (e *pipeEnd) first() {
	i := slices.Index(e.p.ends, e)
	copy(e.p.ends[1:], e.p.ends[:i])
	e.p.ends[0] = e
}

// wakeReaders and wakeWriters tell the ends of one side.
func (p *pipe) wakeReaders(k *Kernel, v events) {
	for _, e := range slices.Clone(p.ends) {
		if e.reads() {
			e.wake(k, v)
		}
	}
}

func (p *pipe) wakeWriters(k *Kernel, v events) {
	for _, e := range slices.Clone(p.ends) {
		if e.writes() {
			e.wake(k, v)
		}
	}
}

func sysPipe2(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags := int(int32(c.Args[1]))
	if flags&^(syscall.O_NONBLOCK|syscall.O_CLOEXEC) != 0 {
		return 0, syscall.EINVAL
	}
	if !c.proc.room(2) {
		return 0, syscall.EMFILE
	}
	p := newPipe(k, c.proc.Host)
	r, _ := k.newDescriptor(c.proc, p.end(syscall.O_RDONLY, nil), syscall.O_RDONLY, flags)
	w, _ := k.newDescriptor(c.proc, p.end(syscall.O_WRONLY, nil), syscall.O_WRONLY, flags)
	*at[[2]int32](c.Args[0]) = [2]int32{int32(r), int32(w)}
	return 0, 0
}

func (p *pipe) full() bool { return p.used == pipePages }

func (e *pipeEnd) read(k *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	p := e.p
	if len(b) == 0 || p.used == 0 && p.writers.open == 0 {
		return 0, 0
	}
	if p.used == 0 {
		return 0, syscall.EAGAIN
	}
	if e.fifo != nil {
		e.fifo.accessed(k)
		e.fifo.tell(k, unix.IN_ACCESS)
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
	if full && !p.full() {
		p.wakeWriters(k, writable)
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
	if p.readers.open == 0 {
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
	p.wakeReaders(k, readable) // on Linux even if nothing was written
	if n == 0 {
		return 0, syscall.EAGAIN
	}
	if e.fifo != nil {
		e.fifo.host.Disk.Modified(e.fifo.ino, p.written)
		e.fifo.tell(k, unix.IN_MODIFY)
	}
	return n, 0
}

func (e *pipeEnd) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno {
	if e.fifo != nil {
		return e.fifo.stat(k, st)
	}
	at := syscall.NsecToTimespec(e.p.written)
	*st = syscall.Stat_t{Mode: syscall.S_IFIFO | 0o600, Blksize: 4096, Ino: e.p.ino, Atim: at, Mtim: at, Ctim: at}
	setLinks(st, 1)
	return 0
}

func (e *pipeEnd) link() string { return "pipe:[" + strconv.FormatUint(e.p.ino, 10) + "]" }

// close tells the other side if this was the last end of one.
func (e *pipeEnd) close(k *Kernel) {
	p := e.p
	p.ends = slices.DeleteFunc(p.ends, func(o *pipeEnd) bool { return o == e })
	p.count(e, -1)
	if e.reads() && p.readers.open == 0 {
		p.wakeWriters(k, writable|failed)
	}
	if e.writes() && p.writers.open == 0 {
		p.wakeReaders(k, hungUp)
	}
	if e.fifo != nil {
		e.closeFifo(k)
	}
}

func (e *pipeEnd) events(*Kernel) (v events) {
	p := e.p
	if e.reads() {
		if p.used > 0 {
			v |= readable
		}
		if p.writers.open == 0 && e.unmet != p.writers.ever {
			v |= hungUp
		}
	}
	if e.writes() {
		if !p.full() {
			v |= writable
		}
		if p.readers.open == 0 {
			v |= failed
		}
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
