// Package audit holds small programs that use what made runs differ when
// deterministic simulation of Go was tried: map order, select, pools, finalizers,
// the collector, clocks, randomness of all kinds. Each writes what it saw; a test
// runs them all in many fresh processes and wants the same bytes.
package audit

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"iter"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unique"

	"github.com/orrery-sim/orrery/sim/internal/rt"
)

// What package initialisers drew before any world.
var (
	initMap   = map[string]int{}
	initStart = time.Now()
	initRand  = rand.Int()
	initSeed  = maphash.MakeSeed()
	initCrypt = make([]byte, 8)
	initPid   = fmt.Sprint(os.Getpid(), os.Getppid(), syscall.Getpid(), syscall.Getppid(), syscall.Gettid())
	initHost  = hostname()
	initCPUs  = runtime.NumCPU()
	initSync  sync.Map
	initCh    = make(chan chan int)
)

func init() {
	crand.Read(initCrypt)
	for i := range 20 {
		initMap[fmt.Sprint("k", i)] = i
		initSync.Store(fmt.Sprint("k", i), i)
	}
	go func() { // lives outside every world until one adopts it
		for reply := range initCh {
			reply <- 1
		}
	}()
}

// Case is one program and what it saw.
type Case struct {
	Name string
	Run  func() string
}

// Cases is all of them, in a fixed order.
var Cases = []Case{
	{"pointer map", pointerMap},
	{"map order", mapOrder},
	{"init", initialisers},
	{"init goroutine", initGoroutine},
	{"select", selects},
	{"pool", pools},
	{"iter.Pull", pulls},
	{"rand", random},
	{"timer ties", timerTies},
	{"tickers", tickers},
	{"finalizers", finalizers},
	{"GC", collections},
	{"memstats", memStats},
	{"metrics", measures},
	{"profiles", profiles},
	{"mutexes", mutexes},
	{"cond", conds},
	{"locked threads", lockedThreads},
	{"runtime settings", settings},
	{"interfaces", interfaces},
	{"unique", uniques},
	{"growing stacks", growing},
	{"goroutines", goroutines},
	{"panics", panics},
	{"process", processOf},
	{"context", contexts},
}

// pointerMap iterates maps keyed by pointers: their order is that of addresses.
func pointerMap() string {
	var b strings.Builder
	m := map[*int]int{}
	for i := range 1000 {
		p := new(int)
		*p = i
		m[p] = i
		_ = make([]byte, 10*i)
		if i%100 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	h := maphash.Comparable(initSeed, m == nil)
	for p := range m {
		fmt.Fprint(&b, *p, " ")
	}
	return fmt.Sprint(h, " ", b.String())
}

func mapOrder() string {
	var b strings.Builder
	m := map[string]int{}
	for i := range 50 {
		m[fmt.Sprint(i)] = i
	}
	for k := range m {
		b.WriteString(k + " ")
	}
	return b.String()
}

func initialisers() string {
	var b strings.Builder
	for k := range initMap {
		b.WriteString(k + " ")
	}
	initSync.Range(func(k, _ any) bool { b.WriteString(k.(string) + " "); return true })
	return fmt.Sprint(b.String(), time.Since(initStart), initRand, maphash.String(initSeed, "x"), initCrypt, initPid, initHost, initCPUs)
}

func hostname() string {
	name, _ := os.Hostname()
	return name
}

func initGoroutine() string {
	s := ""
	for range 20 {
		reply := make(chan int)
		initCh <- reply
		select {
		case <-reply:
			s += "r"
		case <-time.After(time.Second):
			s += "T"
		}
	}
	return s
}

func selects() string {
	var b strings.Builder
	var chs [10]chan int
	for i := range chs {
		chs[i] = make(chan int, 100)
		for j := range 100 {
			chs[i] <- j
		}
	}
	for range 100 {
		select {
		case <-chs[0]:
			b.WriteByte('0')
		case <-chs[1]:
			b.WriteByte('1')
		case <-chs[2]:
			b.WriteByte('2')
		case <-chs[3]:
			b.WriteByte('3')
		case <-chs[4]:
			b.WriteByte('4')
		case <-chs[5]:
			b.WriteByte('5')
		case <-chs[6]:
			b.WriteByte('6')
		case <-chs[7]:
			b.WriteByte('7')
		case <-chs[8]:
			b.WriteByte('8')
		case <-chs[9]:
			b.WriteByte('9')
		}
	}
	return b.String()
}

func pools() string {
	n := 0
	p := sync.Pool{New: func() any { n++; return &n }}
	var b strings.Builder
	var bufs sync.Pool
	for i := range 50 {
		x := p.Get()
		if i%3 == 0 {
			p.Put(x)
		}
		buf, _ := bufs.Get().(*bytes.Buffer)
		if buf == nil {
			buf = new(bytes.Buffer)
		}
		fmt.Fprint(buf, i)
		fmt.Fprint(&b, n, ":", buf.Len(), " ")
		bufs.Put(buf)
		if i%10 == 0 {
			runtime.GC()
		}
	}
	return b.String()
}

func pulls() string {
	s := ""
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			next, stop := iter.Pull(func(yield func(int) bool) {
				for j := range 20 {
					time.Sleep(time.Duration(j) * time.Millisecond)
					runtime.Gosched()
					if !yield(j) {
						return
					}
				}
			})
			defer stop()
			for v, ok := next(); ok; v, ok = next() {
				s += fmt.Sprint(i, ":", v, " ")
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	return s
}

func random() string {
	b := make([]byte, 16)
	crand.Read(b)
	dir, err := os.MkdirTemp("", "x")
	return fmt.Sprint(rand.Int(), randv2.Uint64(), rand.Perm(5), b, crand.Text(), dir, err, maphash.String(maphash.MakeSeed(), "x"))
}

func timerTies() string {
	s := ""
	var wg sync.WaitGroup
	at := time.Now().Add(time.Second)
	for i := range 20 {
		wg.Add(2)
		time.AfterFunc(time.Until(at), func() { s += fmt.Sprint(i, " "); wg.Done() })
		go func() { defer wg.Done(); time.Sleep(time.Until(at)); s += fmt.Sprint("s", i, " ") }()
	}
	wg.Wait()
	return s
}

func tickers() string {
	s := ""
	a, b := time.NewTicker(10*time.Millisecond), time.NewTicker(15*time.Millisecond)
	defer a.Stop()
	defer b.Stop()
	for range 30 {
		select {
		case t := <-a.C:
			s += fmt.Sprint("a", t.UnixMilli()%1000, " ")
		case t := <-b.C:
			s += fmt.Sprint("b", t.UnixMilli()%1000, " ")
		}
	}
	return s
}

func finalizers() string {
	s := ""
	for i := range 50 {
		p := new([100]int)
		runtime.SetFinalizer(p, func(*[100]int) { s += fmt.Sprint(i, " ") })
		runtime.AddCleanup(new([200]int), func(i int) { s += fmt.Sprint("c", i, " ") }, i)
		_ = make([]byte, 1<<20)
		time.Sleep(time.Microsecond)
		if i%10 == 0 {
			runtime.GC()
		}
	}
	return s
}

func collections() string {
	s := ""
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 5 {
				x := make([][]byte, 100)
				for k := range x {
					x[k] = make([]byte, 1000)
				}
				s += fmt.Sprint(i, j, ";")
				runtime.GC()
			}
		})
	}
	wg.Go(func() { debug.FreeOSMemory(); s += "f;" })
	wg.Wait()
	return s
}

func memStats() string {
	s := ""
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 50 {
				_ = make([]byte, 100000)
				var ms runtime.MemStats
				runtime.ReadMemStats(&ms)
				if j%10 == 0 {
					s += fmt.Sprint(i, j, " ", ms.HeapAlloc, " ", ms.Mallocs, " ", ms.NumGC, " ", ms.PauseTotalNs, "; ")
				}
			}
		})
	}
	wg.Wait()
	return s
}

// measures reads all that the runtime measures.
func measures() string {
	s := ""
	for range 10 {
		_ = make([]byte, 1<<20)
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for _, d := range metrics.All() {
		sample := []metrics.Sample{{Name: d.Name}}
		metrics.Read(sample)
		switch v := sample[0].Value; v.Kind() {
		case metrics.KindUint64:
			s += fmt.Sprint(d.Name, "=", v.Uint64(), " ")
		case metrics.KindFloat64:
			s += fmt.Sprint(d.Name, "=", v.Float64(), " ")
		case metrics.KindFloat64Histogram:
			s += fmt.Sprint(d.Name, "=", v.Float64Histogram().Counts, " ")
		}
	}
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	return fmt.Sprint(s, stats.LastGC.Unix(), stats.NumGC, stats.PauseTotal, stats.Pause)
}

// profiles waits, with every wait recorded, and writes what pprof says of it.
func profiles() string {
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			time.Sleep(time.Millisecond)
			mu.Unlock()
			select {
			case <-time.After(time.Millisecond):
			case <-make(chan int):
			}
		})
	}
	wg.Wait()
	var b strings.Builder
	for _, name := range []string{"block", "mutex", "goroutine"} {
		pprof.Lookup(name).WriteTo(&b, 1)
	}
	return strings.ReplaceAll(b.String(), "\n", "~")
}

func mutexes() string {
	s := ""
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	var n atomic.Int64
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				mu.Lock()
				time.Sleep(time.Duration(i*j) * 100 * time.Microsecond) // long enough to starve others
				s += fmt.Sprint(i)
				mu.Unlock()
				rw.RLock()
				n.Add(1)
				rw.RUnlock()
				if j%5 == 0 {
					rw.Lock()
					runtime.Gosched()
					rw.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return s
}

func conds() string {
	s := ""
	c := sync.NewCond(new(sync.Mutex))
	var wg sync.WaitGroup
	ready := 0
	for i := range 10 {
		wg.Go(func() {
			c.L.Lock()
			ready++
			c.Wait()
			s += fmt.Sprint(i)
			c.L.Unlock()
		})
	}
	for i := 0; i < 10; {
		time.Sleep(time.Millisecond)
		c.L.Lock()
		if ready == 10 {
			if i++; i%2 == 0 {
				c.Signal()
			} else if i > 5 {
				c.Broadcast()
			}
		}
		c.L.Unlock()
	}
	wg.Wait()
	return s
}

func lockedThreads() string {
	s := ""
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for j := range 20 {
				os.Getppid()
				os.Stat("/")
				time.Sleep(time.Duration(j) * time.Millisecond)
				s += fmt.Sprint(i)
			}
		})
	}
	wg.Wait()
	return s
}

func settings() string {
	a := runtime.GOMAXPROCS(2)
	b := runtime.GOMAXPROCS(a)
	c := debug.SetGCPercent(5)
	d := debug.SetGCPercent(c)
	return fmt.Sprint(a, b, c, d, debug.SetMaxStack(1<<20), debug.SetMemoryLimit(1<<30), runtime.NumCPU())
}

// interfaces goes through caches that the runtime fills at random.
func interfaces() string {
	n := 0
	vs := []any{1, "x", time.Second, os.ErrNotExist, bytes.NewBuffer(nil)}
	for i := range 5000 {
		switch v := vs[i%len(vs)].(type) {
		case fmt.Stringer:
			n += len(v.String())
		case error:
			n++
		}
	}
	return fmt.Sprint(n)
}

func uniques() string {
	var b strings.Builder
	for i := range 100 {
		h := unique.Make(fmt.Sprint("u", i%10))
		b.WriteString(h.Value())
	}
	runtime.GC()
	return b.String()
}

// growing has the kernel write to stacks, at every depth at which a stack may have
// to grow before the call is made.
func growing() string {
	for pad := range 40 {
		done := make(chan int)
		go func() { done <- shallow(pad) }()
		if lost := <-done; lost > 0 {
			panic(fmt.Sprintf("%d writes of the kernel were lost", lost))
		}
	}
	return "none lost"
}

//go:noinline
func shallow(n int) (lost int) {
	if n == 0 {
		return deep(200)
	}
	return shallow(n - 1)
}

//go:noinline
func deep(n int) (lost int) {
	wrote := 0
	rt.InKernel(func() { wrote = n })
	if wrote != n {
		lost++
	}
	if n == 0 {
		return lost
	}
	return lost + deep(n-1)
}

func goroutines() string {
	done := make(chan bool)
	for range 10 {
		go func() { <-done }()
	}
	time.Sleep(time.Millisecond)
	n := runtime.NumGoroutine()
	close(done)
	buf := make([]byte, 1<<16)
	stack := string(buf[:runtime.Stack(buf, false)])
	return fmt.Sprint(n, " ", strings.Count(stack, "goroutine "))
}

func panics() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var m map[string]int
	m["x"]++
	return
}

func processOf() string {
	dir, _ := os.Getwd()
	return fmt.Sprint(os.Getpid(), os.Getppid(), os.Getuid(), hostname(), dir, os.Args, os.Environ())
}

func contexts() string {
	s := ""
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			sub, stop := context.WithTimeout(ctx, time.Duration(i)*200*time.Millisecond)
			defer stop()
			<-sub.Done()
			s += fmt.Sprint(i, sub.Err() == context.DeadlineExceeded, " ")
		})
	}
	wg.Wait()
	return s
}
