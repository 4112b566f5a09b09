package sim

import (
	"encoding/binary"
	"syscall"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

// parting is a run with a moment at which it ends, to be looked at, or moments at
// which it parts into futures, each a copy of this process. Parting allocates
// nothing: the copies go on, and a future that changes nothing must be the run
// that was not parted, addresses and all.
type parting struct {
	name    string // of the scenario
	w       *World
	extra   run.Extra
	futures int // of the branch that comes next
}

// next sets the moment that comes next, if there is one.
func (p *parting) next() {
	p.futures = 0
	if until := p.extra.Until; until != (run.Moment{}) {
		rt.StandAt(until.Time, until.Events)
		return
	}
	if p.extra.Branches > 0 {
		var at run.Moment
		at, p.futures = p.extra.NextBranch()
		rt.StandAt(at.Time, at.Events)
	}
}

// owes reports whether there are futures left, or this process was only to make
// them.
func (p *parting) owes() bool { return p.futures > 0 }

// stands is called when a moment has come. It returns in the copies.
func (p *parting) stands() {
	if p.extra.Until != (run.Moment{}) {
		p.writeState()
		rt.ExitWorker(0)
	}
	trunk := realPID(syscall.SYS_GETPID)
	for ; p.futures > 0; p.futures-- {
		seed, fresh, overrides := p.extra.NextFuture()
		start := position()
		pid, err := rt.Fork()
		if err != nil {
			fatalf("fork: %v", err)
		}
		if pid == 0 {
			dieWith(trunk)
			p.futures = 0
			if errno := p.w.kern.Part(); errno != 0 {
				fatalf("memory of a future: %v", errno)
			}
			p.w.src.Redirect(seed, overrides)
			rt.Redirect(seed, overrides)
			if fresh {
				p.w.src.Enliven()
				rt.Reschedule(rt.Drawn)
			}
			return
		}
		status('b', uint32(pid), 0)
		ws := await(pid)
		status('e', uint32(pid), ws)
		if ws != 0 {
			ended(start, ws)
		}
	}
	p.next()
	if !p.owes() {
		rt.ExitWorker(0)
	}
}

// await waits for a copy of this process to end, and returns its status.
func await(pid int) uint32 {
	var ws syscall.WaitStatus
	for {
		_, _, e := syscall.RawSyscall6(syscall.SYS_WAIT4, uintptr(pid), uintptr(unsafe.Pointer(&ws)), 0, 0, 0, 0)
		if e != syscall.EINTR {
			return uint32(ws)
		}
	}
}

// position is where in the output the next byte goes: copies of a process share it.
func position() uintptr {
	at, _, _ := syscall.RawSyscall(syscall.SYS_LSEEK, fdOutput, 0, 1)
	return at
}

// ended replaces what a future wrote from start on, before it died, by its status.
func ended(start uintptr, ws uint32) {
	syscall.RawSyscall(syscall.SYS_FTRUNCATE, fdOutput, start, 0)
	syscall.RawSyscall(syscall.SYS_LSEEK, fdOutput, start, 0)
	var rec [12]byte
	rec[0], rec[4] = 'X', 4
	binary.LittleEndian.PutUint32(rec[8:], ws)
	syscall.RawSyscall(syscall.SYS_WRITE, fdOutput, uintptr(unsafe.Pointer(&rec[0])), uintptr(len(rec)))
}

// offHeap is memory for so many words that is not of the heap.
func offHeap(words int) []uint64 {
	if words == 0 {
		return nil
	}
	p, _, e := syscall.RawSyscall6(syscall.SYS_MMAP, 0, uintptr(8*words), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE, ^uintptr(0), 0)
	if e != 0 {
		fatalf("memory for the request: %v", e)
	}
	return unsafe.Slice(*(**uint64)(unsafe.Pointer(&p)), words)
}
