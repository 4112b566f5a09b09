package seen

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/run"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// holder holds a locked file, a listener, timers and goroutines that wait in
// different ways.
var holder = sim.NewProgram("holder", func() {
	f, err := os.OpenFile("/data", os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	check(err)
	_, err = f.WriteString("twelve bytes")
	check(err)
	check(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	l, err := net.Listen("tcp", os.Args[1]+":80")
	check(err)
	var mu sync.Mutex
	mu.Lock()
	go waitForLock(&mu)
	time.AfterFunc(time.Hour, laterOn)
	tick := time.NewTicker(700 * time.Millisecond)
	go func() {
		for range tick.C {
		}
	}()
	for {
		c, err := l.Accept()
		check(err)
		go hold(c)
	}
})

func waitForLock(mu *sync.Mutex) { mu.Lock() }

func laterOn() {}

// hold answers a first byte, and leaves what follows unread.
func hold(c net.Conn) {
	_, err := c.Read(make([]byte, 1))
	check(err)
	_, err = c.Write([]byte("k"))
	check(err)
	select {}
}

// worker does what execution traces tell.
var worker = sim.NewProgram("worker", func() {
	time.Sleep(time.Second)
	ctx, task := trace.NewTask(context.Background(), "job")
	region := trace.StartRegion(ctx, "outer")
	trace.WithRegion(ctx, "inner", func() { time.Sleep(10 * time.Millisecond) })
	trace.Logf(ctx, "progress", "half %d", 50)
	region.End()
	trace.StartRegion(ctx, "never ended")
	done := make(chan bool)
	go func() {
		time.Sleep(250 * time.Millisecond)
		close(done)
	}()
	<-done
	runtime.Gosched()
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	next()
	next()
	stop()
	task.End()
	c, err := net.Dial("tcp", os.Args[1]+":80")
	check(err)
	_, err = c.Write([]byte("hello"))
	check(err)
	_, err = c.Read(make([]byte, 1))
	check(err)
	fmt.Println("answered")
	time.Sleep(time.Hour)
})

func TestSeen(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		n, m := w.Node("n1"), w.Node("n2")
		n.Start(holder, n.Addr())
		m.Start(worker, n.Addr())
		w.SafetyFor(6 * time.Second)
		w.Plan("at 2500ms kill n2 for 10s")
	})
}

// profiler is a program that would like to trace and profile itself.
var profiler = sim.NewProgram("profiler", func() {
	var b bytes.Buffer
	fmt.Println(trace.Start(&b))
	time.Sleep(time.Second)
	trace.Stop()
	fr := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	fmt.Println(fr.Start())
	fr.Stop()
	fmt.Println(pprof.StartCPUProfile(&b))
	pprof.StopCPUProfile()
	fmt.Println(b.Len(), trace.IsEnabled())
	time.Sleep(time.Hour)
})

func TestProfiler(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		w.Node("n1").Start(profiler)
		w.SafetyFor(3 * time.Second)
	})
}

// built is this package's test, built with the patched toolchain.
var built = sync.OnceValues(func() ([]*run.Binary, error) {
	return run.Build(context.Background(), []string{"."}, run.Options{})
})

// output makes a run in a process of its own.
func output(t *testing.T, name string, req run.Request) run.Output {
	t.Helper()
	b, err := built()
	if err != nil {
		t.Fatal(err)
	}
	list, err := b[0].Scenarios(t.Context(), regexp.MustCompile("^"+name+"$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	w, err := run.StartWorker(t.Context(), list[0], run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	out, err := w.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
