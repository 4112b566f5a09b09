package kernel

import (
	"encoding/binary"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{
		unix.SYS_INOTIFY_INIT1:     sysInotifyInit1,
		unix.SYS_INOTIFY_ADD_WATCH: sysInotifyAddWatch,
		unix.SYS_INOTIFY_RM_WATCH:  sysInotifyRmWatch,
	})
}

// Limits, with Linux's usual values; /proc/sys/fs/inotify shows them.
const (
	inotifyInstances = 128 // of a host
	inotifyWatches   = 1 << 20
	inotifyQueued    = 16384 // events of one instance
)

// inotify is an inotify instance: its watches and the events that were not read.
type inotify struct {
	waitQueue
	host     *Host
	watches  []*watch // in the order of their numbers
	last     int32    // number given last
	pending  []fileEvent
	size     int  // bytes of what is pending
	overflow bool // the last pending event says that more were lost
}

var _ pollable = (*inotify)(nil)

// watch is what an instance wants to know of one inode, which it keeps.
type watch struct {
	of   *inotify
	wd   int32
	ino  disk.Ino
	mask uint32 // events, IN_ONESHOT and IN_EXCL_UNLINK
}

// fileEvent is one event to be read; name is of an entry of the watched directory.
type fileEvent struct {
	wd     int32
	mask   uint32
	cookie uint32
	name   string
	// unlinked says that the name was removed before: not read, but for
	// IN_EXCL_UNLINK.
	unlinked bool
}

// eventHeader is the bytes of an event before its name, which is padded to a
// multiple of them.
const eventHeader = 16

func (e *fileEvent) size() int {
	if e.name == "" {
		return eventHeader
	}
	return eventHeader + (len(e.name)+eventHeader)/eventHeader*eventHeader
}

func sysInotifyInit1(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	flags := int(int32(c.Args[0]))
	if flags&^(unix.IN_NONBLOCK|unix.IN_CLOEXEC) != 0 {
		return 0, syscall.EINVAL
	}
	h := c.proc.Host
	if h.instances == inotifyInstances {
		return 0, syscall.EMFILE
	}
	h.instances++
	return k.newDescriptor(c.proc, &inotify{host: h}, syscall.O_RDONLY, flags)
}

// inotifyOf returns the instance of a call's first argument.
func (c *Call) inotifyOf() (*inotify, syscall.Errno) {
	d, errno := c.descriptor(c.Args[0])
	if errno != 0 {
		return nil, errno
	}
	n, ok := d.obj.(*inotify)
	if !ok {
		return nil, syscall.EINVAL
	}
	return n, 0
}

const (
	inotifyEvents = unix.IN_ALL_EVENTS
	inotifyFlags  = unix.IN_ONESHOT | unix.IN_EXCL_UNLINK
	inotifyKnown  = inotifyEvents | inotifyFlags | unix.IN_UNMOUNT | unix.IN_Q_OVERFLOW | unix.IN_IGNORED |
		unix.IN_ONLYDIR | unix.IN_DONT_FOLLOW | unix.IN_MASK_ADD | unix.IN_MASK_CREATE | unix.IN_ISDIR
)

func sysInotifyAddWatch(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	mask := uint32(c.Args[2])
	if mask&^inotifyKnown != 0 || mask == 0 {
		return 0, syscall.EINVAL
	}
	if _, errno := c.descriptor(c.Args[0]); errno != 0 {
		return 0, errno
	}
	n, errno := c.inotifyOf()
	if errno != 0 || mask&unix.IN_MASK_ADD != 0 && mask&unix.IN_MASK_CREATE != 0 {
		return 0, syscall.EINVAL
	}
	flags := 0
	if mask&unix.IN_DONT_FOLLOW != 0 {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	t, errno := k.resolve(c.proc, uintptr(atCwd), stringAt(c.Args[1]), flags)
	switch {
	case errno != 0:
		return 0, errno
	case mask&unix.IN_ONLYDIR != 0 && !t.directory():
		return 0, syscall.ENOTDIR
	case !t.onDisk():
		k.refused(c) // what is in /proc or /dev is made when it is asked for
		return 0, syscall.ENOSPC
	}
	return n.add(t.ino, mask)
}

func (n *inotify) add(ino disk.Ino, mask uint32) (uintptr, syscall.Errno) {
	kept := mask & (inotifyEvents | inotifyFlags)
	for _, w := range n.host.watches[ino] {
		if w.of != n {
			continue
		}
		switch {
		case mask&unix.IN_MASK_CREATE != 0:
			return 0, syscall.EEXIST
		case mask&unix.IN_MASK_ADD != 0:
			kept |= w.mask
		}
		w.mask = kept
		return uintptr(w.wd), 0
	}
	if n.host.watching == inotifyWatches {
		return 0, syscall.ENOSPC
	}
	n.last++
	w := &watch{n, n.last, ino, kept}
	n.watches = append(n.watches, w)
	n.host.watches[ino] = append(n.host.watches[ino], w)
	n.host.watching++
	n.host.Disk.Open(ino)
	return uintptr(w.wd), 0
}

func sysInotifyRmWatch(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	n, errno := c.inotifyOf()
	if errno != 0 {
		return 0, errno
	}
	wd := int32(c.Args[1])
	i := slices.IndexFunc(n.watches, func(w *watch) bool { return w.wd == wd })
	if i < 0 {
		return 0, syscall.EINVAL
	}
	k.unwatch(n.watches[i])
	return 0, 0
}

// unwatch ends a watch, and says so to its instance.
func (k *Kernel) unwatch(w *watch) {
	w.of.put(k, fileEvent{wd: w.wd, mask: unix.IN_IGNORED})
	is := func(x *watch) bool { return x == w }
	w.of.watches = slices.DeleteFunc(w.of.watches, is)
	w.drop()
}

// drop takes the watch from its inode.
func (w *watch) drop() {
	h := w.of.host
	left := slices.DeleteFunc(h.watches[w.ino], func(x *watch) bool { return x == w })
	if h.watches[w.ino] = left; len(left) == 0 {
		delete(h.watches, w.ino)
	}
	h.watching--
	h.Disk.Release(w.ino)
}

// put queues an event, unless the one before it is the same: then they are one.
func (n *inotify) put(k *Kernel, e fileEvent) {
	if last := len(n.pending) - 1; last >= 0 && len(n.pending) < inotifyQueued {
		l := &n.pending[last]
		if e.mask&unix.IN_IGNORED == 0 && l.mask == e.mask && l.wd == e.wd && l.name == e.name {
			return
		}
	}
	if len(n.pending) >= inotifyQueued {
		if n.overflow {
			return
		}
		n.overflow = true
		e = fileEvent{wd: -1, mask: unix.IN_Q_OVERFLOW}
	}
	n.pending = append(n.pending, e)
	n.size += e.size()
	n.wake(k, readable)
}

// read takes as many whole events as fit.
func (n *inotify) read(_ *Kernel, _ *description, b []byte) (int, syscall.Errno) {
	if len(n.pending) == 0 {
		return 0, syscall.EAGAIN
	}
	sum, taken := 0, 0
	for i := range n.pending {
		e := &n.pending[i]
		size := e.size()
		if size > len(b)-sum {
			break
		}
		e.encode(b[sum : sum+size])
		sum += size
		taken++
	}
	if taken == 0 {
		return 0, syscall.EINVAL
	}
	n.size -= sum
	if n.pending = slices.Delete(n.pending, 0, taken); len(n.pending) < inotifyQueued {
		n.overflow = false
	}
	return sum, 0
}

func (e *fileEvent) encode(b []byte) {
	binary.NativeEndian.PutUint32(b, uint32(e.wd))
	binary.NativeEndian.PutUint32(b[4:], e.mask)
	binary.NativeEndian.PutUint32(b[8:], e.cookie)
	binary.NativeEndian.PutUint32(b[12:], uint32(len(b)-eventHeader))
	clear(b[eventHeader+copy(b[eventHeader:], e.name):])
}

func (*inotify) write(*Kernel, *description, []byte) (int, syscall.Errno) {
	return 0, syscall.EBADF
}

func (n *inotify) events(*Kernel) events {
	if len(n.pending) > 0 {
		return readable
	}
	return 0
}

func (n *inotify) ioctl(_ *Kernel, _ *description, request, arg uintptr) (uintptr, syscall.Errno) {
	if request != unix.TIOCINQ {
		return 0, syscall.ENOTTY
	}
	*at[int32](arg) = int32(n.size)
	return 0, 0
}

func (*inotify) stat(k *Kernel, st *syscall.Stat_t) syscall.Errno { return k.statAnonymous(st) }
func (*inotify) link() string                                     { return "anon_inode:inotify" }

func (n *inotify) close(*Kernel) {
	for _, w := range n.watches {
		w.drop()
	}
	n.watches = nil
	n.host.instances--
}
