package rt

// Goroutine is a goroutine of the standing world.
type Goroutine struct {
	Path    uint64 // its key
	Proc    uint32
	Running bool    // or runnable
	Reason  string  // why it waits
	Call    uintptr // number of the system call that it waits in, if that is the reason
	Since   int64   // true time at which it gave the token up last, or 0
	Start   uintptr // its first function
	Creator uintptr // the go statement that started it
	depth   int
	stack   [64]uintptr
}

// ReasonCall is the reason of a goroutine that waits in a system call.
const ReasonCall = "system call"

// Stack is the goroutine's, innermost first, of 64 calls at most.
func (g *Goroutine) Stack() []uintptr { return g.stack[:g.depth] }

// Goroutines shows every goroutine of the standing world, but for the engine's own,
// in no order that means anything. What it shows changes with the next.
func Goroutines(each func(*Goroutine)) {
	if Patched {
		goroutines(each)
	}
}

// Timer is a timer of the standing world.
type Timer struct {
	When   int64 // true time
	Period int64
	Proc   uint32
	Path   uint64  // of the goroutine that sleeps, or 0
	Run    uintptr // the function that it calls
	Arg    uintptr // the function that time.AfterFunc was given, or 0
}

// Timers shows every timer of the standing world that is armed, in no order that
// means anything. What it shows changes with the next.
func Timers(each func(*Timer)) {
	if Patched {
		timers(each)
	}
}

// Counts returns the hash and the number of events of the standing world.
func Counts() (hash, events uint64) {
	if Patched {
		return counts()
	}
	return 0, 0
}

// Frames shows the functions that lie at a return address, innermost first:
// several if they were inlined.
func Frames(pc uintptr, each func(name, file string, line int)) {
	if Patched {
		frames(pc, each)
	}
}
