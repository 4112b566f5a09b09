package rt

import (
	"runtime"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/choice"
)

// Patched reports whether this binary was built with the patched toolchain. It
// is a constant, so that a binary built without it links nothing that is
// missing: every call below stands behind it.
const Patched = unsafe.Sizeof(runtime.PanicNilError{}) != 0

// The patched runtime defines these.
func run(f func(), c *config) Stats
func halt()
func now() int64
func spawn(proc uint32, name string, start uint64, f func())
func kernelStart()
func kernelNext(when int64, call *[7]uintptr, proc *uint32) uintptr
func kernelReturn(caller, result, errno uintptr)
func kernelComplete(caller, result, errno uintptr)
func control(nr, a1, a2, a3 uintptr) (uintptr, uintptr)
func pollReady(pd uintptr, mode int32)
func pollDrop(pd uintptr)
func at(seed, key, index uint64) uint64
func child(path, n uint64) uint64
func nameKey(s string) uint64
func procStart(proc uint32)
func fresh()
func setClock(proc uint32, trueBase, monoBase, ppb, wall int64)
func kill(proc uint32) int
func pause(proc uint32)
func resume(proc uint32)
func missed(proc uint32) (goroutines, timers int)
func vars(p unsafe.Pointer, size uintptr, fresh func())
func data() [8]uintptr
func ownWords() []uintptr
func awake(marks []bool) bool
func stacks(proc uint32) (text uintptr, n int)
func callers(caller uintptr, pcs []uintptr) int
func clockReads(proc uint32) uint64
func fork() int32
func standAt(when int64, events uint64)
func reschedule(schedule uint32)
func redirect(seed uint64, overrides []choice.Keyed)
func goroutines(each func(*Goroutine))
func timers(each func(*Timer))
func counts() (hash, events uint64)
func frames(pc uintptr, each func(name, file string, line int))
func exitWorker(code int32)
func guard() (errno uintptr)
func cgo() []string
func chosen(stream string, key, index, bound, value uint64)
func event(kind, proc uint32, a, b, c uint64, text string)
func progressTo(addr uintptr)
func logWords() (words, checkpoints []uint64, full bool)

type config struct {
	seed      uint64
	overrides []choice.Keyed
	record    uint32
	neutral   uint32
	stands    func()
}

// missing is what a call says in a binary without the patch.
func missing() {
	panic("orrery: this binary was not built with the patched toolchain: run it by go test, or build with GOROOT=$(orrery goroot)")
}
