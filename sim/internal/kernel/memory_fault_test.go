package kernel

import (
	"runtime/debug"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

// A bad address is answered with EFAULT, and changes nothing.
func TestBadAddresses(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	m := newMachine(t, 1, HostConfig{})
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_WRITE, fd, []byte("hello"), 5)
	r, w := m.pipe(0)
	m.must(unix.SYS_WRITE, w, []byte("piped"), 5)
	gone := m.must(unix.SYS_MMAP, 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0)
	m.must(unix.SYS_MUNMAP, gone, pageSize)
	readOnly := m.must(unix.SYS_MMAP, 0, pageSize, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0)
	for _, bad := range []uintptr{0, 8, pageSize - 1, gone, 1 << 47, 1 << 63, ^uintptr(0)} {
		iov := unsafe.Pointer(&[2]uintptr{bad, 10})
		for _, args := range [][]any{
			{unix.SYS_WRITE, fd, bad, 10},
			{unix.SYS_PWRITE64, fd, bad, 10, 0},
			{unix.SYS_WRITEV, fd, iov, 1},
			{unix.SYS_WRITEV, fd, bad, 1},
			{unix.SYS_PREAD64, fd, bad, 10, 0},
			{unix.SYS_WRITE, w, bad, 10},
			{unix.SYS_READ, r, bad, 5},
			{unix.SYS_OPENAT, atCwd, bad, 0, 0},
			{unix.SYS_NANOSLEEP, bad, 0},
			{unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, bad},
			{unix.SYS_UNAME, bad},
			{unix.SYS_FSTAT, fd, bad},
			{unix.SYS_GETRANDOM, bad, 10, 0},
		} {
			if _, errno := m.call(uintptr(args[0].(int)), args[1:]...); errno != syscall.EFAULT {
				t.Errorf("system call %d with %#x: %v, want EFAULT", args[0], bad, errno)
			}
		}
	}
	m.fails(syscall.EFAULT, unix.SYS_PREAD64, fd, readOnly, 5, 0)
	m.must(unix.SYS_PWRITE64, fd, readOnly, 0, 0)
	if got := m.readAll("/f"); got != "hello" {
		t.Errorf("the file reads %q, want hello", got)
	}
	b := make([]byte, 9)
	if n := m.must(unix.SYS_READ, r, b, 9); string(b[:n]) != "piped" {
		t.Errorf("the pipe has %q, want piped", b[:n])
	}
}

// A call that waits meets its bad address when it goes on, and answers for itself.
func TestBadAddressesOfWaits(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	second := disk.Range{Least: time.Second, Most: time.Second}
	m := newMachine(t, 1, HostConfig{Disk: disk.Config{Read: second}})
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_WRITE, fd, []byte("hello"), 5)
	m.fails(syscall.EFAULT, unix.SYS_PREAD64, fd, 8, 5, 0)
	r, w := m.pipe(0)
	_, caller, done := m.begin(m.p, unix.SYS_READ, r, 8, 5)
	if done {
		t.Fatal("a read of an empty pipe does not wait")
	}
	m.must(unix.SYS_WRITE, w, []byte("piped"), 5)
	if a := m.rt.answers[caller]; a.errno != syscall.EFAULT {
		t.Errorf("the read is answered %v, want EFAULT", a)
	}
	if len(m.p.held) != 0 {
		t.Errorf("%d descriptions are held", len(m.p.held))
	}
}

// A nil pointer of the kernel's own is no fault of the caller's.
func TestFaultsOfTheKernel(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("a nil pointer of the kernel's is answered with EFAULT")
		}
	}()
	guarded(func() (uintptr, syscall.Errno) { return uintptr((*Process)(nil).PID), 0 })
}
