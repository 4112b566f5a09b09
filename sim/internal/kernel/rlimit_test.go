package kernel

import (
	"encoding/binary"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// most has the process have that many descriptors at most.
func (m *machineUnderTest) most(n uint64) {
	m.t.Helper()
	m.must(unix.SYS_SETRLIMIT, unix.RLIMIT_NOFILE, unsafe.Pointer(&[2]uint64{n, maxFiles}))
}

// Every call that makes descriptors answers EMFILE when there is no room, and does
// nothing.
func TestNoRoomForDescriptors(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR) // 3
	m.most(4)
	pair := unsafe.Pointer(new([2]int32))
	makers := map[string][]any{
		"openat":        {unix.SYS_OPENAT, atCwd, "/f", unix.O_RDONLY, 0},
		"creation":      {unix.SYS_OPENAT, atCwd, "/new", unix.O_CREAT | unix.O_RDWR, 0o600},
		"socket":        {unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM, 0},
		"socketpair":    {unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM, 0, pair},
		"pipe2":         {unix.SYS_PIPE2, pair, 0},
		"dup":           {unix.SYS_DUP, fd},
		"F_DUPFD":       {unix.SYS_FCNTL, fd, unix.F_DUPFD, 0},
		"epoll_create1": {unix.SYS_EPOLL_CREATE1, 0},
		"eventfd2":      {unix.SYS_EVENTFD2, 0, 0},
		"inotify_init1": {unix.SYS_INOTIFY_INIT1, 0},
		"timerfd":       {unix.SYS_TIMERFD_CREATE, unix.CLOCK_MONOTONIC, 0},
	}
	for name, args := range makers {
		if _, errno := m.call(uintptr(args[0].(int)), args[1:]...); errno != syscall.EMFILE {
			t.Errorf("%s: %v, want EMFILE", name, errno)
		}
	}
	if _, errno := m.call(unix.SYS_FACCESSAT, atCwd, "/new", 0); errno != syscall.ENOENT {
		t.Errorf("an open without room left a file: %v, want ENOENT", errno)
	}
	if m.h.instances != 0 {
		t.Errorf("%d instances of inotify are left", m.h.instances)
	}
	for _, args := range [][]any{{unix.SYS_PIPE2, pair, 0}, {unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM, 0, pair}} {
		m.most(5)
		if _, errno := m.call(uintptr(args[0].(int)), args[1:]...); errno != syscall.EMFILE {
			t.Errorf("two descriptors with room for one: %v, want EMFILE", errno)
		}
		m.most(6)
		m.must(uintptr(args[0].(int)), args[1:]...)
		m.must(unix.SYS_CLOSE_RANGE, 4, 5, 0)
	}
	m.most(4)
	m.must(unix.SYS_CLOSE, 0)
	if got := m.must(unix.SYS_DUP, fd); got != 0 {
		t.Errorf("dup gives %d, want the free 0", got)
	}
}

func TestDescriptorsBeyondTheLimit(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_DUP3, fd, 20, unix.O_CLOEXEC)
	m.most(10)
	m.fails(syscall.EINVAL, unix.SYS_FCNTL, fd, unix.F_DUPFD, 10)
	m.fails(syscall.EBADF, unix.SYS_DUP3, fd, 10, 0)
	m.must(unix.SYS_DUP3, fd, 9, 0)
	m.must(unix.SYS_WRITE, 20, []byte("x"), 1) // what is open stays
	m.fails(syscall.EINVAL, unix.SYS_PPOLL, 0, 11, 0, 0)
}

func TestAcceptWithoutRoom(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	l := m.must(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	name := unsafe.Pointer(&unix.RawSockaddrUnix{Family: unix.AF_UNIX, Path: [108]int8{'/', 's'}})
	m.must(unix.SYS_BIND, l, name, 4)
	m.must(unix.SYS_LISTEN, l, 5)
	c := m.must(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM, 0)
	m.must(unix.SYS_CONNECT, c, name, 4)
	m.most(5)
	m.fails(syscall.EMFILE, unix.SYS_ACCEPT4, l, 0, 0, 0)
	m.most(6)
	if fd := m.must(unix.SYS_ACCEPT4, l, 0, 0, 0); fd != 5 {
		t.Errorf("accept gives %d, want the connection that waited, as 5", fd)
	}
}

// Descriptors of a message come as far as there is room; the others close.
func TestPassedDescriptorsWithoutRoom(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	pair := new([2]int32)
	m.must(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM, 0, unsafe.Pointer(pair))
	control := controlBytes(unix.SOL_SOCKET, unix.SCM_RIGHTS, []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0})
	h := header(nil, []byte("x"))
	h.Control, h.Controllen = unsafe.SliceData(control), uint64(len(control))
	m.must(unix.SYS_SENDMSG, int(pair[0]), unsafe.Pointer(h), 0)
	m.most(6)
	room := make([]byte, 100)
	h = header(nil, make([]byte, 1))
	h.Control, h.Controllen = unsafe.SliceData(room), uint64(len(room))
	m.must(unix.SYS_RECVMSG, int(pair[1]), unsafe.Pointer(h), 0)
	if size := binary.NativeEndian.Uint64(room); size != unix.SizeofCmsghdr+4 || h.Flags&unix.MSG_CTRUNC == 0 || m.p.room(1) {
		t.Errorf("%d bytes of control, flags %#x; want one descriptor and MSG_CTRUNC", size, h.Flags)
	}
}
