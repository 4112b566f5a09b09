package run

import (
	"bytes"
	"os"
	"sync"
	"syscall"
)

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

// listener reads a pipe into a tail. What was written before a call of drain is
// in the tail after it: a run's last words are read before its end is reported.
type listener struct {
	tail
	pipe   *os.File
	raw    syscall.RawConn
	mu     sync.Mutex // of a read and its entry in the tail
	buf    [4096]byte
	closed chan struct{} // the reading goroutine has ended
}

// listen returns a listener, and the end of its pipe that is written to.
func listen() (*listener, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	l := &listener{pipe: r, closed: make(chan struct{})}
	if l.raw, err = r.SyscallConn(); err != nil {
		r.Close()
		w.Close()
		return nil, nil, err
	}
	go func() {
		l.raw.Read(l.take)
		close(l.closed)
	}()
	return l, w, nil
}

// take reads what the pipe holds; over says that no more can come.
func (l *listener) take(fd uintptr) (over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		n, err := syscall.Read(int(fd), l.buf[:])
		switch {
		case n > 0:
			l.tail.Write(l.buf[:n])
		case err == syscall.EINTR:
		default:
			return err != syscall.EAGAIN
		}
	}
}

func (l *listener) drain() { l.raw.Control(func(fd uintptr) { l.take(fd) }) }

func (l *listener) Close() error {
	err := l.pipe.Close()
	<-l.closed
	return err
}
