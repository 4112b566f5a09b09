package kernel

import (
	"strconv"
	"syscall"

	"github.com/orrery-sim/orrery/disk"
	"github.com/orrery-sim/orrery/sim/choice"
)

// ProcID numbers the processes of a world in the order of their starts; a number
// is never used again. The first, 0, is the test itself.
type ProcID uint32

// Process is one running program on a host.
type Process struct {
	ID   ProcID
	Host *Host
	PID  int
	Args []string
	Env  []string

	// Output gets every write to descriptors 1 and 2, which are answered at once.
	Output func(fd int, b []byte)

	dead    bool
	signals signals
	started int64 // true time
	cwd     disk.Ino
	umask   uint32
	random  *choice.Stream
	fds     []slot         // by number
	held    []*description // by calls that are not answered yet
	maps    []mapping
	waits   []*lockWait           // of POSIX locks
	limits  map[uintptr][2]uint64 // that setrlimit changed, by resource
}

// slot is a descriptor; desc is nil if it is free.
type slot struct {
	desc    *description
	cloexec bool
	polled  bool // by the runtime's poller, by this number
}

// description is an open file description: what dup'ed descriptors share.
type description struct {
	obj    object
	refs   int // descriptors, and calls that are not answered yet
	flags  int // O_NONBLOCK, O_APPEND, access mode
	offset int64
}

// object is what a description stands for: a file, a directory, a socket, a
// standard stream. A call that would block answers EAGAIN.
type object interface {
	read(k *Kernel, d *description, b []byte) (int, syscall.Errno)
	write(k *Kernel, d *description, b []byte) (int, syscall.Errno)
	stat(k *Kernel, st *syscall.Stat_t) syscall.Errno
	// close is called when the last descriptor goes.
	close(k *Kernel)
}

// Start says what a process is started with.
type Start struct {
	Args []string
	Env  []string
	// Dir is the working directory, absolute; "" stands for "/". It is made if it
	// is missing.
	Dir    string
	Output func(fd int, b []byte)
}

// firstPID is the number of a host's first process.
const firstPID = 100

// StartProcess starts a process with descriptors 0, 1 and 2.
func (k *Kernel) StartProcess(h *Host, s Start) (*Process, syscall.Errno) {
	if s.Dir == "" {
		s.Dir = "/"
	}
	cwd, errno := h.Disk.MkdirAll(s.Dir, 0o755, k.now)
	if errno != 0 {
		return nil, errno
	}
	h.Disk.Open(cwd)
	p := &Process{
		ID:      ProcID(len(k.procs)),
		Host:    h,
		PID:     firstPID + h.started,
		Args:    s.Args,
		Env:     s.Env,
		Output:  s.Output,
		started: k.now,
		cwd:     cwd,
		umask:   0o022,
		random:  k.src.Stream("random/" + h.Name + "/" + strconv.Itoa(h.started)),
	}
	h.started++
	k.procs = append(k.procs, p)
	for fd := range 3 {
		mode := syscall.O_WRONLY
		if fd == 0 {
			mode = syscall.O_RDONLY
		}
		p.put(&description{obj: &stdio{p, fd}, flags: mode}, fd)
	}
	return p, 0
}

// Process returns a process by its number, or nil if it ended.
func (k *Kernel) Process(id ProcID) *Process {
	if id >= ProcID(len(k.procs)) {
		return nil
	}
	return k.procs[id]
}

// Alive reports whether the process has not ended.
func (p *Process) Alive() bool { return !p.dead }

// Kill ends a process: its descriptors close in the order of their numbers, its
// locks drop, its memory goes, and its calls are never answered. What it wrote to
// files stays in the page cache.
func (k *Kernel) Kill(p *Process) {
	if p.dead {
		return
	}
	p.dead = true
	k.dropPolls(p)
	for fd := range p.fds {
		p.close(k, fd)
	}
	for _, d := range p.held {
		k.release(d)
	}
	p.held, p.waits = nil, nil
	k.unmapAll(p)
	p.Host.leave(k, p.cwd, entry{})
	k.procs[p.ID] = nil
}

// dropPolls gives back the poll descriptors of a process that ended: nobody is
// left to close them.
func (k *Kernel) dropPolls(p *Process) {
	for _, f := range p.fds {
		if f.desc == nil {
			continue
		}
		if o, ok := f.desc.obj.(pollable); ok {
			o.queue().dropPolls(k)
		}
	}
}

// install gives d the lowest free descriptor that is at least least; EMFILE if the
// process may have none so high.
func (p *Process) install(d *description, least int) (int, syscall.Errno) {
	fd := p.free(least)
	if fd >= p.files() {
		return 0, syscall.EMFILE
	}
	p.put(d, fd)
	return fd, 0
}

// free returns the lowest free descriptor that is at least least.
func (p *Process) free(least int) int {
	for fd := least; fd < len(p.fds); fd++ {
		if p.fds[fd].desc == nil {
			return fd
		}
	}
	return max(least, len(p.fds))
}

// put makes d what a free descriptor stands for.
func (p *Process) put(d *description, fd int) {
	for len(p.fds) <= fd {
		p.fds = append(p.fds, slot{})
	}
	d.refs++
	p.fds[fd] = slot{desc: d}
}

// fd returns the description of a descriptor, or nil.
func (p *Process) fd(n uintptr) *description {
	if n >= uintptr(len(p.fds)) {
		return nil
	}
	return p.fds[n].desc
}

// setCloexec marks a descriptor to be closed by exec, if flags has O_CLOEXEC
// (SOCK_CLOEXEC and EFD_CLOEXEC are the same bit).
func (p *Process) setCloexec(fd, flags int) {
	p.fds[fd].cloexec = flags&syscall.O_CLOEXEC != 0
}

// close frees a descriptor.
func (p *Process) close(k *Kernel, fd int) syscall.Errno {
	d := p.fd(uintptr(fd))
	if d == nil {
		return syscall.EBADF
	}
	p.fds[fd] = slot{}
	p.dropPosixLocks(d)
	k.release(d)
	return 0
}

// release drops one reference to a description, and ends it with the last.
func (k *Kernel) release(d *description) {
	if d.refs--; d.refs > 0 {
		if _, ok := d.obj.(*unixSocket); ok {
			k.collectUnix()
		}
		return
	}
	d.dropOwnedLocks()
	if o, ok := d.obj.(pollable); ok {
		o.queue().shut()
	}
	d.obj.close(k)
}
