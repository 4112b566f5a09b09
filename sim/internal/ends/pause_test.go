package ends

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

// sleeper tells of its timers, as its own clock has them.
var sleeper = sim.NewProgram("sleeper", func() {
	start := time.Now()
	since := func() time.Duration { return time.Since(start).Round(time.Millisecond) }
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	go func() {
		<-ctx.Done()
		fmt.Println("deadline at", since())
	}()
	time.AfterFunc(2500*time.Millisecond, func() { fmt.Println("function at", since()) })
	t := time.NewTicker(time.Second)
	for n := 0; n < 4; n++ {
		<-t.C
		fmt.Println("tick at", since())
	}
})

// listener accepts and echoes.
var listener = sim.NewProgram("listener", func() {
	l, err := net.Listen("tcp", ":7")
	if err != nil {
		panic(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go io.Copy(c, c)
	}
})

// TestPausedTimers: while a process is paused its clock goes on, its timers do
// not fire; those that came due fire when it resumes, tickers without the ticks
// that were missed.
func TestPausedTimers(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(sleeper)
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(1500 * time.Millisecond)
			n.Pause()
			time.Sleep(3 * time.Second)
			if got := w.Log("n1"); len(got) != 1 {
				t.Errorf("paused, it wrote %q", got)
			}
			n.Resume()
			time.Sleep(2 * time.Second)
			got := strings.Join(w.Log("n1"), "\n")
			for _, want := range []string{"tick at 1s", "deadline at 4.5s", "function at 4.5s", "tick at 4.5s", "tick at 5s", "tick at 6s"} {
				if strings.Count(got, want) != 1 {
					t.Errorf("it wrote\n%s\nwant %q once", got, want)
				}
			}
		})
	})
}

// TestPausedPeer: the machine of a process that is paused goes on for it: data is
// acknowledged until buffers are full, connections are made until the backlog is.
func TestPausedPeer(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(listener)
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(time.Second)
			dial := func() net.Conn {
				c, err := net.DialTimeout("tcp", n.Addr()+":7", time.Second)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			echoes := func(c net.Conn) error {
				c.SetDeadline(time.Now().Add(time.Second))
				if _, err := c.Write([]byte("x")); err != nil {
					return err
				}
				_, err := io.ReadFull(c, make([]byte, 1))
				return err
			}
			c := dial()
			if err := echoes(c); err != nil {
				t.Fatal(err)
			}
			n.Pause()
			second := dial() // by the machine alone
			for _, c := range []net.Conn{c, second} {
				if err := echoes(c); err == nil || !err.(net.Error).Timeout() {
					t.Errorf("a paused process: %v, want silence", err)
				}
			}
			time.Sleep(time.Minute) // longer than any retransmission
			n.Resume()
			for _, c := range []net.Conn{c, second} {
				c.SetDeadline(time.Now().Add(time.Second))
				if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
					t.Errorf("after the pause: %v, want what was sent meanwhile", err)
				}
			}
		})
	})
}

// TestStopsItself: a process that stops itself goes on when it is told to, and a
// paused one can be killed.
func TestStopsItself(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n := w.Node("n1")
		n.Start(stopper)
		w.Clients("c", 1)[0].Run(func() {
			time.Sleep(10 * time.Second)
			if got := w.Log("n1"); len(got) != 1 || !n.Running() {
				t.Errorf("it stopped itself, and wrote %q", got)
			}
			n.Resume()
			time.Sleep(time.Second)
			if got := w.Log("n1"); len(got) != 2 || got[1] != "goes on after 10s" {
				t.Errorf("it wrote %q, want it to go on", got)
			}
			n.Pause()
			if n.Kill() == 0 || n.Running() {
				t.Error("a paused process was not killed")
			}
			n.Restart()
			time.Sleep(time.Second)
			if got := w.Log("n1"); len(got) != 3 {
				t.Errorf("a process after a paused one wrote %q", got)
			}
		})
	})
}

var stopper = sim.NewProgram("stopper", func() {
	start := time.Now()
	fmt.Println("stops")
	kill(syscall.SIGSTOP)
	fmt.Println("goes on after", time.Since(start).Round(time.Second))
	never()
})

func TestPausing(t *testing.T) {
	onPurpose(t)
	sim.Test(t, func(w *sim.World) {
		n := w.Nodes("n", 2)
		n[0].Start(looks, "yes") // ten times a second
		n[1].Start(signaller, "plain")
		w.Plan("at 1s pause n1 for 2s", "at 2s pause n1 for 3s", "at 1s pause n2 for 1s")
		w.SafetyFor(6 * time.Second)
	})
}

// TestPauses: a pause has landed if the process could have done something
// meanwhile; of two that overlap, the process resumes when both are over.
func TestPauses(t *testing.T) {
	w, err := run.StartWorker(t.Context(), scenarios(t)["TestPausing"], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	out, err := w.Run(t.Context(), run.Request{Seed: 1})
	if err != nil || len(out.Faults) != 3 {
		t.Fatalf("%s %+v, %v", out.Verdict, out.Faults, err)
	}
	for i, want := range []run.Fault{
		{Landed: true, Evidence: "1 goroutines could have run, 0 timers came due"},
		{Landed: true, Evidence: "1 goroutines could have run, 0 timers came due"},
		{Landed: false, Evidence: "0 goroutines could have run, 0 timers came due"},
	} {
		if f := out.Faults[i]; f.Landed != want.Landed || f.Evidence != want.Evidence {
			t.Errorf("%s: landed %v, %s; want %v, %s", f.Text, f.Landed, f.Evidence, want.Landed, want.Evidence)
		}
	}
}
