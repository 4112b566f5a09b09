package run

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// workerEnv is a worker's whole environment: the heap's layout depends on it, and
// the user's own must not change a run. The first makes it a worker.
var workerEnv = []string{
	"ORRERY_WORKER=1", "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asynctimerchan=0", "TZ=UTC", "HOME=/", "PATH=/usr/bin:/bin",
}

// process is a worker's process, leader of a group that holds its runs.
type process struct {
	cmd     *exec.Cmd
	request *os.File
	status  *os.File
	output  *os.File
	steps   *os.File // a word that counts the steps of the run
	stderr  *listener
	exited  chan struct{}
	once    sync.Once
}

// startProcess starts a worker's process. It is killed, with its runs, when ctx
// ends or this process does.
func startProcess(ctx context.Context, s Scenario) (p *process, err error) {
	p = &process{exited: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.closeFiles())
		}
	}()
	var theirs [3]*os.File // the ends of the pipes that the worker has
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	if theirs[0], p.request, err = os.Pipe(); err != nil {
		return p, err
	}
	if p.status, theirs[1], err = os.Pipe(); err != nil {
		return p, err
	}
	if p.stderr, theirs[2], err = listen(); err != nil {
		return p, err
	}
	if p.output, err = unlinked(); err != nil {
		return p, err
	}
	if p.steps, err = unlinked(); err != nil {
		return p, err
	}
	if err = p.steps.Truncate(8); err != nil {
		return p, err
	}
	p.cmd = exec.CommandContext(ctx, s.Binary.File)
	p.cmd.Args = append([]string{"orrery-worker"}, s.testFlags()...)
	p.cmd.Dir, p.cmd.Env = s.Binary.Dir, workerEnv
	p.cmd.Stdout, p.cmd.Stderr = theirs[2], theirs[2]
	p.cmd.ExtraFiles = []*os.File{theirs[0], theirs[1], p.output, p.steps}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.cmd.Cancel = p.killGroup
	if err := onStarter(p.cmd.Start); err != nil {
		return p, err
	}
	go p.wait()
	return p, nil
}

// wait reaps the worker once its group is dead: until then the group's number is
// nobody else's. A run that outlives its worker would hold the pipes open.
func (p *process) wait() {
	for {
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	p.killGroup()
	p.cmd.Wait()
	close(p.exited)
}

// starts is served by one thread for ever: a child with a Pdeathsig is killed
// when the thread that started it ends, and a caller's thread may.
var starts = sync.OnceValue(func() chan<- func() {
	todo := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range todo {
			f()
		}
	}()
	return todo
})

func onStarter(f func() error) error {
	done := make(chan error)
	starts() <- func() { done <- f() }
	return <-done
}

// unlinked is a file without a name.
func unlinked() (*os.File, error) {
	f, err := os.CreateTemp("", "orrery-output-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

func (p *process) killGroup() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// close ends the worker and a run that it is at.
func (p *process) close() error {
	var err error
	p.once.Do(func() {
		p.cmd.Process.Kill() // refused once it is reaped; wait kills the group
		<-p.exited
		p.stderr.drain()
		err = p.closeFiles()
	})
	return err
}

func (p *process) closeFiles() (err error) {
	for _, f := range []*os.File{p.request, p.status, p.output, p.steps} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	if p.stderr != nil {
		err = errors.Join(err, p.stderr.Close())
	}
	return err
}

// record is what a worker tells of itself: 'h', it is ready; 'x', a run ended; and what
// a run tells: 'f', it began; of a run that parts, 'b', a future began, and 'e', it ended.
// That order is the pipe's, since a run's first word is its own.
type record struct {
	kind   byte
	pid    int
	status syscall.WaitStatus
}

// expect returns err, or what is wrong with a record that ought to be of a kind.
func (r record) expect(kind byte, err error) error {
	if err == nil && r.kind != kind {
		err = fmt.Errorf("status of the worker: got %q, want %q", r.kind, kind)
	}
	return err
}

// next reads a record, for at most so long.
func (p *process) next(within time.Duration) (record, error) {
	var b [12]byte
	p.status.SetReadDeadline(time.Now().Add(within))
	if _, err := io.ReadFull(p.status, b[:]); err != nil {
		return record{}, err
	}
	return record{b[0], int(binary.LittleEndian.Uint32(b[4:])), syscall.WaitStatus(binary.LittleEndian.Uint32(b[8:]))}, nil
}

// send writes a request, for at most so long: a run that dies first leaves the
// pipe full.
func (p *process) send(message []byte, within time.Duration) error {
	p.request.SetWriteDeadline(time.Now().Add(within))
	_, err := p.request.Write(message)
	return err
}

// text is what the worker and its run have printed.
func (p *process) text() string {
	p.stderr.drain()
	return strings.TrimSpace(p.stderr.String())
}

// forget drops what was printed so far.
func (p *process) forget() {
	p.stderr.drain()
	p.stderr.Reset()
	p.steps.WriteAt(make([]byte, 8), 0)
}

// step is the step that the run is at.
func (p *process) step() uint64 {
	var b [8]byte
	p.steps.ReadAt(b[:], 0)
	return binary.NativeEndian.Uint64(b[:])
}
