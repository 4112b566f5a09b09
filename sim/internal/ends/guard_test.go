package ends

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
	"golang.org/x/sys/unix"
)

// Direct system calls of a program, by its first argument.
var direct = map[string]func(){
	"getpid":        func() { directCall(unix.SYS_GETPID, 0, 0) },
	"sync":          func() { directCall(unix.SYS_SYNC, 0, 0) },
	"clock_gettime": func() { var ts unix.Timespec; directCall(unix.SYS_CLOCK_GETTIME, 0, uintptr(unsafe.Pointer(&ts))) },
	"exit_group":    func() { directCall(unix.SYS_EXIT_GROUP, 0, 0) },
}

var directly = sim.NewProgram("directly", func() {
	time.Sleep(time.Second)
	direct[os.Args[1]]()
})

func TestDirectCall(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		w.Node("n1").Start(directly, w.Param("call"))
		w.SafetyFor(3 * time.Second)
	}, sim.Param("call", "getpid", "sync", "clock_gettime", "exit_group"))
}

// TestDirectCallsAreStopped: a system call by a program's own assembly does not
// reach the machine. The run is none, and says which call, by whom.
func TestDirectCallsAreStopped(t *testing.T) {
	s := scenarios(t)["TestDirectCall"]
	for call, nr := range map[string]int{"getpid": unix.SYS_GETPID, "sync": unix.SYS_SYNC, "clock_gettime": unix.SYS_CLOCK_GETTIME, "exit_group": unix.SYS_EXIT_GROUP} {
		seeds, _ := run.ParseSeeds("1-3")
		sum, err := run.Sweep(t.Context(), run.SweepConfig{Scenario: s, Seeds: seeds, Procs: 1, Request: run.Request{Params: map[string]string{"call": call}}}, func(it run.Item) {
			for _, want := range []string{fmt.Sprintf("system call %d (%s)", nr, call), "ends.directCall", "direct_", "guard_test.go"} {
				if !strings.Contains(it.Output.Reason, want) {
					t.Errorf("%s: seed %d: %s: want %q", call, it.Seed, it.Output.Reason, want)
				}
			}
		})
		if err != nil || sum.Verdicts[run.Escaped] != 3 || sum.Exit() != 3 {
			t.Errorf("%s: %v, exit %d, %v; want 3 of 3 escaped, exit 3", call, sum.Verdicts, sum.Exit(), err)
		}
	}
}

// TestCallsByXSys: the assembly of x/sys asks the world's kernel.
func TestCallsByXSys(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(sim.NewProgram("xsys", func() {
			var ts unix.Timespec
			var tv unix.Timeval
			unix.RawSyscallNoError(unix.SYS_CLOCK_GETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(&ts)), 0)
			unix.Gettimeofday(&tv)
			start := time.Unix(ts.Unix())
			if d := time.Since(start); d < 0 || d > time.Second {
				panic(fmt.Sprintf("x/sys reads %v, the program's clock is at %v", start, time.Now()))
			}
			if d := time.Since(time.Unix(tv.Unix())); d < 0 || d > time.Second {
				panic(fmt.Sprintf("x/sys has the time of day %v, the program's clock is at %v", tv, time.Now()))
			}
			if unix.Getpid() != os.Getpid() || unix.Getuid() != os.Getuid() {
				panic(fmt.Sprintf("x/sys is process %d of user %d, package os %d of %d", unix.Getpid(), unix.Getuid(), os.Getpid(), os.Getuid()))
			}
			if old, again := unix.Umask(0o27), unix.Umask(0o22); again != 0o27 {
				panic(fmt.Sprintf("umask %o, then %o", old, again))
			}
			if r, _ := unix.SyscallNoError(1<<20, 0, 0, 0); -int(r) != int(unix.ENOSYS) {
				panic(fmt.Sprintf("a call that there is not answers %d", -int(r)))
			}
			unix.Sync()
		}))
		w.SafetyFor(time.Second)
	})
}

// TestCallsByTheRuntime: what packages os and net ask of a descriptor by way of the
// runtime, they ask the world's kernel.
func TestCallsByTheRuntime(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(sim.NewProgram("fcntl", func() {
			f, err := os.OpenFile("/tmp/appended", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
			if err != nil {
				panic(err)
			}
			// The descriptor's flags say that it appends: WriteAt is refused.
			if _, err := os.NewFile(f.Fd(), "again").WriteAt([]byte("x"), 0); err == nil {
				panic("a file that appends is written at an offset")
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				panic(err)
			}
			lf, err := l.(*net.TCPListener).File()
			if err != nil {
				panic(err)
			}
			again, err := net.FileListener(lf)
			if err != nil {
				panic(err)
			}
			if again.Addr().String() != l.Addr().String() {
				panic(fmt.Sprintf("%v by its descriptor is %v", l.Addr(), again.Addr()))
			}
		}))
		w.SafetyFor(time.Second)
	})
}
