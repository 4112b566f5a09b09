package run

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also a worker, of no world: it speaks the protocol, and
// behaves as the scenario's name says.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("FAKE_FUTURE") != "":
		fakeFuture(os.Getenv("FAKE_FUTURE"))
	case os.Getenv("FAKE_RUN") != "":
		fakeRun(os.Getenv("FAKE_RUN"))
	case os.Getenv("ORRERY_WORKER") == "1":
		fakeWorker()
	case os.Getenv("ORRERY_LIST") != "":
		fakeList()
	case os.Getenv("FAKE_DRIVER") != "":
		fakeDriver()
	default:
		os.Exit(m.Run())
	}
}

// fake is the scenario of that name.
func fake(name string) Scenario {
	file, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Scenario{Binary: &Binary{Dir: os.TempDir(), File: file}, Name: name}
}

// fakeList lists one scenario, and ends as a binary whose next test panics does.
func fakeList() {
	os.WriteFile(os.Getenv("ORRERY_LIST"), []byte(`{"name":"TestA","params":{}}`), 0o600)
	fmt.Println("panic: in TestB")
	os.Exit(2)
}

func fakeWorker() {
	name := strings.Trim(strings.TrimPrefix(os.Args[1], "-test.run="), "^$")
	switch name {
	case "NoTest":
		fmt.Println("no such test")
		os.Exit(1)
	case "Silent":
		time.Sleep(time.Hour)
	case "Stranger":
		tell('?', 0, 0)
	}
	tell('h', 0, 0)
	files := []*os.File{os.NewFile(3, ""), os.NewFile(4, ""), os.NewFile(5, "")}
	for {
		var b [1]byte
		if n, _ := syscall.Read(3, b[:]); n == 0 {
			os.Exit(0)
		}
		c := exec.Command("/proc/self/exe")
		c.Env = append(os.Environ(), "FAKE_RUN="+name)
		c.ExtraFiles, c.Stdout, c.Stderr = files, os.Stdout, os.Stderr
		if err := c.Start(); err != nil {
			panic(err)
		}
		c.Wait()
		tell('x', c.Process.Pid, uint32(c.ProcessState.Sys().(syscall.WaitStatus)))
	}
}

func tell(kind byte, pid int, status uint32) {
	b := binary.LittleEndian.AppendUint32([]byte{kind, 0, 0, 0}, uint32(pid))
	syscall.Write(4, binary.LittleEndian.AppendUint32(b, status))
}

// fakeRun is the process of one run.
func fakeRun(name string) {
	tell('f', os.Getpid(), 0)
	if name == "DiesUnasked" {
		os.Exit(7)
	}
	requests := os.NewFile(3, "")
	read := func(b []byte) error { _, err := io.ReadFull(requests, b); return err }
	req, extra, err := ReadRequest(read, func(n int) []uint64 { return make([]uint64, n) })
	if err != nil {
		panic(err)
	}
	req.Record = extra.Record
	if dir := req.Params["pids"]; dir != "" {
		os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600)
	}
	syscall.Ftruncate(5, 0)
	syscall.Seek(5, 0, 0)
	if extra.Branches > 0 {
		fakeTrunk(req, extra)
	}
	r := Result{
		Scenario: name, Seed: req.Seed, Verdict: Pass, Hash: fmt.Sprintf("%016x", req.Seed*0x9e3779b97f4a7c15),
		Events: 3, Steps: 2, Virtual: int64(time.Second), Calls: 5,
	}
	behaviours[name](req, &r)
	writeAll(fakeOutput(req, r))
	os.Exit(0)
}

// fakeTrunk is the process of a run that parts: its seed says how it ends, and those
// of the futures how they do.
func fakeTrunk(req Request, extra Extra) {
	switch req.Seed {
	case 100:
		os.Exit(7)
	case 101:
		time.Sleep(time.Hour)
	case 102:
		os.Exit(0)
	}
	for extra.Branches > 0 {
		_, n := extra.NextBranch()
		for range n {
			seed, _, _ := extra.NextFuture()
			start, _ := syscall.Seek(5, 0, 1)
			c := exec.Command("/proc/self/exe")
			c.Env = append(os.Environ(), fmt.Sprintf("FAKE_FUTURE=%d", seed))
			c.ExtraFiles = []*os.File{os.NewFile(3, ""), os.NewFile(4, ""), os.NewFile(5, "")}
			c.Stdout, c.Stderr = os.Stdout, os.Stderr
			if err := c.Start(); err != nil {
				panic(err)
			}
			tell('b', c.Process.Pid, 0)
			c.Wait()
			status := uint32(c.ProcessState.Sys().(syscall.WaitStatus))
			tell('e', c.Process.Pid, status)
			if status != 0 {
				syscall.Ftruncate(5, start)
				syscall.Seek(5, start, 0)
				writeAll(frameOf('X', string(binary.LittleEndian.AppendUint32(nil, status))))
			}
		}
	}
	os.Exit(0)
}

func fakeFuture(seed string) {
	b := fakeOutput(Request{}, Result{Seed: 9, Verdict: Pass})
	switch seed {
	case "2":
		writeAll(b[:len(b)-1])
		os.Exit(7)
	case "3":
		time.Sleep(time.Hour)
	case "4":
		signal.Ignore(syscall.SIGQUIT)
		time.Sleep(time.Hour)
	}
	writeAll(b)
	os.Exit(0)
}

func writeAll(b []byte) {
	for len(b) > 0 {
		n, err := syscall.Write(5, b)
		if err != nil {
			panic(err)
		}
		b = b[n:]
	}
}

// behaviours is what runs do before they write their result.
var behaviours = map[string]func(Request, *Result){
	"Parts":       func(Request, *Result) {},
	"Good":        func(Request, *Result) {},
	"DiesUnasked": func(Request, *Result) {},
	"Stranger":    func(Request, *Result) {},
	"Slow": func(req Request, _ *Result) {
		time.Sleep(time.Duration(req.Seed*7919%5) * time.Millisecond)
	},
	"Mixed": mixed,
	"Dies": func(req Request, _ *Result) {
		if req.Seed%3 == 0 {
			fmt.Fprint(os.Stderr, "first words\n", strings.Repeat("talk\n", 20_000), "last words of ", req.Seed, "\n")
			os.Exit(2)
		}
	},
	"Killed": func(Request, *Result) { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} },
	"Hangs":  func(Request, *Result) { time.Sleep(time.Hour) },
	"Stubborn": func(Request, *Result) {
		signal.Ignore(syscall.SIGQUIT)
		fmt.Fprintln(os.Stderr, "will not go")
		time.Sleep(time.Hour)
	},
	"Cut": func(_ Request, r *Result) {
		b := fakeOutput(Request{}, *r)
		writeAll(b[:len(b)-1])
		os.Exit(0)
	},
	"Garbage": func(Request, *Result) { writeAll(frameOf('?', "junk")); os.Exit(0) },
	"OtherSeed": func(_ Request, r *Result) {
		r.Seed++
	},
	"KillsWorker": func(req Request, _ *Result) {
		if req.Seed == 3 {
			fmt.Fprintln(os.Stderr, "both of us")
			syscall.Kill(os.Getppid(), syscall.SIGKILL)
			time.Sleep(time.Hour)
		}
	},
	"OnlyOnce": func(req Request, r *Result) { // in any process, by a file that marks it
		f, err := os.OpenFile(req.Params["mark"], os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			os.Exit(9)
		}
		f.Close()
		if r.Verdict = Verdict(req.Params["first"]); r.Verdict == Violated {
			r.Violation = &Violation{Oracle: "o", Message: "m"}
		}
	},
	"Kinds": kinds,
	"Differs": func(req Request, r *Result) {
		if req.Seed%4 == 0 {
			r.Hash = fmt.Sprintf("%016x", os.Getpid())
		}
	},
}

// mixed gives seeds every end that does not stop a sweep.
func mixed(req Request, r *Result) {
	time.Sleep(time.Duration(req.Seed*7919%5) * time.Millisecond)
	r.Faults = []Fault{{Kind: "cut", Landed: req.Seed%2 == 0}, {Kind: "crash", Landed: true}}
	switch {
	case req.Seed%10 == 3:
		r.Verdict = Violated
		r.Violation = &Violation{Oracle: "o", Message: fmt.Sprintf("lost %d", req.Seed)}
	case req.Seed%10 == 5:
		r.Verdict = Vacuous
	case req.Seed == 17:
		r.Verdict, r.Reason = Unknown, "no idea"
	case req.Seed == 18:
		os.Exit(2)
	}
}

// kinds makes half of the seeds fail, in three ways: two panics of one message at two
// places, and a check.
func kinds(req Request, r *Result) {
	panicAt := func(function string) *Violation {
		return &Violation{Oracle: "panic", Message: "nil map", Stack: stack(int(req.Seed), "kv.(*Server)."+function, "kv.Main")}
	}
	if req.Seed%2 == 1 {
		return
	}
	r.Verdict = Violated
	switch req.Seed % 3 {
	case 0:
		r.Violation = panicAt("get")
	case 1:
		r.Violation = panicAt("put")
	default:
		node := []string{"east", "west"}[req.Seed/2%2]
		r.Violation = &Violation{
			Oracle: "durability", Node: node, Names: []string{node},
			Message: fmt.Sprintf("%s lost key %q after %dms", node, fmt.Sprint("k", req.Seed), req.Seed),
		}
	}
}

// fakeOutput is the frames of a run. The recorded events of "Differs" part at
// their third.
func fakeOutput(req Request, r Result) []byte {
	var out []byte
	if req.Record != RecordNone {
		var words []byte
		for i := range uint64(5) {
			a := i
			if r.Scenario == "Differs" && i >= 2 && req.Seed%4 == 0 {
				a = uint64(os.Getpid())
			}
			// A run of goroutine a, with a stack of one.
			for _, w := range []uint64{1 | 1<<8, 946684800000000000 + i, a, 0, 0, a, 4096 + i} {
				words = binary.LittleEndian.AppendUint64(words, w)
			}
		}
		out = append(out, frameOf('E', string(words))...)
		out = append(out, frameOf('S', `{"4098":[{"func":"main.third","file":"third.go","line":3}]}`)...)
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return append(out, frameOf('R', string(b))...)
}

// fakeDriver starts a worker, says its number, and waits to be killed.
func fakeDriver() {
	w, err := StartWorker(context.Background(), fake("Good"), WorkerOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(w.proc.cmd.Process.Pid)
	time.Sleep(time.Hour)
}

// gone waits until a process has ended: one that nobody reaps counts as ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}
