package kernel

import (
	"math"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func init() {
	register(map[uintptr]handler{unix.SYS_FLOCK: sysFlock})
}

// fileLocks is the locks of one file, and who waits for one, in order.
type fileLocks struct {
	whole  []wholeLock // flock
	ranges []rangeLock // POSIX and open-file-description locks
	// queue is the calls that wait; one reports true once it is answered, or never
	// will be.
	queue []func() bool
}

type wholeLock struct {
	owner     *description
	exclusive bool
}

// rangeLock covers bytes first to last. The owner of a POSIX lock is a process,
// of an open-file-description lock a description.
type rangeLock struct {
	owner       any
	pid         int32 // -1 of a description
	exclusive   bool
	first, last int64
}

// lockable is what locks are of: an inode of a host's disk, or a pipe.
type lockable struct {
	host *Host
	ino  disk.Ino
	pipe *pipe
}

// lockable returns what the locks of a description are of; ok is false if it can have
// none.
func (d *description) lockable() (of lockable, ok bool) {
	if f := inodeOf(d.obj); f != nil {
		return lockable{host: f.host, ino: f.ino}, true
	}
	if e, ok := d.obj.(*pipeEnd); ok {
		return lockable{host: e.p.host, pipe: e.p}, true
	}
	return lockable{}, false
}

func (of lockable) locks() *fileLocks {
	l := of.host.locks[of]
	if l == nil {
		l = &fileLocks{}
		of.host.locks[of] = l
	}
	return l
}

// unlocked has those that wait try again, and forgets a file without locks. It
// may be entered again from within, by a description that ends.
func (of lockable) unlocked(l *fileLocks) {
	queue := l.queue
	l.queue = nil
	for _, try := range queue {
		if !try() {
			l.queue = append(l.queue, try)
		}
	}
	if len(l.whole) == 0 && len(l.ranges) == 0 && len(l.queue) == 0 {
		delete(of.host.locks, of)
	} else {
		of.host.locks[of] = l
	}
}

// await leaves a call pending until take succeeds, which is tried whenever a lock
// of the file goes.
func (k *Kernel) await(c *Call, d *description, l *fileLocks, take func() bool) (uintptr, syscall.Errno) {
	p, caller := c.proc, c.Caller
	p.hold(d)
	l.queue = append(l.queue, func() bool {
		if p.dead {
			return true
		}
		if !take() {
			return false
		}
		k.complete(p, caller, 0, 0)
		k.unhold(p, d)
		return true
	})
	return 0, pending
}

func sysFlock(k *Kernel, c *Call) (uintptr, syscall.Errno) {
	how := int(c.Args[1])
	switch how &^ syscall.LOCK_NB {
	case syscall.LOCK_UN, syscall.LOCK_SH, syscall.LOCK_EX:
	default:
		return 0, syscall.EINVAL
	}
	d := c.proc.fd(c.Args[0])
	if d == nil || d.flags&unix.O_PATH != 0 {
		return 0, syscall.EBADF
	}
	of, ok := d.lockable()
	if !ok {
		k.refused(c)
		return 0, syscall.EINVAL
	}
	if how&^syscall.LOCK_NB != syscall.LOCK_UN && !reads(d.flags) && !writes(d.flags) {
		return 0, syscall.EBADF
	}
	l := of.locks()
	if how&^syscall.LOCK_NB == syscall.LOCK_UN {
		l.dropWhole(d)
		of.unlocked(l)
		return 0, 0
	}
	lock := wholeLock{d, how&^syscall.LOCK_NB == syscall.LOCK_EX}
	if l.takeWhole(lock) {
		if !lock.exclusive {
			of.unlocked(l) // it may have been exclusive
		}
		return 0, 0
	}
	// A conversion that has to wait gives its lock up first, as on Linux.
	l.dropWhole(d)
	of.unlocked(l)
	if how&syscall.LOCK_NB != 0 {
		return 0, syscall.EWOULDBLOCK
	}
	l = of.locks()
	return k.await(c, d, l, func() bool { return l.takeWhole(lock) })
}

func (l *fileLocks) takeWhole(lock wholeLock) bool {
	for _, o := range l.whole {
		if o.owner != lock.owner && (o.exclusive || lock.exclusive) {
			return false
		}
	}
	l.dropWhole(lock.owner)
	l.whole = append(l.whole, lock)
	return true
}

func (l *fileLocks) dropWhole(owner *description) bool {
	for i, o := range l.whole {
		if o.owner == owner {
			l.whole = append(l.whole[:i], l.whole[i+1:]...)
			return true
		}
	}
	return false
}

// rangeLock answers the fcntl commands on locks of ranges.
func (k *Kernel) rangeLock(c *Call, d *description, cmd int, arg *syscall.Flock_t) (uintptr, syscall.Errno) {
	of, ok := d.lockable()
	if !ok {
		k.refused(c)
		return 0, syscall.EINVAL
	}
	lock, errno := d.lockOf(c.proc, cmd, arg)
	if errno != 0 {
		return 0, errno
	}
	l := of.locks()
	if cmd == unix.F_GETLK || cmd == unix.F_OFD_GETLK {
		l.describe(lock, arg)
		of.unlocked(l)
		return 0, 0
	}
	if arg.Type == syscall.F_UNLCK {
		l.ranges = carve(l.ranges, lock)
		of.unlocked(l)
		return 0, 0
	}
	if lock.exclusive && !writes(d.flags) || !lock.exclusive && !reads(d.flags) {
		return 0, syscall.EBADF
	}
	if l.takeRange(lock) {
		if !lock.exclusive {
			of.unlocked(l) // it may have been exclusive
		}
		return 0, 0
	}
	if cmd == unix.F_SETLK || cmd == unix.F_OFD_SETLK {
		return 0, syscall.EAGAIN
	}
	wait := &lockWait{l, lock}
	if p, ok := lock.owner.(*Process); ok {
		if wait.leadsTo(p, deadlockDepth) {
			return 0, syscall.EDEADLK
		}
		p.waits = append(p.waits, wait)
	}
	return k.await(c, d, l, wait.try)
}

// lockWait is a process or a description that waits for a lock of a range.
type lockWait struct {
	on   *fileLocks
	lock rangeLock
}

// deadlockDepth is how many processes that wait for each other are looked through, as
// on Linux.
const deadlockDepth = 10

// leadsTo reports whether the wait is, by those who wait in their turn, for a lock
// of a process.
func (w *lockWait) leadsTo(p *Process, depth int) bool {
	o := w.on.conflict(w.lock)
	if o == nil || depth == 0 {
		return false
	}
	holder, ok := o.owner.(*Process)
	if !ok {
		return false
	}
	for _, next := range holder.waits {
		if n := next.on.conflict(next.lock); n != nil && n.owner == any(p) || next.leadsTo(p, depth-1) {
			return true
		}
	}
	return false
}

func (w *lockWait) try() bool {
	if !w.on.takeRange(w.lock) {
		return false
	}
	if p, ok := w.lock.owner.(*Process); ok {
		p.waits = slices.DeleteFunc(p.waits, func(x *lockWait) bool { return x == w })
	}
	return true
}

// lockOf reads the lock that a call asks for.
func (d *description) lockOf(p *Process, cmd int, arg *syscall.Flock_t) (rangeLock, syscall.Errno) {
	lock := rangeLock{owner: p, pid: int32(p.PID), exclusive: arg.Type == syscall.F_WRLCK}
	if cmd == unix.F_OFD_GETLK || cmd == unix.F_OFD_SETLK || cmd == unix.F_OFD_SETLKW {
		if arg.Pid != 0 {
			return lock, syscall.EINVAL
		}
		lock.owner, lock.pid = d, -1
	}
	if arg.Type != syscall.F_RDLCK && arg.Type != syscall.F_WRLCK && arg.Type != syscall.F_UNLCK {
		return lock, syscall.EINVAL
	}
	if arg.Type == syscall.F_UNLCK && (cmd == unix.F_GETLK || cmd == unix.F_OFD_GETLK) {
		return lock, syscall.EINVAL
	}
	start := arg.Start
	switch arg.Whence {
	case unix.SEEK_SET:
	case unix.SEEK_CUR:
		start += d.offset
	case unix.SEEK_END:
		if o, ok := d.obj.(sized); ok {
			start += o.size()
		}
	default:
		return lock, syscall.EINVAL
	}
	lock.first, lock.last = start, math.MaxInt64
	if arg.Len > 0 {
		if start > math.MaxInt64-arg.Len+1 {
			return lock, syscall.EOVERFLOW
		}
		lock.last = start + arg.Len - 1
	} else if arg.Len < 0 {
		lock.first, lock.last = start+arg.Len, start-1
	}
	if lock.first < 0 {
		return lock, syscall.EINVAL
	}
	return lock, 0
}

func (r rangeLock) meets(o rangeLock) bool { return r.first <= o.last && o.first <= r.last }

// conflict returns a lock of another owner that one cannot be beside, or nil.
func (l *fileLocks) conflict(lock rangeLock) *rangeLock {
	for i := range l.ranges {
		o := &l.ranges[i]
		if o.owner != lock.owner && o.meets(lock) && (o.exclusive || lock.exclusive) {
			return o
		}
	}
	return nil
}

func (l *fileLocks) takeRange(lock rangeLock) bool {
	if l.conflict(lock) != nil {
		return false
	}
	l.ranges = append(carve(l.ranges, lock), lock)
	return true
}

// carve takes a range out of its owner's locks.
func carve(list []rangeLock, r rangeLock) []rangeLock {
	out := make([]rangeLock, 0, len(list)+1)
	for _, o := range list {
		if o.owner != r.owner || !o.meets(r) {
			out = append(out, o)
			continue
		}
		if o.first < r.first {
			left := o
			left.last = r.first - 1
			out = append(out, left)
		}
		if o.last > r.last {
			right := o
			right.first = r.last + 1
			out = append(out, right)
		}
	}
	return out
}

// describe answers F_GETLK.
func (l *fileLocks) describe(lock rangeLock, arg *syscall.Flock_t) {
	o := l.conflict(lock)
	if o == nil {
		arg.Type = syscall.F_UNLCK
		return
	}
	*arg = syscall.Flock_t{Type: syscall.F_RDLCK, Whence: unix.SEEK_SET, Start: o.first, Pid: o.pid}
	if o.exclusive {
		arg.Type = syscall.F_WRLCK
	}
	if o.last != math.MaxInt64 {
		arg.Len = o.last - o.first + 1
	}
}

// dropPosixLocks drops a process's locks of what a description is of, as closing any
// descriptor of it does.
func (p *Process) dropPosixLocks(d *description) {
	if of, ok := d.lockable(); ok {
		if l := of.host.locks[of]; l != nil {
			of.dropRanges(l, p)
		}
	}
}

// dropOwnedLocks drops a description's locks, at its end.
func (d *description) dropOwnedLocks() {
	of, ok := d.lockable()
	if !ok {
		return
	}
	l := of.host.locks[of]
	if l == nil {
		return
	}
	if l.dropWhole(d) {
		of.unlocked(l)
	}
	of.dropRanges(l, d)
}

func (of lockable) dropRanges(l *fileLocks, owner any) {
	before := len(l.ranges)
	l.ranges = carve(l.ranges, rangeLock{owner: owner, last: math.MaxInt64})
	if len(l.ranges) != before {
		of.unlocked(l)
	}
}
