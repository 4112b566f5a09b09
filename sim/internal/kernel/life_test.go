package kernel

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/disk"
)

func (m *machineUnderTest) open(name string, flags int) uintptr {
	m.t.Helper()
	return m.must(unix.SYS_OPENAT, atCwd, name, flags, 0o644)
}

// readAll reads a file by its path.
func (m *machineUnderTest) readAll(name string) string {
	m.t.Helper()
	fd := m.open(name, unix.O_RDONLY)
	defer m.must(unix.SYS_CLOSE, fd)
	var out []byte
	b := make([]byte, 100)
	for {
		n := m.must(unix.SYS_READ, fd, b, len(b))
		if n == 0 {
			return string(out)
		}
		out = append(out, b[:n]...)
	}
}

func TestSyncTakesItsTime(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	fd := m.open("/f", unix.O_CREAT|unix.O_WRONLY)
	m.must(unix.SYS_WRITE, fd, []byte("hello"), 5)
	before := m.k.Now()
	m.must(unix.SYS_FSYNC, fd)
	if took := time.Duration(m.k.Now() - before); took < 200*time.Microsecond || took > 2*time.Millisecond {
		t.Errorf("fsync took %v, want 200µs to 2ms", took)
	}
}

func TestKillDropsPendingCallsAndClosesAll(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	fd := m.open("/f", unix.O_CREAT|unix.O_WRONLY)
	m.must(unix.SYS_WRITE, fd, []byte("hello"), 5)
	m.must(unix.SYS_UNLINKAT, atCwd, "/f", 0)
	_, caller, done := m.begin(m.p, unix.SYS_FSYNC, fd)
	if done {
		t.Fatal("fsync was answered at once")
	}
	m.k.Kill(m.p)
	m.k.Advance(m.k.Now() + int64(time.Second))
	if _, ok := m.rt.answers[caller]; ok {
		t.Error("a call of a process that was killed was answered")
	}
	if u := m.h.Disk.Usage(); u.Used != 0 {
		t.Errorf("an unlinked file of a process that was killed takes %d pages, want 0", u.Used)
	}
	if m.k.Process(m.p.ID) != nil || len(m.k.Processes(m.h)) != 0 {
		t.Error("a process that was killed is still there")
	}
}

func TestExitIsNeverAnswered(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	code := -1
	m.k.Exited = func(p *Process, e Ending) { code = e.Code }
	if _, _, done := m.begin(m.p, unix.SYS_EXIT_GROUP, 3); done || code != 3 || m.p.Alive() {
		t.Errorf("exit: answered %v, code %d, alive %v, want no answer, 3, dead", done, code, m.p.Alive())
	}
}

func TestHostCrashKeepsWhatWasSynced(t *testing.T) {
	lost := false
	for seed := range uint64(20) {
		m := newMachine(t, seed, HostConfig{})
		a, b := m.open("/a", unix.O_CREAT|unix.O_WRONLY), m.open("/b", unix.O_CREAT|unix.O_WRONLY)
		m.must(unix.SYS_WRITE, a, []byte("synced"), 6)
		m.must(unix.SYS_FSYNC, a)
		m.must(unix.SYS_WRITE, b, []byte("unsynced"), 8)
		m.k.CrashHost(m.h)
		m.k.RestartHost(m.h)
		m.p = m.start()
		if got := m.readAll("/a"); got != "synced" {
			t.Fatalf("seed %d: what was synced reads %q", seed, got)
		}
		if _, errno := m.call(unix.SYS_OPENAT, atCwd, "/b", unix.O_RDONLY); errno == syscall.ENOENT || m.readAll("/b") == "" {
			lost = true
		}
	}
	if !lost {
		t.Error("20 crashes lost nothing")
	}
}

// Processes that would wait for each other are told.
func TestLocksInACircle(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	m.open("/f", unix.O_CREAT|unix.O_RDWR)
	procs := []*Process{m.p, m.start(), m.start()}
	lock := func(p *Process, start int64) (answer, Caller, bool) {
		return m.begin(p, unix.SYS_FCNTL, 3, unix.F_SETLKW, unsafe.Pointer(&syscall.Flock_t{Type: syscall.F_WRLCK, Start: start, Len: 1}))
	}
	for i, p := range procs {
		if i > 0 {
			m.begin(p, unix.SYS_OPENAT, atCwd, "/f", unix.O_RDWR)
		}
		if a, _, done := lock(p, int64(i)); !done || a.errno != 0 {
			t.Fatalf("a free lock: %v", a)
		}
	}
	var waiting [2]Caller
	for i, p := range procs[:2] {
		_, caller, done := lock(p, int64(i+1))
		if waiting[i] = caller; done {
			t.Fatal("a lock that is held was given twice")
		}
	}
	if a, _, _ := lock(procs[2], 0); a.errno != syscall.EDEADLK {
		t.Errorf("the third of three in a circle: %v, want EDEADLK", a.errno)
	}
	m.k.Kill(procs[2])
	if a := m.rt.answers[waiting[1]]; a.errno != 0 || procs[1].waits != nil && len(procs[1].waits) != 0 {
		t.Errorf("the second is answered %v and waits for %d locks, want its lock", a, len(procs[1].waits))
	}
	if _, ok := m.rt.answers[waiting[0]]; ok {
		t.Error("the first has its lock though the second holds it")
	}
}

func TestLocksWait(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	q := m.start()
	// A file for each kind, as descriptors 3, 4 and 5 of both processes.
	for _, name := range []string{"/flock", "/posix", "/ofd"} {
		m.open(name, unix.O_CREAT|unix.O_RDWR)
		m.begin(q, unix.SYS_OPENAT, atCwd, name, unix.O_RDWR)
	}
	whole := &syscall.Flock_t{Type: syscall.F_WRLCK}
	part := &syscall.Flock_t{Type: syscall.F_WRLCK, Start: 10, Len: 5}
	for _, c := range []struct {
		name   string
		nr     uintptr
		first  []any
		second []any
		free   []any
	}{
		{"flock", unix.SYS_FLOCK, []any{3, syscall.LOCK_EX}, []any{3, syscall.LOCK_SH}, []any{3, syscall.LOCK_UN}},
		{"posix", unix.SYS_FCNTL, []any{4, unix.F_SETLKW, unsafe.Pointer(whole)}, []any{4, unix.F_SETLKW, unsafe.Pointer(part)},
			[]any{4, unix.F_SETLK, unsafe.Pointer(&syscall.Flock_t{Type: syscall.F_UNLCK})}},
		{"ofd", unix.SYS_FCNTL, []any{5, unix.F_OFD_SETLKW, unsafe.Pointer(whole)}, []any{5, unix.F_OFD_SETLKW, unsafe.Pointer(part)},
			[]any{5, unix.F_OFD_SETLK, unsafe.Pointer(&syscall.Flock_t{Type: syscall.F_UNLCK})}},
	} {
		m.must(c.nr, c.first...)
		_, caller, done := m.begin(q, c.nr, c.second...)
		if done {
			t.Errorf("%s: a lock that is held was given twice", c.name)
		}
		m.must(c.nr, c.free...)
		if a, ok := m.rt.answers[caller]; !ok || a.errno != 0 {
			t.Errorf("%s: a lock that was freed was not given to who waits: %v", c.name, a)
		}
	}
}

func TestLocksDieWithTheProcess(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	q, r := m.start(), m.start()
	mine := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_FLOCK, mine, syscall.LOCK_EX)
	wait := func(p *Process) Caller {
		a, _, _ := m.begin(p, unix.SYS_OPENAT, atCwd, "/f", unix.O_RDWR)
		_, caller, done := m.begin(p, unix.SYS_FLOCK, a.r1, syscall.LOCK_EX)
		if done {
			t.Fatal("a lock that is held was given twice")
		}
		return caller
	}
	dead, next := wait(q), wait(r)
	m.k.Kill(q)
	m.k.Kill(m.p)
	if _, ok := m.rt.answers[dead]; ok {
		t.Error("a lock was given to a process that was killed")
	}
	if _, ok := m.rt.answers[next]; !ok {
		t.Error("the lock of a process that was killed was not given on")
	}
	m.k.Kill(r)
	if len(m.h.locks) != 0 {
		t.Errorf("%d files have locks though nobody is there", len(m.h.locks))
	}
}

func TestMappingSharesTheFile(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	defer m.k.Close()
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_FTRUNCATE, fd, 3*pageSize)
	addr := m.must(unix.SYS_MMAP, nil, 3*pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED, fd, 0)
	mem := bytesAt(addr, 3*pageSize)
	m.must(unix.SYS_PWRITE64, fd, []byte("written"), 7, 5000)
	if got := string(mem[5000:5007]); got != "written" {
		t.Errorf("a mapping reads %q, want what was written", got)
	}
	copy(mem[9000:], "mapped")
	b := make([]byte, 6)
	m.must(unix.SYS_PREAD64, fd, b, 6, 9000)
	if string(b) != "mapped" {
		t.Errorf("a read answers %q, want what the mapping holds", b)
	}
	m.must(unix.SYS_MSYNC, addr, 3*pageSize, unix.MS_SYNC)
	copy(mem[100:], "lost")
	m.must(unix.SYS_MREMAP, addr, 3*pageSize, 5*pageSize, unix.MREMAP_MAYMOVE)
	m.must(unix.SYS_MUNMAP, addr, 5*pageSize)
	m.must(unix.SYS_CLOSE, fd)
	if r := m.k.CrashHost(m.h); r.PagesKept+r.PagesLost != 1 {
		t.Errorf("%+v, want one page that was not synced", r)
	}
	m.p = m.start()
	if got := m.readAll("/f"); got[9000:9006] != "mapped" || got[5000:5007] != "written" {
		t.Error("what a mapping synced was lost")
	}
}

// Of two mappings of a file one can shrink, and the other grow.
func TestMappingsOfOneFile(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	defer m.k.Close()
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_FTRUNCATE, fd, 8*pageSize)
	var addr [2]uintptr
	for i, n := range []int{4, 6} {
		addr[i] = m.must(unix.SYS_MMAP, nil, n*pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED, fd, 0)
	}
	addr[1] = m.must(unix.SYS_MREMAP, addr[1], 6*pageSize, 2*pageSize, unix.MREMAP_MAYMOVE)
	addr[0] = m.must(unix.SYS_MREMAP, addr[0], 4*pageSize, 8*pageSize, unix.MREMAP_MAYMOVE)
	*at[byte](addr[0] + 7*pageSize) = 'x'
	m.must(unix.SYS_MSYNC, addr[0], 8*pageSize, unix.MS_SYNC)
	m.must(unix.SYS_MUNMAP, addr[1], 2*pageSize)
	m.must(unix.SYS_MSYNC, addr[0], 8*pageSize, unix.MS_SYNC)
	m.must(unix.SYS_MUNMAP, addr[0], 8*pageSize)
	if got := m.readAll("/f"); got[7*pageSize] != 'x' {
		t.Errorf("the file holds %q, want what was stored in its mapping", got[7*pageSize])
	}
}

func TestMappingsOfMemory(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	const rw = unix.PROT_READ | unix.PROT_WRITE
	addr := m.must(unix.SYS_MMAP, nil, 5000, rw, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0)
	copy(bytesAt(addr, 5), "hello")
	moved := m.must(unix.SYS_MREMAP, addr, 5000, 50000, unix.MREMAP_MAYMOVE)
	if got := string(bytesAt(moved, 5)); got != "hello" {
		t.Errorf("memory that was moved reads %q", got)
	}
	m.must(unix.SYS_MUNMAP, moved+pageSize, pageSize)
	if len(m.p.maps) != 2 {
		t.Errorf("%d mappings, want 2: a hole was made in one", len(m.p.maps))
	}
	again := newMachine(t, 1, HostConfig{})
	if other := again.must(unix.SYS_MMAP, nil, 100, rw, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, -1, 0); other%pageSize != 0 {
		t.Errorf("memory at %#x, want a page's start", other)
	}
	again.k.Kill(again.p)
	m.k.Kill(m.p)

	fd := newMachine(t, 1, HostConfig{})
	f := fd.open("/f", unix.O_CREAT|unix.O_RDWR)
	fd.must(unix.SYS_WRITE, f, []byte("abc"), 3)
	private := fd.must(unix.SYS_MMAP, nil, 3, rw, unix.MAP_PRIVATE, f, 0)
	bytesAt(private, 3)[0] = 'x'
	if got := fd.readAll("/f"); got != "abc" {
		t.Errorf("a private mapping changed its file: %q", got)
	}
	fd.k.Kill(fd.p)
}

func TestProcAndDev(t *testing.T) {
	m := newMachine(t, 1, HostConfig{Name: "node7"})
	for name, want := range map[string]string{
		"/proc/self/cmdline":           "prog\x00-x\x00",
		"/proc/self/environ":           "A=1\x00",
		"/proc/sys/kernel/hostname":    "node7\n",
		"/proc/sys/net/core/somaxconn": "4096\n",
		"/dev/null":                    "",
	} {
		if got := m.readAll(name); got != want {
			t.Errorf("%s reads %q, want %q", name, got, want)
		}
	}
	b := make([]byte, 100)
	n := m.must(unix.SYS_READLINKAT, atCwd, "/proc/self/exe", b, len(b))
	if got := string(b[:n]); got != "/bin/prog" {
		t.Errorf("/proc/self/exe leads to %q, want /bin/prog", got)
	}
	fd := m.open("/tmp/x", unix.O_CREAT|unix.O_RDWR)
	n = m.must(unix.SYS_READLINKAT, atCwd, "/proc/self/fd/3", b, len(b))
	if got := string(b[:n]); fd != 3 || got != "/tmp/x" {
		t.Errorf("/proc/self/fd/%d leads to %q, want /tmp/x", fd, got)
	}
	side := &side{caller: m}
	for name, want := range map[string]string{
		"/proc/self/limits":                      "Max open files            1048576              1048576              files",
		"/proc/self/status":                      "Uid:\t0\t0\t0\t0\n",
		"/proc/stat":                             "btime ",
		"/proc/self/io":                          "read_bytes: 0",
		"/proc/sys/fs/inotify/max_queued_events": "16384",
	} {
		if got := m.readAll(name); !strings.Contains(got, want) {
			t.Errorf("%s reads %q, want %q in it", name, got, want)
		}
	}
	dir := m.open("/proc/self/fd", unix.O_DIRECTORY)
	if got := entries(side, dir, 4096).text; !strings.Contains(got, "0:0 1:0 2:0 3:0 4:0") {
		t.Errorf("/proc/self/fd lists %q, want 0 to 4", got)
	}
	if _, errno := m.call(unix.SYS_OPENAT, atCwd, "/dev/tty", unix.O_RDWR); errno != syscall.ENXIO {
		t.Errorf("/dev/tty: %v, want ENXIO", errno)
	}
	one, two := make([]byte, 16), make([]byte, 16)
	m.must(unix.SYS_READ, m.open("/dev/urandom", unix.O_RDONLY), one, 16)
	again := newMachine(t, 1, HostConfig{Name: "node7"})
	again.must(unix.SYS_GETRANDOM, two, 16, 0)
	if string(one) != string(two) {
		t.Error("the same seed gives other random bytes")
	}
	// A file without a name gets one by the link of its descriptor.
	tmp := m.open("/tmp", unix.O_TMPFILE|unix.O_RDWR)
	m.must(unix.SYS_WRITE, tmp, []byte("named"), 5)
	path := "/proc/self/fd/" + string(rune('0'+tmp))
	m.must(unix.SYS_LINKAT, atCwd, path, atCwd, "/tmp/named", unix.AT_SYMLINK_FOLLOW)
	if got := m.readAll("/tmp/named"); got != "named" {
		t.Errorf("a file that got its name later reads %q", got)
	}
}

func TestOutsideIsBroughtIn(t *testing.T) {
	outside := map[string]OutsideFile{
		"/src":            {Mode: 0o755 | 1<<31, Names: []string{"testdata", "a.go"}},
		"/src/a.go":       {Mode: 0o644, Data: []byte("package a")},
		"/src/testdata":   {Mode: 0o755 | 1<<31, Names: []string{"b"}},
		"/src/testdata/b": {Mode: 0o644, Data: []byte("golden")},
	}
	m := newMachine(t, 1, HostConfig{Outside: func(name string) (OutsideFile, bool) {
		f, ok := outside[name]
		return f, ok
	}})
	if got := m.readAll("/src/testdata/b"); got != "golden" {
		t.Errorf("a file from outside reads %q", got)
	}
	s := &side{caller: m}
	if got := entries(s, m.open("/src", unix.O_DIRECTORY), 4096).text; got != "..:4 .:4 a.go:8 testdata:4" {
		t.Errorf("a directory from outside lists %q", got)
	}
	if _, errno := m.call(unix.SYS_OPENAT, atCwd, "/src/c", unix.O_RDONLY); errno != syscall.ENOENT {
		t.Errorf("what is not there: %v, want ENOENT", errno)
	}
}

func TestOutputComesAtOnce(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	var got strings.Builder
	m.p.Output = func(fd int, b []byte) { got.WriteByte(byte('0' + fd)); got.Write(b) }
	m.must(unix.SYS_WRITE, 1, []byte("out"), 3)
	m.must(unix.SYS_WRITE, 2, []byte("err"), 3)
	if got.String() != "1out2err" {
		t.Errorf("output %q, want 1out2err", got.String())
	}
	if n := m.must(unix.SYS_READ, 0, make([]byte, 5), 5); n != 0 {
		t.Errorf("standard input gives %d bytes, want none", n)
	}
}

func TestSlowDiskDelaysReads(t *testing.T) {
	m := newMachine(t, 1, HostConfig{Disk: disk.Config{Read: disk.Range{Least: time.Second, Most: time.Second}}})
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	m.must(unix.SYS_WRITE, fd, []byte("hello"), 5)
	b := make([]byte, 5)
	before := m.k.Now()
	m.must(unix.SYS_PREAD64, fd, b, 5, 0)
	if m.k.Now()-before != int64(time.Second) || string(b) != "hello" {
		t.Errorf("a read took %v and gave %q", time.Duration(m.k.Now()-before), b)
	}
}

func TestForkAndExecAreRefusedAndTold(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	var told []uintptr
	m.k.Refused = func(nr uintptr, _ Caller) { told = append(told, nr) }
	if _, errno := m.call(unix.SYS_EXECVE, "/bin/sh"); errno != syscall.EPERM {
		t.Errorf("execve: %v, want EPERM", errno)
	}
	if _, errno := m.call(unix.SYS_CLONE); errno != syscall.EAGAIN {
		t.Errorf("clone: %v, want EAGAIN", errno)
	}
	if want := []uintptr{unix.SYS_EXECVE, unix.SYS_CLONE}; !slices.Equal(told, want) {
		t.Errorf("told of %v, want %v", told, want)
	}
}

func TestSmallCallsAllocateNothing(t *testing.T) {
	m := newMachine(t, 1, HostConfig{})
	fd := m.open("/f", unix.O_CREAT|unix.O_RDWR)
	b := make([]byte, 100)
	write := &Call{Nr: unix.SYS_PWRITE64, Args: [6]uintptr{fd, word(b), 100, 0}}
	read := &Call{Nr: unix.SYS_READ, Args: [6]uintptr{fd, word(b), 100}}
	now := &Call{Nr: unix.SYS_CLOCK_GETTIME, Args: [6]uintptr{unix.CLOCK_REALTIME, word(b)}}
	if n := testing.AllocsPerRun(100, func() {
		m.k.Syscall(m.p, write)
		m.k.Syscall(m.p, read)
		m.k.Syscall(m.p, now)
	}); n != 0 {
		t.Errorf("a write, a read and a look at the clock allocate %v times, want 0", n)
	}
}
