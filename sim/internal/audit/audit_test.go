package audit

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

var program = sim.NewProgram("audit", func() {
	for _, c := range Cases {
		fmt.Printf("%s: %s\n", c.Name, c.Run())
	}
})

// TestProcessOwns: a process sees the arguments, environment, host name and
// working directory of its node, and its output is its node's log.
func TestProcessOwns(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		p, nodes := w.Clients("c", 1)[0], w.Nodes("n", 2)
		for _, n := range nodes {
			n.Env("KEY=" + n.Name())
			n.Dir("/srv/" + n.Name())
			n.Start(self, "arg-of-"+n.Name())
		}
		p.Run(func() {
			time.Sleep(time.Second)
			for _, n := range nodes {
				want := fmt.Sprintf("%s /srv/%s [self arg-of-%s] %s", n.Name(), n.Name(), n.Name(), n.Name())
				if got := w.Log(n.Name()); len(got) != 1 || got[0] != want {
					t.Errorf("%s wrote %q, want %q", n.Name(), got, want)
				}
			}
		})
	})
}

// TestNamesOutliveCrash: a node whose power fails at once still knows the others'
// names.
func TestNamesOutliveCrash(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		nodes := w.Nodes("n", 2)
		w.Clients("c", 1)[0].Run(func() {
			nodes[0].Crash()
			nodes[0].Start(lookup, nodes[1].Name())
			nodes[0].Restart()
			time.Sleep(time.Second)
			if got, want := w.Log("n1"), fmt.Sprintf("[%s] <nil>", nodes[1].Addr()); len(got) != 1 || got[0] != want {
				t.Errorf("n1 looked n2 up and says %q, want %q", got, want)
			}
		})
	})
}

var lookup = sim.NewProgram("lookup", func() {
	addrs, err := net.LookupHost(os.Args[1]) // of IPv4 first, then of IPv6
	fmt.Println(addrs[:min(len(addrs), 1)], err)
})

// TestLargeHeap: a program that holds much more than a world lets its heap grow
// by goes on when it allocates without ever waiting for time.
func TestLargeHeap(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.Clients("c", 1)[0].Run(func() {
			held := make([]byte, 160<<20)
			time.Sleep(time.Millisecond) // time moves: the heap is collected
			turns := make(chan []byte)
			go func() {
				for range 100 {
					turns <- make([]byte, 2<<20)
				}
				close(turns)
			}()
			n := 0
			for b := range turns {
				n += len(b)
			}
			if n != 200<<20 || len(held) != 160<<20 {
				t.Errorf("%d bytes came through, want %d", n, 200<<20)
			}
		})
	})
}

var self = sim.NewProgram("self", func() {
	host, _ := os.Hostname()
	dir, _ := os.Getwd()
	fmt.Println(host, dir, os.Args, os.Getenv("KEY"))
})

// TestStacks: a process sees the stacks of its own goroutines, as a program does
// that runs alone.
func TestStacks(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for _, n := range w.Nodes("n", 2) {
			n.Start(stacks)
		}
		w.SafetyFor(time.Second)
	})
}

var stacks = sim.NewProgram("stacks", func() {
	go time.Sleep(time.Hour)
	time.Sleep(time.Millisecond)
	b := make([]byte, 1<<16)
	text := "\n" + string(b[:runtime.Stack(b, true)])
	if n := strings.Count(text, "\ngoroutine "); n != 2 || strings.Contains(text, "synctest") || !strings.Contains(text, "[sleep]") {
		panic(fmt.Sprintf("%d goroutines, want 2, one of which sleeps:\n%s", n, text))
	}
})

// TestAudit runs every case on two nodes, and in the test itself.
func TestAudit(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		for _, n := range w.Nodes("n", 2) {
			n.Env("KEY=" + n.Name())
			n.Dir("/srv/" + n.Name())
			n.Start(program, "arg")
		}
		for _, c := range w.Clients("c", 1) {
			c.Run(func() {
				for _, k := range Cases {
					fmt.Printf("%s: %s\n", k.Name, k.Run())
				}
			})
		}
	})
}

// second is the second result of a system call that has just one.
func second() uintptr {
	_, r, _ := syscall.Syscall(syscall.SYS_GETPID, 1, 2, 3)
	return r
}

var realSecond = second()

// TestSecondResult: some modules compare the second result of a call that has just
// one with what Linux leaves in that register.
func TestSecondResult(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.Clients("c", 1)[0].Run(func() {
			if got := second(); got != realSecond {
				t.Errorf("the second result is %d, on Linux %d", got, realSecond)
			}
		})
	})
}
