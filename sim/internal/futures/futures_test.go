package futures

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/sim"
	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/run"
	"github.com/orrery-sim/orrery/sim/trace"
)

// server keeps what it is sent in a file, each connection in a map whose order
// depends on addresses, and their number in memory that is at two addresses.
var server = sim.NewProgram("server", func() {
	f, err := os.OpenFile("/log", os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	check(err)
	l, err := net.Listen("tcp", os.Args[1]+":80")
	check(err)
	counted, count := counter()
	connections := map[*net.TCPConn]int{}
	lines, more := make(chan string), make(chan string)
	go func() {
		for {
			var line string
			select {
			case line = <-lines:
			case line = <-more:
			}
			_, err := fmt.Fprintln(f, line)
			check(err)
			check(f.Sync())
		}
	}()
	for n := 0; ; n++ {
		c, err := l.Accept()
		check(err)
		connections[c.(*net.TCPConn)] = n
		order := []int{}
		for _, i := range connections {
			order = append(order, i)
		}
		*count++
		var stored [1]byte
		_, err = counted.ReadAt(stored[:], 0)
		check(err)
		fmt.Println("connections:", order, "of", stored[0])
		go func() {
			for s := bufio.NewScanner(c); s.Scan(); {
				select {
				case lines <- s.Text():
				case more <- s.Text():
				}
				fmt.Fprintln(c, "ok")
			}
		}()
	}
})

// counter is a file of a page, and its memory in place of other memory.
func counter() (*os.File, *byte) {
	f, err := os.OpenFile("/count", os.O_CREATE|os.O_RDWR, 0o600)
	check(err)
	check(f.Truncate(4096))
	own, err := unix.MmapPtr(-1, 0, nil, 4096, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	check(err)
	p, err := unix.MmapPtr(int(f.Fd()), 0, own, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED)
	check(err)
	return f, (*byte)(p)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func TestTalk(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		nodes := w.Nodes("n", 2)
		for _, n := range nodes {
			n.Start(server, n.Addr())
		}
		w.SafetyFor(5 * time.Second)
		w.Plan("at 1s lose c1 n1 20% for 2s", "at 2500ms kill n2 for 300ms")
		for _, c := range w.Clients("c", 3) {
			c.Run(func() {
				for op := range c.Ops(0, 200*time.Millisecond) {
					talk(nodes[op.Intn(2)].Addr(), op.Index)
					time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
				}
			})
		}
	})
}

// talk sends a few lines and waits for the answers.
func talk(addr string, i int) {
	c, err := net.DialTimeout("tcp", addr+":80", time.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(500 * time.Millisecond))
	s := bufio.NewScanner(c)
	for range 1 + rand.IntN(3) {
		fmt.Fprintln(c, "line", i)
		if !s.Scan() {
			fmt.Println(s.Err())
			return
		}
	}
	fmt.Println("talked", i)
}

func seed(n uint64) *uint64 { return &n }

// moments are where the tests part runs: amid quiet and amid steps.
var moments = []run.Moment{{Time: 1}, {Time: int64(1300 * time.Millisecond)}, {Events: 700}, {Time: int64(4 * time.Second)}}

// TestFutures wants the same futures from the same moments in each of three
// processes; and of them the one that changes nothing to be the run that was not
// parted, in every byte.
func TestFutures(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	req := run.Request{Seed: 7}
	whole := one(t, s, req)
	branches := make([]run.Branch, len(moments))
	for i, m := range moments {
		branches[i] = run.Branch{At: m, Futures: []run.Future{{Seed: seed(101)}, {}, {Seed: seed(102)}, {Seed: seed(103)}}}
	}
	var first [][]run.Output
	for i := range 3 {
		futures := branch(t, s, req, branches)
		if i == 0 {
			first = futures
		}
		for j, outputs := range futures {
			if len(outputs) != 4 {
				t.Fatalf("process %d, %v: got %d futures, want 4", i, moments[j], len(outputs))
			}
			hashes := map[string]bool{}
			for k, out := range outputs {
				hashes[out.Hash] = true
				if !reflect.DeepEqual(out, first[j][k]) {
					t.Errorf("process %d, %v, future %d: %s, in the first process %s", i, moments[j], k, out.Hash, first[j][k].Hash)
				}
			}
			if len(hashes) != 4 {
				t.Errorf("%v: 4 futures came to %d ends: %v", moments[j], len(hashes), hashes)
			}
			if !reflect.DeepEqual(outputs[1], whole) {
				t.Errorf("%v: the future that changes nothing: %s, without a branch %s", moments[j], outputs[1].Hash, whole.Hash)
			}
		}
	}
	fmt.Printf("unparted %s; futures at %v of three processes: %s %s %s %s\n", whole.Hash, moments[1], first[1][0].Hash, first[1][1].Hash, first[1][2].Hash, first[1][3].Hash)
}

// TestNothingMoves: what is kept of a run, and overrides that change nothing, leave
// it as it is; and so do futures whose overrides do.
func TestNothingMoves(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	whole := one(t, s, run.Request{Seed: 7})
	idle := make([]choice.Override, 100)
	for i := range idle {
		idle[i] = choice.Override{Stream: "nobody", Index: uint64(i), Value: 1}
	}
	for name, req := range map[string]run.Request{
		"recorded": {Seed: 7, Record: run.RecordStacks}, "overridden": {Seed: 7, Overrides: idle},
	} {
		out := one(t, s, req)
		if out.Hash != whole.Hash || !reflect.DeepEqual(out.Log, whole.Log) {
			t.Errorf("%s: %s, want %s", name, out.Hash, whole.Hash)
		}
	}
	futures := branch(t, s, run.Request{Seed: 7}, []run.Branch{
		{At: run.Moment{Events: 500}, Futures: []run.Future{{Overrides: idle}, {Overrides: []choice.Override{{Stream: "sched/n1/0", Index: 40, Value: 0}}}}},
	})
	if got := futures[0][0].Hash; got != whole.Hash {
		t.Errorf("a future with overrides of nothing: %s, want %s", got, whole.Hash)
	}
}

// TestAnewFromBefore: a future that parts before a choice is drawn, and replaces it, is
// the run of the request that replaces it.
func TestAnewFromBefore(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	req := run.Request{Seed: 7, Neutral: []string{"disk"}}
	record := req
	record.Record = run.RecordEvents
	choices, err := trace.Choices(one(t, s, record).Events)
	if err != nil {
		t.Fatal(err)
	}
	var branches []run.Branch
	count := map[string]int{}
	for _, c := range choices {
		family, _, _ := strings.Cut(c.Stream, "/")
		if count[family]++; c.Since == 0 || count[family]%97 != 5 {
			continue
		}
		o := choice.Override{Stream: c.Stream, Index: c.Index, Value: 1}
		if c.Value != 0 {
			o.Value = 0
		}
		last := len(branches) - 1
		if last < 0 || branches[last].At.Events != c.Since {
			branches = append(branches, run.Branch{At: run.Moment{Events: c.Since}})
			last++
		}
		branches[last].Futures = append(branches[last].Futures, run.Future{Overrides: []choice.Override{o}})
	}
	tried := 0
	for i, outputs := range branch(t, s, req, branches) {
		for j, out := range outputs {
			fresh := req
			fresh.Overrides = branches[i].Futures[j].Overrides
			if want := one(t, s, fresh); !reflect.DeepEqual(out, want) {
				t.Errorf("%v, parting after %d events: %s, want %s", fresh.Overrides, branches[i].At.Events, out.Hash, want.Hash)
			}
			tried++
		}
	}
	if tried < 20 {
		t.Errorf("%d choices were replaced, of %v", tried, count)
	}
}

// TestPrefix: a future has the events of the run up to its branch, and a branch
// after the run's end has no futures.
func TestPrefix(t *testing.T) {
	if os.Getenv("ORRERY_LIST") != "" {
		return
	}
	s := scenario(t)
	req := run.Request{Seed: 7, Record: run.RecordEvents}
	whole := one(t, s, req)
	at := run.Moment{Time: int64(2 * time.Second)}
	futures := branch(t, s, req, []run.Branch{
		{At: at, Futures: []run.Future{{Seed: seed(9)}}},
		{At: run.Moment{Time: int64(time.Hour)}, Futures: []run.Future{{}}},
	})
	if len(futures[0]) != 1 || futures[1] != nil {
		t.Fatalf("got %d and %d futures, want 1 and none", len(futures[0]), len(futures[1]))
	}
	n := 0
	for n < len(whole.Events) && whole.Events[n] == futures[0][0].Events[n] {
		n++
	}
	before := 0
	for before < len(whole.Log) && whole.Log[before].At < 2*time.Second {
		before++
	}
	if n < 1000 || !reflect.DeepEqual(whole.Log[:before], futures[0][0].Log[:before]) {
		t.Errorf("%d words and %d lines of log are those of the run's start", n, before)
	}
	if out := futures[0][0]; out.Hash == whole.Hash || out.Verdict != run.Pass {
		t.Errorf("the future: %s, %s: want another hash, and a pass", out.Hash, out.Verdict)
	}
}

// built is this package's test, built with the patched toolchain.
var built = sync.OnceValues(func() ([]*run.Binary, error) {
	return run.Build(context.Background(), []string{"."}, run.Options{})
})

func scenario(t *testing.T) run.Scenario {
	t.Helper()
	b, err := built()
	if err != nil {
		t.Fatal(err)
	}
	list, err := b[0].Scenarios(t.Context(), regexp.MustCompile("^TestTalk$"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d scenarios: %v", len(list), err)
	}
	return list[0]
}

// one makes a run in a process of its own.
func one(t *testing.T, s run.Scenario, req run.Request) run.Output {
	t.Helper()
	w := worker(t, s)
	defer w.Close()
	out, err := w.Run(t.Context(), req)
	if err != nil || out.Verdict != run.Pass {
		t.Fatalf("%s, %s: %v", out.Verdict, out.Reason, err)
	}
	return out
}

func branch(t *testing.T, s run.Scenario, req run.Request, branches []run.Branch) [][]run.Output {
	t.Helper()
	w := worker(t, s)
	defer w.Close()
	out, err := w.Branch(t.Context(), req, branches)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func worker(t *testing.T, s run.Scenario) *run.Worker {
	t.Helper()
	w, err := run.StartWorker(t.Context(), s, run.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
