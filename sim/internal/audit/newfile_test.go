package audit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/sim"
)

// TestNewFilesWait: descriptors that a program made by system calls of its own, and
// gave to os.NewFile, wait by the runtime's poller for what comes later, and no longer
// than their deadlines.
func TestNewFilesWait(t *testing.T) {
	sim.Test(t, func(w *sim.World) {
		c, n := w.Clients("c", 1)[0], w.Nodes("n", 1)[0]
		n.Start(waitingProgram)
		c.Run(func() {
			time.Sleep(20 * time.Second)
			if got := w.Log(n.Name()); len(got) != 1 || got[0] != "all done" {
				t.Errorf("%s wrote %q, want all done", n.Name(), got)
			}
		})
	})
}

var waitingProgram = sim.NewProgram("waiting", func() {
	for _, f := range []func() (*source, error){notified, counted, timed, piped, paired, addressed} {
		s, err := f()
		if err == nil {
			err = s.check()
		}
		if err != nil {
			panic(err)
		}
	}
	fmt.Println("all done")
	time.Sleep(time.Hour) // a program that ends is started again when the world heals
})

// source is a file with nothing to read, and what puts something there.
type source struct {
	file *os.File
	put  func() error
	is   func([]byte) bool // what was put
}

// check reads when there is nothing until a deadline, and until something comes.
func (s *source) check() error {
	defer s.file.Close()
	b, start := make([]byte, 4096), time.Now()
	if err := s.file.SetDeadline(start.Add(time.Second)); err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	if n, err := s.file.Read(b); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) < time.Second {
		return fmt.Errorf("%s: read %d bytes and %v after %v, want no more than the deadline", s.file.Name(), n, err, time.Since(start))
	}
	s.file.SetDeadline(time.Time{})
	failed := make(chan error)
	go func() {
		time.Sleep(time.Second)
		failed <- s.put()
	}()
	n, err := s.file.Read(b)
	if err == nil {
		err = <-failed
	}
	if err == nil && (!s.is(b[:n]) || time.Since(start) < 2*time.Second) {
		err = fmt.Errorf("read %q after %v", b[:n], time.Since(start))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	return nil
}

// notified reads of a move in a directory.
func notified() (*source, error) {
	if err := os.MkdirAll("/srv/watched", 0o700); err != nil {
		return nil, err
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, "/srv/watched", unix.IN_ALL_EVENTS)
	}
	return &source{
		os.NewFile(uintptr(fd), "inotify"),
		func() error { return os.Mkdir("/srv/watched/new", 0o700) },
		func(b []byte) bool {
			e := (*unix.InotifyEvent)(unsafe.Pointer(&b[0]))
			return len(b) == unix.SizeofInotifyEvent+16 && e.Mask == unix.IN_CREATE|unix.IN_ISDIR && string(b[unix.SizeofInotifyEvent:][:4]) == "new\x00"
		},
	}, err
}

func counted() (*source, error) {
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	return &source{
		os.NewFile(uintptr(fd), "eventfd"),
		func() error {
			_, err := unix.Write(fd, binary.NativeEndian.AppendUint64(nil, 77))
			return err
		},
		func(b []byte) bool { return string(b) == string(binary.NativeEndian.AppendUint64(nil, 77)) },
	}, err
}

func timed() (*source, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	return &source{
		os.NewFile(uintptr(fd), "timerfd"),
		func() error {
			return unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Value: unix.Timespec{Nsec: 1000}}, nil)
		},
		func(b []byte) bool { return string(b) == string(binary.NativeEndian.AppendUint64(nil, 1)) },
	}, err
}

func piped() (*source, error) {
	var fds [2]int
	err := syscall.Pipe2(fds[:], syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	return written("pipe", fds), err
}

func paired() (*source, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	return written("socket", fds), err
}

func addressed() (*source, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_NONBLOCK, 0)
	at := &syscall.SockaddrInet4{Port: 9, Addr: [4]byte{127, 0, 0, 1}}
	if err == nil {
		err = syscall.Bind(fd, at)
	}
	return &source{
		os.NewFile(uintptr(fd), "datagrams"),
		func() error { return syscall.Sendto(fd, []byte("came"), 0, at) },
		func(b []byte) bool { return string(b) == "came" },
	}, err
}

// written is a source of two descriptors, of which the second is written to.
func written(name string, fds [2]int) *source {
	in, out := os.NewFile(uintptr(fds[0]), name), os.NewFile(uintptr(fds[1]), name)
	return &source{in, func() error {
		_, err := out.WriteString("came")
		return err
	}, func(b []byte) bool { return string(b) == "came" }}
}
