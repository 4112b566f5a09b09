package kernel

import (
	"encoding/binary"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func timespec(d time.Duration) unsafe.Pointer {
	t := syscall.NsecToTimespec(int64(d))
	return unsafe.Pointer(&t)
}

func (m *machineUnderTest) pipe(flags int) (r, w uintptr) {
	m.t.Helper()
	fds := new([2]int32)
	m.must(unix.SYS_PIPE2, unsafe.Pointer(fds), flags)
	return uintptr(fds[0]), uintptr(fds[1])
}

// answered is the answer of a pending call, or false.
func (m *machineUnderTest) answered(c Caller) (uintptr, bool) {
	m.t.Helper()
	a, ok := m.rt.answers[c]
	if a.errno != 0 {
		m.t.Fatalf("a pending call fails with %v", a.errno)
	}
	return a.r1, ok
}

func TestPollWaitsAndGivesUp(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	r, w := m.pipe(unix.O_NONBLOCK)
	fds := []unix.PollFd{{Fd: int32(r), Events: unix.POLLIN}, {Fd: -1, Events: unix.POLLIN}}
	arg := unsafe.Pointer(&fds[0])

	before := m.k.Now()
	if n := m.must(unix.SYS_PPOLL, arg, 2, timespec(3*time.Second), 0); n != 0 || m.k.Now()-before != int64(3*time.Second) {
		t.Errorf("poll of nothing: %d after %v, want 0 after 3s", n, time.Duration(m.k.Now()-before))
	}
	_, caller, done := m.begin(m.p, unix.SYS_PPOLL, arg, 2, timespec(time.Hour), 0)
	if done {
		t.Fatal("poll was answered with nothing ready")
	}
	m.pass(time.Second)
	m.send(w, "x")
	if n, ok := m.answered(caller); !ok || n != 1 || fds[0].Revents != unix.POLLIN {
		t.Errorf("poll: %d, %v, revents %#x, want 1 and POLLIN", n, ok, fds[0].Revents)
	}
	if next := m.k.Next(); next != 0 {
		t.Errorf("the time limit of a poll that was answered is still due, at %d", next)
	}
	// A descriptor of no use wakes nobody, but answers.
	fds[1].Fd = 77
	if n := m.must(unix.SYS_PPOLL, arg, 2, 0, 0); n != 2 || fds[1].Revents != unix.POLLNVAL {
		t.Errorf("poll of a bad descriptor: %d, revents %#x", n, fds[1].Revents)
	}
	m.fails(syscall.EINVAL, unix.SYS_PPOLL, arg, 2, timespec(-time.Second), 0)
	// What poll waits for stays there although its descriptor is closed.
	m.recv(r, "x")
	fds = fds[:1]
	_, caller, _ = m.begin(m.p, unix.SYS_PPOLL, arg, 1, 0, 0)
	m.must(unix.SYS_CLOSE, r)
	m.send(w, "y")
	if n, ok := m.answered(caller); !ok || n != 1 {
		t.Errorf("poll of a descriptor that was closed: %d, %v", n, ok)
	}
	m.fails(syscall.EPIPE, unix.SYS_WRITE, w, []byte("z"), 1)
	if len(m.p.held) != 0 {
		t.Errorf("%d descriptions are held for calls that were answered", len(m.p.held))
	}
}

func TestSelectWaits(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	r, w := m.pipe(unix.O_NONBLOCK)
	sets := make([]uint64, 2)
	sets[0] = 1<<r | 1<<0
	sets[0] &^= 1
	_, caller, done := m.begin(m.p, unix.SYS_PSELECT6, int(w)+1, unsafe.Pointer(&sets[0]), 0, 0, timespec(time.Hour), 0)
	if done || sets[0] != 0 {
		t.Fatalf("select was answered with nothing ready: %v, %b", done, sets[0])
	}
	m.send(w, "x")
	if n, ok := m.answered(caller); !ok || n != 1 || sets[0] != 1<<r {
		t.Errorf("select: %d, %v, set %b, want 1 and %b", n, ok, sets[0], uint64(1)<<r)
	}
	sets[1] = 1 << 5
	m.fails(syscall.EBADF, unix.SYS_PSELECT6, 70, unsafe.Pointer(&sets[0]), 0, 0, timespec(0), 0)
}

func (m *machineUnderTest) epollAdd(ep, fd uintptr, events uint32) {
	m.t.Helper()
	ev := &unix.EpollEvent{Events: events, Fd: int32(fd)}
	m.must(unix.SYS_EPOLL_CTL, ep, unix.EPOLL_CTL_ADD, fd, unsafe.Pointer(ev))
}

func TestEpollWaits(t *testing.T) {
	a, b := newHosts(t, 1)
	c, s := joined(t, a, b)
	ep := b.must(unix.SYS_EPOLL_CREATE1, 0)
	b.epollAdd(ep, s, unix.EPOLLIN)
	out := make([]unix.EpollEvent, 4)
	arg := unsafe.Pointer(&out[0])

	before := b.k.Now()
	if n := b.must(unix.SYS_EPOLL_PWAIT, ep, arg, 4, 2000, 0, 0); n != 0 || b.k.Now()-before != int64(2*time.Second) {
		t.Errorf("epoll_wait of nothing: %d after %v, want 0 after 2s", n, time.Duration(b.k.Now()-before))
	}
	_, caller, done := b.begin(b.p, unix.SYS_EPOLL_PWAIT, ep, arg, 4, -1, 0, 0)
	if done {
		t.Fatal("epoll_wait was answered with nothing ready")
	}
	a.send(c, "x")
	a.pass(time.Second)
	if n, ok := b.answered(caller); !ok || n != 1 || out[0].Fd != int32(s) || out[0].Events != unix.EPOLLIN {
		t.Errorf("epoll_wait: %d, %v, %v", n, ok, out[0])
	}
	// By level it is there until it is read.
	if n := b.must(unix.SYS_EPOLL_PWAIT, ep, arg, 4, 0, 0, 0); n != 1 {
		t.Errorf("epoll_wait by level again: %d, want 1", n)
	}
	b.recv(s, "x")
	if n := b.must(unix.SYS_EPOLL_PWAIT, ep, arg, 4, 0, 0, 0); n != 0 {
		t.Errorf("epoll_wait by level after reading: %d, want 0", n)
	}
	// Closing the socket takes it out; closing the epoll object takes it out of the
	// queues of what it watched.
	b.must(unix.SYS_CLOSE, s)
	e := b.p.fd(ep).obj.(*epoll)
	if len(e.watched) != 0 || len(e.ready) != 0 {
		t.Errorf("a closed socket is watched: %d, ready %d", len(e.watched), len(e.ready))
	}
	r, w := b.pipe(unix.O_NONBLOCK)
	b.epollAdd(ep, r, unix.EPOLLIN)
	q := b.p.fd(r).obj.(pollable).queue()
	b.must(unix.SYS_CLOSE, ep)
	if len(q.list) != 0 {
		t.Error("a closed epoll object waits for a pipe")
	}
	b.send(w, "x")
}

func TestEpollObjectsWatchEachOther(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	inner, outer := m.must(unix.SYS_EPOLL_CREATE1, 0), m.must(unix.SYS_EPOLL_CREATE1, 0)
	m.epollAdd(outer, inner, unix.EPOLLIN)
	ev := &unix.EpollEvent{Events: unix.EPOLLIN}
	m.fails(syscall.ELOOP, unix.SYS_EPOLL_CTL, inner, unix.EPOLL_CTL_ADD, outer, unsafe.Pointer(ev))
	m.fails(syscall.EINVAL, unix.SYS_EPOLL_CTL, inner, unix.EPOLL_CTL_ADD, inner, unsafe.Pointer(ev))
	m.fails(syscall.EPERM, unix.SYS_EPOLL_CTL, inner, unix.EPOLL_CTL_ADD, m.open("/", unix.O_RDONLY), unsafe.Pointer(ev))
	count := m.must(unix.SYS_EVENTFD2, 0, unix.EFD_NONBLOCK)
	m.epollAdd(inner, count, unix.EPOLLIN)
	out := make([]unix.EpollEvent, 4)
	_, caller, _ := m.begin(m.p, unix.SYS_EPOLL_PWAIT, outer, unsafe.Pointer(&out[0]), 4, -1, 0, 0)
	one := make([]byte, 8)
	binary.NativeEndian.PutUint64(one, 1)
	m.must(unix.SYS_WRITE, count, one, 8)
	if n, ok := m.answered(caller); !ok || n != 1 || out[0].Fd != int32(inner) {
		t.Errorf("epoll_wait of an epoll object: %d, %v, %v", n, ok, out[0])
	}
}

func TestBlockingPipesAndCounters(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	r, w := m.pipe(0)
	buf := make([]byte, 200_000)
	_, read, done := m.begin(m.p, unix.SYS_READ, r, buf, 5)
	if done {
		t.Fatal("a read of an empty pipe was answered")
	}
	m.send(w, "hello")
	if n, ok := m.answered(read); !ok || n != 5 || string(buf[:5]) != "hello" {
		t.Errorf("a read of a pipe: %d, %v, %q", n, ok, buf[:5])
	}
	_, write, _ := m.begin(m.p, unix.SYS_WRITE, w, buf, 200_000)
	sum := 0
	for sum < 200_000 {
		if _, ok := m.answered(write); ok && sum < 200_000-65536 {
			t.Fatal("a write to a pipe was answered before its bytes had room")
		}
		sum += int(m.must(unix.SYS_READ, r, make([]byte, 10_000), 10_000))
	}
	if n, ok := m.answered(write); !ok || n != 200_000 {
		t.Errorf("a write of 200000 bytes: %d, %v", n, ok)
	}
	// A reader that goes ends a write that waits: with what was written.
	_, write, _ = m.begin(m.p, unix.SYS_WRITE, w, buf, 200_000)
	m.must(unix.SYS_CLOSE, r)
	if n, ok := m.answered(write); !ok || n != 65536 {
		t.Errorf("a write whose reader went: %d, %v, want 65536", n, ok)
	}

	fd := m.must(unix.SYS_EVENTFD2, 0, 0)
	word := make([]byte, 8)
	_, read, _ = m.begin(m.p, unix.SYS_READ, fd, buf, 8)
	binary.NativeEndian.PutUint64(word, 3)
	m.must(unix.SYS_WRITE, fd, word, 8)
	if _, ok := m.answered(read); !ok || binary.NativeEndian.Uint64(buf) != 3 {
		t.Errorf("a read of a counter gives %d, want 3", buf[0])
	}
}

func TestPollersOfPipes(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	r, w := m.pipe(unix.O_NONBLOCK)
	m.must(sysPollOpen, r, 1)
	m.must(sysPollOpen, w, 2)
	if m.rt.woken(1, PollRead) || !m.rt.woken(2, PollWrite) {
		t.Error("an empty pipe is not reported as writable, or as readable")
	}
	m.send(w, "x")
	if !m.rt.woken(1, PollRead) {
		t.Error("a byte came and was not reported")
	}
	big := make([]byte, 70_000)
	m.must(unix.SYS_WRITE, w, big, len(big))
	m.must(unix.SYS_READ, r, big, len(big))
	if !m.rt.woken(2, PollWrite) {
		t.Error("room came and was not reported")
	}
	m.must(sysPollClose, w, 2)
	m.must(unix.SYS_CLOSE, w)
	if !m.rt.woken(1, PollRead) || m.rt.woken(2, PollWrite) {
		t.Error("the writer's end is not reported, or is to itself")
	}
}

func TestKillDropsWaits(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	r, _ := m.pipe(0)
	fds := []unix.PollFd{{Fd: int32(r), Events: unix.POLLIN}}
	var callers [3]Caller
	_, callers[0], _ = m.begin(m.p, unix.SYS_PPOLL, unsafe.Pointer(&fds[0]), 1, timespec(time.Second), 0)
	_, callers[1], _ = m.begin(m.p, unix.SYS_READ, r, make([]byte, 5), 5)
	ep := m.must(unix.SYS_EPOLL_CREATE1, 0)
	m.epollAdd(ep, r, unix.EPOLLIN)
	_, callers[2], _ = m.begin(m.p, unix.SYS_EPOLL_PWAIT, ep, make([]byte, 100), 4, 500, 0, 0)
	m.k.Kill(m.p)
	m.pass(time.Minute)
	for _, c := range callers {
		if _, ok := m.rt.answers[c]; ok {
			t.Error("a call of a dead process was answered")
		}
	}
}

func TestEpollByEdgeAndOnce(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	r, w := m.pipe(unix.O_NONBLOCK)
	edge, once := m.must(unix.SYS_EPOLL_CREATE1, 0), m.must(unix.SYS_EPOLL_CREATE1, 0)
	m.epollAdd(edge, r, unix.EPOLLIN|epollEdge)
	m.epollAdd(once, r, unix.EPOLLIN|unix.EPOLLONESHOT)
	out := make([]unix.EpollEvent, 4)
	expect := func(when string, ofEdge, ofOnce uintptr) {
		t.Helper()
		for _, ep := range []struct{ fd, want uintptr }{{edge, ofEdge}, {once, ofOnce}} {
			if n := m.must(unix.SYS_EPOLL_PWAIT, ep.fd, unsafe.Pointer(&out[0]), 4, 0, 0, 0); n != ep.want {
				t.Errorf("%s: epoll_wait of %d answers %d, want %d", when, ep.fd, n, ep.want)
			}
		}
	}
	m.send(w, "x")
	expect("a byte came", 1, 1)
	expect("nothing new", 0, 0)
	m.send(w, "y")
	expect("one more came", 1, 0)
	ev := &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT}
	m.must(unix.SYS_EPOLL_CTL, once, unix.EPOLL_CTL_MOD, r, unsafe.Pointer(ev))
	expect("asked for again", 0, 1)
}
