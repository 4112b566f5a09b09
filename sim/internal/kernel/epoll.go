package kernel

import (
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_EPOLL_CREATE1: sysEpollCreate1,
		unix.SYS_EPOLL_CTL:     sysEpollCtl,
		unix.SYS_EPOLL_PWAIT:   sysEpollPwait,
		unix.SYS_EPOLL_PWAIT2:  sysEpollPwait2,
	})
}

// epoll is an epoll object: what it watches, and what of that may be ready.
type epoll struct {
	waitQueue
	watched []*watched // in the order in which they were added
	ready   []*watched // in the order in which they became ready
}

// watched is a descriptor in an epoll object. As on Linux it stays when the
// descriptor is closed, as long as another one shares its description.
type watched struct {
	waiting
	e      *epoll
	fd     int
	d      *description
	flags  uint32 // of epollFlags
	data   unix.EpollEvent
	queued bool // in e.ready
}

const (
	epollEdge = unix.EPOLLET & 0xffffffff
	// epollFlags are the bits of a watched descriptor's events that are none.
	epollFlags = epollEdge | unix.EPOLLONESHOT | unix.EPOLLEXCLUSIVE | unix.EPOLLWAKEUP
)

func sysEpollCreate1(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags := int(int32(c.Args[0]))
	if flags&^unix.EPOLL_CLOEXEC != 0 {
		return 0, syscall.EINVAL
	}
	return k.newDescriptor(c.proc, &epoll{}, syscall.O_RDWR, flags)
}

// epollOf returns the epoll object of a descriptor.
func (c *Call) epollOf(fd uintptr) (*epoll, *description, syscall.Errno) {
	d, errno := c.descriptor(fd)
	if errno != 0 {
		return nil, nil, errno
	}
	e, ok := d.obj.(*epoll)
	if !ok {
		return nil, nil, syscall.EINVAL
	}
	return e, d, 0
}

func sysEpollCtl(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	if _, errno := c.descriptor(c.Args[0]); errno != 0 {
		return 0, errno
	}
	d, errno := c.descriptor(c.Args[2])
	if errno != 0 {
		return 0, errno
	}
	if _, ok := d.obj.(pollable); !ok {
		return 0, syscall.EPERM
	}
	e, _, errno := c.epollOf(c.Args[0])
	if errno != 0 || d.obj == object(e) {
		return 0, syscall.EINVAL
	}
	fd := int(int32(c.Args[2]))
	i := slices.IndexFunc(e.watched, func(w *watched) bool { return w.fd == fd && w.d == d })
	op := int(int32(c.Args[1]))
	if op == unix.EPOLL_CTL_ADD {
		if i >= 0 {
			return 0, syscall.EEXIST
		}
		return 0, e.watch(k, fd, d, *at[unix.EpollEvent](c.Args[3]))
	}
	if op != unix.EPOLL_CTL_MOD && op != unix.EPOLL_CTL_DEL {
		return 0, syscall.EINVAL
	}
	if i < 0 {
		return 0, syscall.ENOENT
	}
	if op == unix.EPOLL_CTL_MOD {
		e.watched[i].ask(k, *at[unix.EpollEvent](c.Args[3]))
	} else {
		e.watched[i].leave()
	}
	return 0, 0
}

func (e *epoll) watch(k *Kernel, fd int, d *description, ev unix.EpollEvent) syscall.Errno {
	if inner, ok := d.obj.(*epoll); ok && inner.reaches(e) {
		return syscall.ELOOP
	}
	w := &watched{e: e, fd: fd, d: d}
	w.try = func() bool {
		w.rise(k)
		return false
	}
	w.end = w.drop
	e.watched = append(e.watched, w)
	d.obj.(pollable).queue().addFirst(&w.waiting) // the last one is told first, as on Linux
	if end, ok := d.obj.(*pipeEnd); ok {
		end.first()
	}
	w.ask(k, ev)
	return 0
}

// reaches reports whether e watches other, by itself or by what it watches.
func (e *epoll) reaches(other *epoll) bool {
	for _, w := range e.watched {
		if inner, ok := w.d.obj.(*epoll); ok && (inner == other || inner.reaches(other)) {
			return true
		}
	}
	return false
}

// ask sets what is asked for, and looks whether it is there.
func (w *watched) ask(k *Kernel, ev unix.EpollEvent) {
	w.flags, w.data = ev.Events&epollFlags, ev
	w.mask = events(ev.Events&^epollFlags) | failed | hungUp
	if w.now(k) != 0 {
		w.rise(k)
	}
}

// now returns which of the events that are asked for are there.
func (w *watched) now(k *Kernel) events { return k.eventsOf(w.d) & w.mask }

// rise puts w among what may be ready, and wakes those who wait for that.
func (w *watched) rise(k *Kernel) {
	if w.mask == 0 {
		return // EPOLLONESHOT, and reported
	}
	if !w.queued {
		w.queued = true
		w.e.ready = append(w.e.ready, w)
	}
	w.e.wake(k, readable)
}

// drop takes w out of its epoll object.
func (w *watched) drop() {
	is := func(x *watched) bool { return x == w }
	w.e.watched = slices.DeleteFunc(w.e.watched, is)
	w.e.ready = slices.DeleteFunc(w.e.ready, is)
}

// leave is drop, and ends the waiting.
func (w *watched) leave() {
	w.d.obj.(pollable).queue().remove(&w.waiting)
	w.drop()
}

// events drops what is not ready any more, up to the first that is, as Linux does:
// it shows in the order of what is reported.
func (e *epoll) events(k *Kernel) events {
	for len(e.ready) > 0 {
		if e.ready[0].now(k) != 0 {
			return readable
		}
		e.pop()
	}
	return 0
}

func (e *epoll) pop() *watched {
	w := e.ready[0]
	e.ready = slices.Delete(e.ready, 0, 1)
	w.queued = false
	return w
}

// take reports what is ready, at most as many as fit out. What is watched by level
// goes to the end of the queue, so that the others have their turn.
func (e *epoll) take(k *Kernel, out []unix.EpollEvent) int {
	n := 0
	for rest := len(e.ready); rest > 0 && n < len(out); rest-- {
		w := e.pop()
		got := w.now(k)
		if got == 0 {
			continue
		}
		out[n] = w.data
		out[n].Events = uint32(got)
		n++
		switch {
		case w.flags&unix.EPOLLONESHOT != 0:
			w.mask = 0
		case w.flags&epollEdge == 0:
			w.queued = true
			e.ready = append(e.ready, w)
		}
	}
	return n
}

func sysEpollPwait(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	return k.epollWait(c, milliseconds(c.Args[3]))
}

func sysEpollPwait2(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	limit, errno := limitAt(c.Args[3])
	if errno != 0 {
		return 0, errno
	}
	return k.epollWait(c, limit)
}

// epollEventsMost is how many events one call asks for at most, as on Linux.
const epollEventsMost = (1<<31 - 1) / int(unsafe.Sizeof(unix.EpollEvent{}))

func (k *Kernel) epollWait(c *Call, limit time.Duration) (uintptr, syscall.Errno) {
	n := int(int32(c.Args[2]))
	if n <= 0 || n > epollEventsMost {
		return 0, syscall.EINVAL
	}
	e, d, errno := c.epollOf(c.Args[0])
	if errno != 0 {
		return 0, errno
	}
	out := unsafe.Slice(at[unix.EpollEvent](c.Args[1]), n)
	if n := e.take(k, out); n > 0 || limit == 0 {
		return uintptr(n), 0
	}
	return k.awaitAny(c, []interest{{d, readable}}, limit, func() (uintptr, syscall.Errno) {
		if n := e.take(k, out); n > 0 {
			return uintptr(n), 0
		}
		return 0, syscall.EAGAIN
	})
}

func (*epoll) read(*Kernel, *description, []byte) (int, syscall.Errno)  { return 0, syscall.EINVAL }
func (*epoll) write(*Kernel, *description, []byte) (int, syscall.Errno) { return 0, syscall.EINVAL }
func (*epoll) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno         { return k.statAnonymous(st) }
func (*epoll) link() string                                             { return "anon_inode:[eventpoll]" }

func (e *epoll) close(*Kernel) {
	for len(e.watched) > 0 {
		e.watched[0].leave()
	}
}
