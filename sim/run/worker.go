package run

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// WorkerOptions configures a worker.
type WorkerOptions struct {
	// Watchdog is how much real time a run may take; 0 is a minute.
	Watchdog time.Duration
}

const watchdogDefault = time.Minute

// Output is a run's result and what was kept of the run.
type Output struct {
	Result
	Events    []uint64          // recorded, as sim/trace reads them
	Symbols   map[uint64]string // of the program counters in Events
	Truncated bool              // there was not room for all events
}

// Worker is a process that forks a copy of itself for every run.
type Worker struct {
	cmd     *exec.Cmd
	name    string
	request *os.File
	status  *os.File
	output  *os.File
	stderr  tail
	options WorkerOptions
	exited  chan struct{}
	once    sync.Once
}

// workerEnv is a worker's whole environment: the heap's layout depends on it, and
// the user's own must not change a run.
var workerEnv = []string{
	"ORRERY_WORKER=1", "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asynctimerchan=0", "TZ=UTC", "HOME=/", "PATH=/usr/bin:/bin",
}

// StartWorker starts a worker for a scenario. It ends with ctx.
func StartWorker(ctx context.Context, s Scenario, o WorkerOptions) (*Worker, error) {
	if o.Watchdog <= 0 {
		o.Watchdog = watchdogDefault
	}
	w := &Worker{name: s.Name, options: o, exited: make(chan struct{})}
	requestRead, requestWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer requestRead.Close()
	statusRead, statusWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, requestWrite.Close())
	}
	defer statusWrite.Close()
	w.request, w.status = requestWrite, statusRead
	if w.output, err = unlinked(); err != nil {
		return nil, errors.Join(err, requestWrite.Close(), statusRead.Close())
	}
	// The names of a test's parents are matched one by one.
	match := "^" + strings.ReplaceAll(s.Name, "/", "$/^") + "$"
	w.cmd = exec.CommandContext(ctx, s.Binary.File)
	w.cmd.Args = []string{"orrery-worker", "-test.run=" + match, "-test.v=true", "-test.timeout=0", "-test.count=1"}
	w.cmd.Dir, w.cmd.Env = s.Binary.Dir, workerEnv
	w.cmd.Stdout, w.cmd.Stderr = &w.stderr, &w.stderr
	w.cmd.ExtraFiles = []*os.File{requestRead, statusWrite, w.output}
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	w.cmd.Cancel = w.killGroup
	if err := w.cmd.Start(); err != nil {
		return nil, errors.Join(err, w.closeFiles())
	}
	go func() { w.cmd.Wait(); close(w.exited) }()
	if kind, _, _, err := w.record(time.Time{}); err != nil || kind != 'h' {
		w.Close()
		return nil, fmt.Errorf("%s: no worker: the test ended before it called sim.Test: %s", s.Name, w.stderr.String())
	}
	return w, nil
}

// unlinked is a file without a name.
func unlinked() (*os.File, error) {
	f, err := os.CreateTemp("", "orrery-output-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

func (w *Worker) killGroup() error { return syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL) }

// Close ends the worker and a run that it is at.
func (w *Worker) Close() error {
	w.once.Do(func() {
		w.killGroup()
		<-w.exited
		w.closeFiles()
	})
	return nil
}

func (w *Worker) closeFiles() error {
	return errors.Join(w.request.Close(), w.status.Close(), w.output.Close())
}

// record reads what the worker tells of itself, until a deadline.
func (w *Worker) record(deadline time.Time) (kind byte, pid int, ws syscall.WaitStatus, err error) {
	var b [12]byte
	w.status.SetReadDeadline(deadline)
	if _, err := io.ReadFull(w.status, b[:]); err != nil {
		return 0, 0, 0, err
	}
	return b[0], int(binary.LittleEndian.Uint32(b[4:])), syscall.WaitStatus(binary.LittleEndian.Uint32(b[8:])), nil
}

// ErrWorkerGone says that the worker itself, not a run, has ended.
var ErrWorkerGone = errors.New("the worker ended")

// Run makes one run. A run that died or hung is a result; an error says that
// there was none.
func (w *Worker) Run(ctx context.Context, req Request) (Output, error) {
	w.stderr.Reset()
	body, err := json.Marshal(req)
	if err != nil {
		return Output{}, err
	}
	message := binary.LittleEndian.AppendUint32([]byte{'r'}, uint32(len(body)))
	if _, err := w.request.Write(append(message, body...)); err != nil {
		return Output{}, w.gone(ctx, err)
	}
	kind, pid, _, err := w.record(time.Time{})
	if err != nil || kind != 'f' {
		return Output{}, w.gone(ctx, err)
	}
	kind, _, ws, err := w.record(time.Now().Add(w.options.Watchdog))
	hung := errors.Is(err, os.ErrDeadlineExceeded)
	if hung {
		ws, err = w.stop(pid)
	}
	if err != nil {
		return Output{}, w.gone(ctx, err)
	}
	if hung {
		return w.noResult(req, NoProgress, fmt.Sprintf("nothing came of it in %v of real time", w.options.Watchdog)), nil
	}
	return w.collect(req, ws)
}

// stop ends a run that hangs: first so that it prints its stacks.
func (w *Worker) stop(pid int) (syscall.WaitStatus, error) {
	syscall.Kill(pid, syscall.SIGQUIT)
	_, _, ws, err := w.record(time.Now().Add(5 * time.Second))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		syscall.Kill(pid, syscall.SIGKILL)
		_, _, ws, err = w.record(time.Time{})
	}
	return ws, err
}

func (w *Worker) gone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%s: %w: %v: %s", w.name, ErrWorkerGone, err, w.stderr.String())
}

// collect reads what a run wrote.
func (w *Worker) collect(req Request, ws syscall.WaitStatus) (Output, error) {
	out, complete, err := readOutput(w.output)
	if err != nil {
		return Output{}, err
	}
	if !complete || ws.Signaled() || ws.ExitStatus() != 0 {
		how := fmt.Sprintf("exit status %d", ws.ExitStatus())
		if ws.Signaled() {
			how = "signal " + ws.Signal().String()
		}
		return w.noResult(req, Died, "the process of the run ended: "+how), nil
	}
	return out, nil
}

// noResult is the output of a run that did not make one.
func (w *Worker) noResult(req Request, v Verdict, reason string) Output {
	if text := strings.TrimSpace(w.stderr.String()); text != "" {
		reason += "\n" + text
	}
	return Output{Result: Result{Scenario: w.name, Seed: req.Seed, Verdict: v, Reason: reason}}
}

// readOutput reads the frames of a run; complete says that its last was there.
func readOutput(f *os.File) (out Output, complete bool, err error) {
	st, err := f.Stat()
	if err != nil {
		return out, false, err
	}
	b := make([]byte, st.Size())
	if _, err := f.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return out, false, err
	}
	for len(b) >= 8 {
		kind, flag, size := b[0], b[1], int(binary.LittleEndian.Uint32(b[4:]))
		if size > len(b)-8 {
			return out, false, nil
		}
		payload := b[8 : 8+size]
		b = b[8+size:]
		if err := out.frame(kind, flag, payload); err != nil {
			return out, false, fmt.Errorf("output of the run: frame %q: %w", kind, err)
		}
		if kind == 'R' {
			return out, true, nil
		}
	}
	return out, false, nil
}

func (o *Output) frame(kind, flag byte, payload []byte) error {
	switch kind {
	case 'C':
		o.Checkpoints = wordsOf(payload)
	case 'E':
		o.Events, o.Truncated = wordsOf(payload), flag != 0
	case 'S':
		return o.symbols(payload)
	case 'L':
		return json.Unmarshal(payload, &o.Log)
	case 'R':
		return json.Unmarshal(payload, &o.Result)
	default:
		return fmt.Errorf("want one of C, E, S, L and R")
	}
	return nil
}

func (o *Output) symbols(payload []byte) error {
	var byText map[string]string
	if err := json.Unmarshal(payload, &byText); err != nil {
		return err
	}
	o.Symbols = make(map[uint64]string, len(byText))
	for pc, name := range byText {
		n, err := strconv.ParseUint(pc, 10, 64)
		if err != nil {
			return err
		}
		o.Symbols[n] = name
	}
	return nil
}

func wordsOf(b []byte) []uint64 {
	out := make([]uint64, len(b)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return out
}

// tail keeps the first and the last of what is written to it.
type tail struct {
	mu   sync.Mutex
	head []byte
	last []byte
}

const tailSize = 16 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if room := tailSize - len(t.head); room > 0 {
		k := min(room, len(b))
		t.head = append(t.head, b[:k]...)
		b = b[k:]
	}
	t.last = append(t.last, b...)
	if over := len(t.last) - tailSize; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	return n, nil
}

func (t *tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head, t.last = t.head[:0], t.last[:0]
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) == 0 {
		return string(t.head)
	}
	return string(bytes.Join([][]byte{t.head, t.last}, []byte("\n...\n")))
}
