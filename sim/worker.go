package sim

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/orrery-sim/orrery/sim/choice"
	"github.com/orrery-sim/orrery/sim/internal/rt"
	"github.com/orrery-sim/orrery/sim/run"
)

// Descriptors that a worker is started with.
const (
	fdRequest = 3
	fdStatus  = 4
	fdOutput  = 5
	fdWatch   = 6
)

// list appends this scenario, as a line of JSON, to the file that asks for it.
func list(t *testing.T, c config) {
	params := map[string][]string{}
	for _, p := range c.params {
		params[p.name] = p.values
	}
	line, err := json.Marshal(struct {
		Name   string              `json:"name"`
		Params map[string][]string `json:"params"`
	}{t.Name(), params})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(os.Getenv("ORRERY_LIST"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}

// scenario is what a worker runs for each request.
type scenario struct {
	t     *testing.T // nil if no test runs it
	name  string
	c     config
	setup func(*World)
	data  dataCopy // of package data, before any run
}

// Work makes this process, a worker whose binary is no test of a scenario, run
// setup for each request, as [Test] does. The world has no *testing.T. It returns
// at once if the process is no worker, and never if it is.
func Work(name string, setup func(*World), options ...Option) {
	if !isWorker() {
		return
	}
	s := scenario{name: name, setup: setup}
	for _, o := range options {
		o(&s.c)
	}
	s.work()
}

func isWorker() bool { return os.Getenv("ORRERY_WORKER") == "1" }

// work is the life of a worker: it loads once, then copies itself for every
// request. Between two copies it allocates nothing and waits for nothing but the
// next request, so that every copy starts from the same memory.
func (s scenario) work() {
	if !rt.Patched {
		fatalf("ORRERY_WORKER is set, but this binary was not built with the patched toolchain")
	}
	worker := realPID(syscall.SYS_GETPID)
	watched()
	if packages := rt.Cgo(); len(packages) > 0 {
		fatalf("this binary calls C, in %s: want Go alone, since C goes past a world: set CGO_ENABLED=0, or with -race give -tags netgo,osusergo", strings.Join(packages, ", "))
	}
	keepPerNodes()
	s.data = copyData()
	if err := rt.Guard(); err != nil {
		fatalf("seccomp: %v: want a Linux that lets a process filter its own system calls", err)
	}
	if err := startCoverage(); err != nil {
		fatalf("%v", err)
	}
	warmUp()
	runtime.GC()
	status('h', 0, 0)
	var buf [1]byte
	for {
		n, err := rawRead(fdRequest, buf[:])
		if err != 0 || n == 0 {
			rt.ExitWorker(0)
		}
		pid, ferr := rt.Fork()
		if ferr != nil {
			fatalf("fork: %v", ferr)
		}
		if pid == 0 {
			dieWith(worker)
			status('f', uint32(realPID(syscall.SYS_GETPID)), 0) // by the run: it comes before what its branches tell
			s.runOne()
			rt.ExitWorker(0)
		}
		ws := await(pid)
		status('x', uint32(pid), ws)
	}
}

// warmUp has package json learn the types of requests and results, which each run
// would learn anew.
func warmUp() {
	req := run.Request{Params: map[string]string{"": ""}, Faults: []string{""}, Until: &run.Moment{}}
	if err := json.Unmarshal(encode(req), &req); err != nil {
		fatalf("request: %v", err)
	}
	encode(run.Result{Violation: &run.Violation{}})
	encode([]run.LogLine{{}})
}

// watched shows the driver each step of a run, in memory that they share.
func watched() {
	addr, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, 8, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED, fdWatch, 0)
	if errno != 0 {
		fatalf("the memory that shows a run's progress: %v", errno)
	}
	watchWord = addr
	rt.ProgressTo(addr)
}

// watchWord is the address of the word that the driver watches.
var watchWord uintptr

// unwatched tells the driver that the run now works without steps.
func unwatched() {
	if watchWord != 0 {
		rt.ProgressTo(0)
		**(**uint64)(unsafe.Pointer(&watchWord)) = run.Unwatched
	}
}

// dieWith has this process killed when its parent ends, as the parent is when the
// driver does: a run that spins must not outlive them.
func dieWith(parent int) {
	const prSetPdeathsig = 1
	syscall.RawSyscall(syscall.SYS_PRCTL, prSetPdeathsig, uintptr(syscall.SIGKILL), 0)
	if realPID(syscall.SYS_GETPPID) != parent {
		rt.ExitWorker(3)
	}
}

// realPID is what getpid and getppid say of this process: package syscall gives a worker
// constants.
func realPID(call uintptr) int {
	pid, _, _ := syscall.RawSyscall(call, 0, 0, 0)
	return int(pid)
}

// status tells the driver what happened, in one write.
func status(kind byte, pid, ws uint32) {
	var rec [12]byte
	rec[0] = kind
	binary.LittleEndian.PutUint32(rec[4:], pid)
	binary.LittleEndian.PutUint32(rec[8:], ws)
	syscall.RawSyscall(syscall.SYS_WRITE, fdStatus, uintptr(unsafe.Pointer(&rec[0])), uintptr(len(rec)))
}

func rawRead(fd uintptr, b []byte) (int, syscall.Errno) {
	for {
		n, _, e := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		if e != syscall.EINTR {
			return int(n), e
		}
	}
}

func readFull(b []byte) error {
	for len(b) > 0 {
		n, e := rawRead(fdRequest, b)
		if e != 0 {
			return e
		}
		if n == 0 {
			return fmt.Errorf("the request ends early")
		}
		b = b[n:]
	}
	return nil
}

// runOne runs one world, in a copy of the worker, and writes what came of it.
func (s scenario) runOne() {
	req, extra, err := run.ReadRequest(readFull, offHeap)
	if err != nil {
		fatalf("request: %v", err)
	}
	params, err := s.c.values(req.Params)
	if err != nil {
		fatalf("request: %v", err)
	}
	if err := syscall.Ftruncate(fdOutput, 0); err != nil {
		fatalf("output: %v", err)
	}
	syscall.Seek(fdOutput, 0, 0)
	w := newWorld(s.t, req, choices(req.Seed, extra.Overrides, extra.Neutral), params)
	p := parting{name: s.name, w: w, extra: extra}
	p.next()
	config := rt.Config{Seed: req.Seed, Overrides: extra.Overrides, Record: recordOf(extra), Schedule: scheduleOf(extra.Neutral), Stands: p.stands}
	stats := rt.Run(config, func() { w.main(s.setup) })
	if p.owes() {
		return // the run's end came before the moments that it was to part at
	}
	if w.started > 1 {
		frame('D', 0, wordBytes(s.data.changed()))
	}
	writeRun(w.result(s.name, stats), extra)
}

// writeRun ends a run: with what its instruments have found.
func writeRun(r run.Result, extra run.Extra) {
	if r.Violation == nil && raceErrors() > 0 {
		r.Verdict, r.Reason = run.Violated, ""
		r.Violation = &run.Violation{Oracle: run.OracleRace, Message: "data race", At: r.Virtual}
	}
	writeCoverage()
	writeOutput(r, extra.Record)
}

// choices is the source of a run's choices but for those of goroutines.
func choices(seed uint64, overrides []choice.Keyed, neutral []choice.Key) *choice.Source {
	src := choice.NewKeyed(seed, overrides)
	src.Neutral(neutral)
	src.Record(rt.Chosen)
	return src
}

// scheduleOf is where the choices of the schedule come from.
func scheduleOf(neutral []choice.Key) rt.Schedule {
	if slices.Contains(neutral, choice.NameKey("sched")) {
		return rt.FirstInFirstOut
	}
	return rt.Drawn
}

// recordOf is what the runtime is to keep of a run.
func recordOf(extra run.Extra) rt.Record {
	switch {
	case extra.Record == run.RecordStacks:
		return rt.RecordStacks
	case extra.Record == run.RecordEvents || extra.Until != (run.Moment{}): // which names goroutines
		return rt.RecordEvents
	}
	return rt.RecordNothing
}

func fatalf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "orrery worker: "+format+"\n", args...)
	rt.ExitWorker(3)
}

// writeState writes the frames of a run that ends here, to be looked at.
func (p *parting) writeState() {
	w, extra := p.w, p.extra
	s := w.snapshot()
	if extra.Until.Time != 0 && (extra.Until.Events == 0 || s.Events < extra.Until.Events) {
		s.At = extra.Until.Time // nothing happens between the last event and then
	}
	frame('T', 0, encode(s))
	writeOutput(run.Result{
		Scenario: p.name, Seed: w.req.Seed, Verdict: run.Stopped, Hash: s.Hash, Events: s.Events, Virtual: s.At,
		Calls: w.kern.Calls(), Log: w.log,
	}, extra.Record)
}

// writeOutput writes the frames of a run, the result last.
func writeOutput(r run.Result, record run.Record) {
	words, checkpoints, truncated := rt.Log()
	frame('C', 0, wordBytes(checkpoints))
	if record != run.RecordNone {
		flag := byte(0)
		if truncated {
			flag = 1
		}
		frame('E', flag, wordBytes(words))
	}
	if record == run.RecordStacks {
		frame('S', 0, encode(symbols(words)))
	}
	frame('L', 0, encode(r.Log))
	frame('R', 0, encode(r))
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		fatalf("result: %v", err)
	}
	return b
}

func wordBytes(words []uint64) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
}

func frame(kind, flag byte, payload []byte) {
	head := [8]byte{kind, flag}
	binary.LittleEndian.PutUint32(head[4:], uint32(len(payload)))
	for _, b := range [][]byte{head[:], payload} {
		for len(b) > 0 {
			n, err := syscall.Write(fdOutput, b)
			if err != nil {
				fatalf("output: %v", err)
			}
			b = b[n:]
		}
	}
}
