package sim

import (
	"flag"
	"fmt"
	"io"
	stdnet "net"
	"os"
	"regexp"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/internal/kernel"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

var flagBench = flag.String("orrery.bench", "", "print the figures of the engine whose names match this `regexp` beside their goals")

// TestBench prints what make bench shows: each figure as a ratio to plain Go's
// channel ping-pong in the same process.
func TestBench(t *testing.T) {
	if *flagBench == "" {
		t.Skip("run by make bench")
	}
	match, err := regexp.Compile(*flagBench)
	if err != nil {
		t.Fatal(err)
	}
	if !rt.Patched {
		t.Fatal("the figures need the patched toolchain: run make bench")
	}
	native := best(func() time.Duration { return pingPong(100_000) / 200_000 })
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\ttime\tof a plain switch\tgoal")
	row := func(what, goal string, figure func() time.Duration) {
		if match.MatchString(what) {
			d := best(figure)
			fmt.Fprintf(w, "%s\t%v\t%.2f\t%s\n", what, d, float64(d)/float64(native), goal)
		}
	}
	row("plain Go: a switch by channel", "1", func() time.Duration { return native })
	row("world: a switch by channel", "0.5", worldSwitch)
	row("world: an answered system call", "0.6", worldCall)
	row("world: a TCP echo round trip", "20 (5 µs where a plain switch takes 250 ns)", worldEcho)
	row("world: a timer of 1,000 sleepers", "-", worldSleep)
	for _, n := range []int{3, 30, 100, 300} {
		row(fmt.Sprintf("world: a TCP echo among %d nodes", n), "flat", func() time.Duration { return worldNodes(n) })
	}
	for _, d := range []time.Duration{10 * time.Microsecond, time.Second} {
		row(fmt.Sprintf("world: a sleep, over %v of virtual time", sleeps*d), "flat", func() time.Duration { return worldTicks(d) })
	}
	w.Flush()
}

// best returns the least of five measurements.
func best(f func() time.Duration) time.Duration {
	least := f()
	for range 4 {
		least = min(least, f())
	}
	return least
}

// inWorld runs f as a world's test, in this process, and returns the real time it took.
func inWorld(f func(*World)) (took time.Duration) {
	w := newWorld(nil, run.Request{Seed: 1, Faults: []string{}}, choices(1, nil, nil), nil)
	rt.Run(rt.Config{Seed: 1}, func() {
		w.boot()
		f(w)
	})
	return w.took
}

// timed runs f between two looks at the real clock, which only the kernel's
// goroutine can take.
func timed(w *World, f func()) {
	var start time.Time
	w.inKernel(func() { start = realNow() })
	f()
	w.inKernel(func() { w.took = realNow().Sub(start) })
}

// realNow is the machine's clock. The kernel's own system calls are real.
func realNow() time.Time {
	var ts syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Unix(ts.Unix())
}

func pingPong(n int) time.Duration {
	start := realNow()
	exchange(n)
	return realNow().Sub(start)
}

func exchange(n int) {
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v
		}
		close(b)
	}()
	for i := range n {
		a <- i
		<-b
	}
	close(a)
	<-b
}

func worldSwitch() time.Duration {
	const n = 100_000
	return inWorld(func(w *World) { timed(w, func() { exchange(n) }) }) / (2 * n)
}

func worldCall() time.Duration {
	const n = 200_000
	return inWorld(func(w *World) {
		timed(w, func() {
			for range n {
				syscall.Getppid()
			}
		})
	}) / n
}

func worldSleep() time.Duration {
	const n, each = 1000, 100
	return inWorld(func(w *World) {
		timed(w, func() {
			done := make(chan bool)
			for i := range n {
				go func() {
					for j := range each {
						time.Sleep(time.Duration(i*7+j) * time.Microsecond)
					}
					done <- true
				}()
			}
			for range n {
				<-done
			}
		})
	}) / (n * each)
}

// sleeps is how many worldTicks makes, one after another.
const sleeps = 100_000

func worldTicks(d time.Duration) time.Duration {
	return inWorld(func(w *World) {
		timed(w, func() {
			for range sleeps {
				time.Sleep(d)
			}
		})
	}) / sleeps
}

func worldEcho() time.Duration { return worldNodes(2) }

// worldNodes echoes between pairs of n nodes at once, and returns what a round
// trip takes.
func worldNodes(n int) time.Duration {
	each := max(6000/n, 200)
	return inWorld(func(w *World) {
		nodes := w.Nodes("n", n)
		ready, done, start := make(chan bool, n), make(chan error, n), make(chan bool)
		for i, node := range nodes {
			w.inKernel(func() {
				p := w.newProcess(node.host, kernel.Start{Args: []string{node.name}}, node.name)
				rt.Spawn(p.id, node.name, 0, func() {
					done <- echo(nodes[(i+1)%n], each, func() { ready <- true; <-start })
				})
			})
		}
		for range nodes {
			<-ready
		}
		timed(w, func() {
			close(start)
			for range nodes {
				if err := <-done; err != nil {
					panic(err)
				}
			}
		})
	}) / time.Duration(n*each)
}

// echo serves on this node, and sends to another once connected has returned.
func echo(peer *Node, times int, connected func()) error {
	l, err := stdnet.Listen("tcp4", ":7")
	if err != nil {
		return err
	}
	go func() {
		c, err := l.Accept()
		if err == nil {
			io.Copy(struct{ io.Writer }{c}, struct{ io.Reader }{c})
		}
	}()
	time.Sleep(time.Second)
	c, err := stdnet.Dial("tcp4", peer.Addr()+":7")
	if err != nil {
		return err
	}
	if err := exchangeBytes(c, 20); err != nil { // what is made once is made
		return err
	}
	connected()
	if err := exchangeBytes(c, times); err != nil {
		return err
	}
	return c.Close()
}

// exchangeBytes has what it sends come back.
func exchangeBytes(c stdnet.Conn, times int) error {
	b := make([]byte, 100)
	for range times {
		if _, err := c.Write(b); err != nil {
			return err
		}
		if _, err := io.ReadFull(c, b); err != nil {
			return err
		}
	}
	return nil
}
