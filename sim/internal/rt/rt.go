// Package rt is the bridge to the patched runtime: the only package that knows
// goroutines as the scheduler does. In a binary built without the patch,
// [Patched] is false and every other function panics with what to do.
package rt

import (
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Config is what a world starts from.
type Config struct {
	Seed      uint64
	Overrides []choice.Keyed // of the streams that goroutines draw from, as choice.ByKey makes them
	Record    Record
	Schedule  Schedule
	// Stands is called by the world's root whenever a moment that StandAt has set
	// has come, while the world stands still.
	Stands func()
}

// Schedule says where the choices of the schedule, of order and of cases of
// selects, come from.
type Schedule uint32

// Where they come from, if nothing is overridden.
const (
	Drawn Schedule = 0
	// FirstInFirstOut has all of them 0.
	FirstInFirstOut Schedule = 1
)

// Record says which events the runtime keeps, off the heap.
type Record uint32

// What may be kept.
const (
	RecordNothing Record = 0
	RecordEvents  Record = 1
	RecordStacks  Record = 3
)

// Stats is what a finished world counted.
type Stats struct {
	Hash, Events, Steps uint64
	Virtual             int64 // nanoseconds since its start
	Deadlock            bool  // it ended because nothing could ever run again
}

// Start is the true time at which a world starts, in nanoseconds since 1970:
// 2000-01-01 UTC.
const Start = 946684800000000000

// Run runs f as the first goroutine of a new world, until f returns, the world
// is halted, or nothing can run.
func Run(c Config, f func()) Stats {
	if Patched {
		return run(f, &config{c.Seed, c.Overrides, uint32(c.Record), uint32(c.Schedule), c.Stands})
	}
	missing()
	return Stats{}
}

// Halt ends the world as soon as the calling goroutine waits.
func Halt() {
	if Patched {
		halt()
	}
}

// Now is the true virtual time in nanoseconds since 1970.
func Now() int64 {
	if Patched {
		return now()
	}
	missing()
	return 0
}

// Spawn starts f as the first goroutine of process proc. Its path is the
// start-th child of the path that is called name.
func Spawn(proc uint32, name string, start uint64, f func()) {
	if Patched {
		spawn(proc, name, start, f)
	}
}

// Call is a system call that waits for the kernel. Caller is 0 if it is the
// time at which the kernel wanted to be called.
type Call struct {
	Caller uintptr
	Proc   uint32
	words  [7]uintptr
}

// Nr is the number of the call.
func (c *Call) Nr() uintptr { return c.words[0] }

// Args is its arguments.
func (c *Call) Args() *[6]uintptr { return (*[6]uintptr)(c.words[1:]) }

// KernelStart makes the calling goroutine the one that answers the system calls
// of the world.
func KernelStart() {
	if Patched {
		kernelStart()
	}
}

// KernelNext waits for the next call, or until when (true time; 0 for never).
func KernelNext(when int64, c *Call) {
	if Patched {
		c.Caller = kernelNext(when, &c.words, &c.Proc)
	}
}

// KernelReturn answers the call that KernelNext returned last.
func KernelReturn(caller, result uintptr, errno syscall.Errno) {
	if Patched {
		kernelReturn(caller, result, uintptr(errno))
	}
}

// KernelComplete answers an earlier call that was left open.
func KernelComplete(caller, result uintptr, errno syscall.Errno) {
	if Patched {
		kernelComplete(caller, result, uintptr(errno))
	}
}

// PollReady wakes the goroutines that wait for a mode ('r', 'w', 'r'+'w') of a
// poll descriptor.
func PollReady(pd uintptr, mode int32) {
	if Patched {
		pollReady(pd, mode)
	}
}

// PollDrop frees the poll descriptor of a process that was killed.
func PollDrop(pd uintptr) {
	if Patched {
		pollDrop(pd)
	}
}

// Numbers of the calls that are not Linux's. The runtime makes the first three; 504
// is package os/signal's, and 510 to 513 are what package callname calls them,
// all refused.
const (
	NrPollOpen  = 500 // descriptor, poll descriptor
	NrPollClose = 501
	NrCrash     = 502 // text, its length: a goroutine panicked or met a fatal error
	NrFunc      = 503 // a *func() of the engine, to run in the kernel's goroutine
)

// InKernel runs f in the kernel's goroutine, where all state of the engine lives.
// f must not wait.
func InKernel(f func()) {
	if Patched {
		control(NrFunc, uintptr(unsafe.Pointer(&f)), 0, 0)
		runtime.KeepAlive(&f)
	}
}

// FuncAt is the function of a NrFunc call.
func FuncAt(p uintptr) func() { return **(**func())(unsafe.Pointer(&p)) }

// ProcStart makes room for a process, before its first goroutine is spawned.
func ProcStart(proc uint32) {
	if Patched {
		procStart(proc)
	}
}

// Fresh gives the standard library's variables of the calling process their
// first values.
func Fresh() {
	if Patched {
		fresh()
	}
}

// Clock is how a process's clocks run. Times are nanoseconds since [Start].
type Clock struct {
	TrueBase, MonoBase int64 // one moment on the true and on the monotonic clock
	PPB                int64 // how much faster than true time it runs, in 1e-9
	Wall               int64 // wall clock minus monotonic clock
}

// SetClock sets the clocks of a process.
func SetClock(proc uint32, c Clock) {
	if Patched {
		setClock(proc, c.TrueBase, c.MonoBase, c.PPB, c.Wall)
	}
}

// Kill ends every goroutine of a process without running its deferred calls, and
// returns how many there were. Only the kernel's goroutine may call it.
func Kill(proc uint32) int {
	if Patched {
		return kill(proc)
	}
	return 0
}

// Pause has the goroutines of a process wait where they are, and its timers not
// fire, until Resume. Only the kernel's goroutine may call it.
func Pause(proc uint32) {
	if Patched {
		pause(proc)
	}
}

// Resume undoes Pause: timers that came due fire at once.
func Resume(proc uint32) {
	if Patched {
		resume(proc)
	}
}

// Missed returns how many goroutines of a paused process could run, and how many
// of its timers came due, so far.
func Missed(proc uint32) (goroutines, timers int) {
	if Patched {
		return missed(proc)
	}
	return 0, 0
}

// Vars has each process have a variable of its own, of that size; fresh gives it
// the value of a new process. It must be called before the first world.
func Vars(p unsafe.Pointer, size uintptr, fresh func()) {
	if Patched {
		vars(p, size, fresh)
	}
}

// Data returns where this program's package-level data is: pairs of start and end.
func Data() (out [8]uintptr) {
	if Patched {
		return data()
	}
	return out
}

// OwnWords returns the addresses of words of package-level data that are the
// engine's, in variables of programs.
func OwnWords() []uintptr {
	if Patched {
		return ownWords()
	}
	return nil
}

// Awake marks the processes, by their numbers, that something other than their own
// goroutines can still wake. It reports false, and marks nothing, if no goroutine
// has run since its last call.
func Awake(marks []bool) bool { return Patched && awake(marks) }

// Stacks returns the stacks of a process's goroutines, as Go prints them. Only the
// kernel's goroutine may call it, or the test once the world has ended.
func Stacks(proc uint32) string {
	if Patched {
		p, n := stacks(proc)
		return strings.Clone(TextAt(p, uintptr(n)))
	}
	return ""
}

// Fork copies this process, which must be a worker: it returns the child's
// process number, 0 in the child, or an error.
func Fork() (int, error) {
	if Patched {
		pid := fork()
		if pid < 0 {
			return 0, syscall.Errno(-pid)
		}
		return int(pid), nil
	}
	return 0, syscall.ENOSYS
}

// ExitWorker ends this process at once.
func ExitWorker(code int) {
	if Patched {
		exitWorker(int32(code))
	}
}

// Cgo returns the packages in this binary that call C.
func Cgo() []string {
	if Patched {
		return cgo()
	}
	return nil
}

// Guard has every system call stopped that is not made by the runtime, from now
// on, in this process and its copies. The error is the kernel's, if it has no
// filters of system calls.
func Guard() error {
	if Patched {
		if e := guard(); e != 0 {
			return syscall.Errno(e)
		}
	}
	return nil
}

// ProgressTo has every step of the schedule counted in the word at an address that
// no collector knows; 0 stops that.
func ProgressTo(addr uintptr) {
	if Patched {
		progressTo(addr)
	}
}

// Event enters an event into the world's hash and log.
func Event(kind, proc uint32, a, b, c uint64, text string) {
	if Patched {
		event(kind, proc, a, b, c, text)
	}
}

// Chosen records a choice that was drawn from a stream that is not a goroutine's, if
// the run records events.
func Chosen(c choice.Choice) {
	if Patched {
		chosen(c.Stream, uint64(c.Key), c.Index, c.Bound, c.Value)
	}
}

// Log returns the last world's recorded events, as sim/trace reads them, and the
// checkpoints of its hash; truncated says that there was not room for all.
func Log() (words, checkpoints []uint64, truncated bool) {
	if Patched {
		return logWords()
	}
	return nil, nil, false
}

// TextAt is the text of a NrCrash call. It is the runtime's memory: copy it.
func TextAt(p, n uintptr) string { return unsafe.String(*(**byte)(unsafe.Pointer(&p)), int(n)) }

// ClockReads returns how often a process has read its clocks.
func ClockReads(proc uint32) uint64 {
	if Patched {
		return clockReads(proc)
	}
	return 0
}

// Callers is runtime.Callers for the goroutine that waits in a call: it returns
// how many it found. Places where frame pointers do not lead are not found.
func Callers(caller uintptr, pcs []uintptr) int {
	if Patched {
		return callers(caller, pcs)
	}
	return 0
}
