package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// end is how a driver's process ended.
type end struct {
	code   int            // -1 if a signal ended it
	signal syscall.Signal // 0 if none did
	left   bool           // others of its group still ran
	log    error          // why its output could not be logged
}

func (e end) exit() Exit {
	switch e.code {
	case 0:
		return ExitClean
	case 1:
		return ExitFailure
	case 3:
		return ExitUndecided
	}
	return ExitNone
}

func (e end) String() string {
	if e.signal != 0 {
		return fmt.Sprintf("signal %d (%v)", int(e.signal), e.signal)
	}
	return fmt.Sprint("exit code ", e.code)
}

// start runs the process and ends its group. The error is about running it, or ctx's
// cause if that was done first.
func (d Driver) start(ctx context.Context, job Job, session string, log io.Writer) (end, error) {
	none := end{code: -1}
	if err := context.Cause(ctx); err != nil {
		return none, err
	}
	c := exec.Command(d.Command[0], d.Command[1:]...)
	c.Dir, c.Env = d.Dir, d.environ(job, session)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, wait, err := d.output(log)
	if err != nil {
		return none, err
	}
	c.Stdout, c.Stderr = out, out
	err = c.Start()
	out.Close()
	if err != nil {
		wait()
		return none, fmt.Errorf("%w: want a program that can be started", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	group := c.Process.Pid
	select {
	case err = <-ended:
		e := endOf(c)
		e.left = endGroup(group, d.grace())
		e.log = wait()
		return e, notExit(err)
	case <-ctx.Done():
		endGroup(group, d.grace())
		<-ended
		wait()
		return none, context.Cause(ctx)
	}
}

// notExit drops the error that only says how a process ended.
func notExit(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

func endOf(c *exec.Cmd) end {
	status, _ := c.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return end{code: -1, signal: status.Signal()}
	}
	return end{code: c.ProcessState.ExitCode()}
}

// output makes a pipe to the log. wait returns once all is copied, or what still holds
// the pipe, in another group, has said nothing more for the grace.
func (d Driver) output(log io.Writer) (w *os.File, wait func() error, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(log, r)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			io.Copy(io.Discard, r) // a driver is not stopped by a log that is full
		} else {
			err = nil
		}
		copied <- err
	}()
	return w, func() error {
		r.SetReadDeadline(time.Now().Add(d.grace()))
		err := <-copied
		if err != nil {
			err = fmt.Errorf("its output could not be logged: %w", err)
		}
		return errors.Join(err, r.Close())
	}, nil
}
