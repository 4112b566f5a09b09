package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// caller makes system calls: of the simulated kernel or of this machine's Linux.
type caller interface {
	call(nr uintptr, args ...any) (uintptr, syscall.Errno)
}

type realLinux struct{}

func (realLinux) call(nr uintptr, args ...any) (uintptr, syscall.Errno) {
	var w [6]uintptr
	for i, arg := range terminated(args) {
		w[i] = word(arg)
	}
	r1, _, errno := syscall.Syscall6(nr, w[0], w[1], w[2], w[3], w[4], w[5])
	for errno == syscall.EINTR { // the Go runtime's signals
		r1, _, errno = syscall.Syscall6(nr, w[0], w[1], w[2], w[3], w[4], w[5])
	}
	runtime.KeepAlive(args)
	return r1, errno
}

// side is one of both kernels with a directory to work in and descriptors, which
// are kept by slot.
type side struct {
	caller
	fds []uintptr
}

// nest is directories within each other, so that ".." does not lead out.
const nest = "p/q/r/s/t/u"

// pair is both kernels. What a step does to both has to answer the same.
type pair struct {
	sim, real *side
	slots     int
	done      []string // what was done, for the message of a failure
}

func newPair(t testing.TB, rt *rapid.T, root string) *pair {
	dir, err := os.MkdirTemp(root, "")
	if err != nil {
		rt.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, nest), 0o755); err != nil {
		rt.Fatal(err)
	}
	m := newMachine(t, 1, HostConfig{})
	if _, errno := m.h.Disk.MkdirAll("/w/"+nest, 0o755, m.k.Now()); errno != 0 {
		rt.Fatal(errno)
	}
	p := &pair{sim: &side{caller: m}, real: &side{caller: realLinux{}}}
	open := func(s *side, dir string) {
		fd, errno := s.call(unix.SYS_OPENAT, atCwd, filepath.Join(dir, nest), unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if errno != 0 {
			rt.Fatal(errno)
		}
		s.fds = append(s.fds, fd)
	}
	open(p.sim, "/w")
	open(p.real, dir)
	p.slots = 1
	return p
}

func (p *pair) close() {
	for _, fd := range p.real.fds {
		if fd != ^uintptr(0) {
			syscall.Close(int(fd))
		}
	}
}

// result is what a call answers, and what it left in a buffer.
type result struct {
	r1    uintptr
	errno syscall.Errno
	text  string
}

func (r result) String() string { return fmt.Sprintf("%d, %v, %q", int64(r.r1), r.errno, r.text) }

// step runs one call on both sides and compares.
func (p *pair) step(t *rapid.T, what string, do func(s *side) result) result {
	sim, real := do(p.sim), do(p.real)
	if real.errno != 0 {
		real.r1, sim.r1 = 0, sim.r1*0
	}
	if sim != real {
		t.Fatalf("%s: simulated %v, Linux %v\nafter %s", what, sim, real, strings.Join(p.done, "\n"))
	}
	p.done = append(p.done, fmt.Sprintf("%s: %v", what, real))
	return real
}

var names = []string{"a", "b", "c", "d"}

// drawPath draws a path of up to three parts, with dots and slashes at times.
func drawPath(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return "."
		case 1:
			return ".."
		case 2:
			return "missing"
		}
		return rapid.SampledFrom(names).Draw(t, "name")
	}), 1, 3).Draw(t, "parts")
	path := strings.Join(parts, "/")
	if rapid.IntRange(0, 11).Draw(t, "slash") == 0 {
		path += "/"
	}
	return path
}

// slot draws a descriptor.
func (p *pair) slot(t *rapid.T) int { return rapid.IntRange(0, p.slots-1).Draw(t, "slot") }

// opened keeps the descriptor that a call made on each side.
func opened(s *side, r1 uintptr, errno syscall.Errno) result {
	if errno == 0 {
		s.fds = append(s.fds, r1)
	}
	return result{0, errno, ""}
}

// statText is what can be compared of an inode.
func statText(s *side, nr uintptr, args func(st *syscall.Stat_t) []any) result {
	st := new(syscall.Stat_t)
	r1, errno := s.call(nr, args(st)...)
	if errno != 0 {
		return result{0, errno, ""}
	}
	size := st.Size
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		size = 0
	}
	return result{r1, 0, fmt.Sprintf("mode %o links %d size %d mtime %d", st.Mode, st.Nlink, size, mtimeIfSet(st))}
}

// mtimeIfSet is the time of modification if a call set it: those are small.
func mtimeIfSet(st *syscall.Stat_t) int64 {
	if st.Mtim.Sec < 1e6 {
		return st.Mtim.Nano()
	}
	return -1
}

// list is the entries that getdents answers, sorted.
func list(s *side, fd uintptr, size int) result {
	var all []string
	b := make([]byte, size)
	for {
		n, errno := s.call(unix.SYS_GETDENTS64, fd, b, size)
		if errno != 0 {
			return result{0, errno, ""}
		}
		if n == 0 {
			break
		}
		for e := b[:n]; len(e) > 0; {
			reclen := binary.NativeEndian.Uint16(e[16:])
			name, _, _ := bytes.Cut(e[19:reclen], []byte{0})
			all = append(all, fmt.Sprintf("%s:%d", name, e[18]))
			e = e[reclen:]
		}
	}
	sort.Strings(all)
	return result{0, 0, strings.Join(all, " ")}
}

func TestFilesConformToLinux(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("simulated processes are root: compare as root")
	}
	root := t.TempDir()
	rapid.Check(t, func(t2 *rapid.T) {
		old := syscall.Umask(0o022)
		defer syscall.Umask(old)
		p := newPair(t, t2, root)
		defer p.close()
		t2.Repeat(p.actions())
	})
}

func (p *pair) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){
		"":         func(t *rapid.T) {},
		"open":     p.open,
		"open2":    p.open,
		"open3":    p.open,
		"close":    p.closeOne,
		"dup":      p.dup,
		"read":     p.read,
		"write":    p.write,
		"write2":   p.write,
		"writev":   p.writev,
		"seek":     p.seek,
		"truncate": p.truncate,
		"allocate": p.allocate,
		"copy":     p.copyRange,
		"list":     p.list,
		"stat":     p.stat,
		"fstat":    p.fstat,
		"statx":    p.statx,
		"readlink": p.readlink,
		"chmod":    p.chmod,
		"access":   p.access,
		"times":    p.times,
		"flags":    p.flags,
		"lock":     p.lock,
		"flock":    p.flock,
		"advise":   p.advise,
	}
	for name, action := range p.nameActions() {
		actions[name] = action
	}
	return actions
}

// nameActions are the calls on names, each under two names so that it is taken
// twice as often.
func (p *pair) nameActions() map[string]func(*rapid.T) {
	one := func(name string, nr uintptr, more func(t *rapid.T) []any) func(*rapid.T) {
		return func(t *rapid.T) {
			dir, path := p.slot(t), drawPath(t)
			if rapid.IntRange(0, 3).Draw(t, "root") != 0 {
				dir = 0
			}
			rest := more(t)
			p.step(t, fmt.Sprintf("%s(%d, %q, %v)", name, dir, path, rest), func(s *side) result {
				r1, errno := s.call(nr, append([]any{s.fds[dir], path}, rest...)...)
				return result{r1, errno, ""}
			})
		}
	}
	two := func(name string, nr uintptr, more func(t *rapid.T) []any) func(*rapid.T) {
		return func(t *rapid.T) {
			from, to := drawPath(t), drawPath(t)
			rest := more(t)
			p.step(t, fmt.Sprintf("%s(%q, %q, %v)", name, from, to, rest), func(s *side) result {
				r1, errno := s.call(nr, append([]any{s.fds[0], from, s.fds[0], to}, rest...)...)
				return result{r1, errno, ""}
			})
		}
	}
	pick := func(of ...any) func(t *rapid.T) []any {
		return func(t *rapid.T) []any { return []any{rapid.SampledFrom(of).Draw(t, "flags")} }
	}
	actions := map[string]func(*rapid.T){
		"mkdir":   one("mkdir", unix.SYS_MKDIRAT, pick(0o755, 0o700, 0o1777, 0o4711)),
		"unlink":  one("unlink", unix.SYS_UNLINKAT, pick(0, 0, unix.AT_REMOVEDIR)),
		"mknod":   one("mknod", unix.SYS_MKNODAT, pick(syscall.S_IFREG|0o644, syscall.S_IFIFO|0o600, syscall.S_IFSOCK|0o666)),
		"rename":  two("rename", unix.SYS_RENAMEAT2, pick(0, 0, 0, unix.RENAME_NOREPLACE, unix.RENAME_EXCHANGE, 3)),
		"link":    two("link", unix.SYS_LINKAT, pick(0, unix.AT_SYMLINK_FOLLOW)),
		"symlink": p.symlink,
	}
	for _, name := range []string{"mkdir", "unlink", "rename", "link", "symlink"} {
		actions[name+"2"] = actions[name]
	}
	return actions
}

func (p *pair) symlink(t *rapid.T) {
	// Creating a file by a loop of symlinks whose targets end in slashes is EISDIR
	// on Linux and ELOOP here.
	to, path := strings.TrimSuffix(drawPath(t), "/"), drawPath(t)
	p.step(t, fmt.Sprintf("symlink(%q, %q)", to, path), func(s *side) result {
		r1, errno := s.call(unix.SYS_SYMLINKAT, to, s.fds[0], path)
		return result{r1, errno, ""}
	})
}

func (p *pair) open(t *rapid.T) {
	path := drawPath(t)
	flags := rapid.SampledFrom([]int{unix.O_RDONLY, unix.O_WRONLY, unix.O_RDWR, unix.O_RDWR}).Draw(t, "access") | unix.O_NONBLOCK
	for _, f := range []int{unix.O_CREAT, unix.O_CREAT, unix.O_EXCL, unix.O_TRUNC, unix.O_APPEND, unix.O_DIRECTORY, unix.O_NOFOLLOW, unix.O_PATH, unix.O_TMPFILE} {
		odds := 5
		if f == unix.O_CREAT {
			odds = 2
		} else if f == unix.O_TMPFILE || f == unix.O_PATH {
			odds = 15
		}
		if rapid.IntRange(0, odds).Draw(t, "flag") == 0 {
			flags |= f
		}
	}
	if flags&unix.O_CREAT == 0 {
		flags &^= unix.O_EXCL
	}
	mode := rapid.SampledFrom([]int{0o644, 0o600, 0o4755}).Draw(t, "mode")
	at, n, errno := p.sim.caller.(*machineUnderTest).k.place(p.sim.caller.(*machineUnderTest).p, p.sim.fds[0], path, 0)
	if errno == 0 && n == nil && at.Ino != 0 && p.sim.caller.(*machineUnderTest).h.Disk.Stat(at.Ino).Kind >= 3 {
		return // opening a fifo is not of this family
	}
	r := p.step(t, fmt.Sprintf("open(%q, %#x, %o)", path, flags, mode), func(s *side) result {
		r1, errno := s.call(unix.SYS_OPENAT, s.fds[0], path, flags|unix.O_CLOEXEC, mode)
		return opened(s, r1, errno)
	})
	if r.errno == 0 {
		p.slots++
	}
}

func (p *pair) closeOne(t *rapid.T) {
	i := p.slot(t)
	if i == 0 {
		return
	}
	p.step(t, fmt.Sprintf("close(%d)", i), func(s *side) result {
		if s.fds[i] == ^uintptr(0) {
			return result{0, syscall.EBADF, ""}
		}
		r1, errno := s.call(unix.SYS_CLOSE, s.fds[i])
		s.fds[i] = ^uintptr(0)
		return result{r1, errno, ""}
	})
}

func (p *pair) dup(t *rapid.T) {
	i := p.slot(t)
	r := p.step(t, fmt.Sprintf("dup(%d)", i), func(s *side) result {
		r1, errno := s.call(unix.SYS_FCNTL, s.fds[i], unix.F_DUPFD_CLOEXEC, 0)
		return opened(s, r1, errno)
	})
	if r.errno == 0 {
		p.slots++
	}
}

// offset draws offsets around the edges of pages, mostly.
func offset(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(4000, 4200), rapid.IntRange(-1, 3*4096), rapid.IntRange(1<<20-10, 1<<20+10)).Draw(t, "offset")
}

func (p *pair) read(t *rapid.T) {
	i, off, n := p.slot(t), offset(t), rapid.IntRange(0, 9000).Draw(t, "n")
	at := rapid.Bool().Draw(t, "at")
	p.step(t, fmt.Sprintf("read(%d, %d, at %v %d)", i, n, at, off), func(s *side) result {
		b := make([]byte, n+1)
		var r1 uintptr
		var errno syscall.Errno
		if at {
			r1, errno = s.call(unix.SYS_PREAD64, s.fds[i], b, n, off)
		} else {
			r1, errno = s.call(unix.SYS_READ, s.fds[i], b, n)
		}
		return result{r1, errno, string(b)}
	})
}

func pattern(t *rapid.T) []byte {
	n := rapid.OneOf(rapid.IntRange(0, 50), rapid.IntRange(0, 9000)).Draw(t, "n")
	return bytes.Repeat([]byte{byte(rapid.IntRange('a', 'z').Draw(t, "byte"))}, n+1)[:n]
}

func (p *pair) write(t *rapid.T) {
	i, off, b := p.slot(t), offset(t), pattern(t)
	at := rapid.Bool().Draw(t, "at")
	p.step(t, fmt.Sprintf("write(%d, %d, at %v %d)", i, len(b), at, off), func(s *side) result {
		var r1 uintptr
		var errno syscall.Errno
		if at {
			r1, errno = s.call(unix.SYS_PWRITE64, s.fds[i], b, len(b), off)
		} else {
			r1, errno = s.call(unix.SYS_WRITE, s.fds[i], b, len(b))
		}
		return result{r1, errno, ""}
	})
}

func (p *pair) writev(t *rapid.T) {
	i, off := p.slot(t), offset(t)
	bufs := [][]byte{pattern(t), pattern(t), pattern(t)}
	nr := rapid.SampledFrom([]uintptr{unix.SYS_WRITEV, unix.SYS_READV, unix.SYS_PWRITEV, unix.SYS_PREADV}).Draw(t, "call")
	p.step(t, fmt.Sprintf("vector %d(%d, at %d)", nr, i, off), func(s *side) result {
		vectors := make([]syscall.Iovec, len(bufs))
		var mine [][]byte
		for j, b := range bufs {
			mine = append(mine, append(make([]byte, 0, 10000), b...))
			vectors[j] = syscall.Iovec{Base: unsafe.SliceData(mine[j]), Len: uint64(len(b))}
		}
		r1, errno := s.call(nr, s.fds[i], unsafe.Pointer(&vectors[0]), len(vectors), off, 0)
		runtime.KeepAlive(mine)
		return result{r1, errno, string(bytes.Join(mine, nil))}
	})
}

// onDirectory reports whether a descriptor is of a directory: what its offsets
// mean is the file system's.
func (p *pair) onDirectory(i int) bool {
	m := p.sim.caller.(*machineUnderTest)
	d := m.p.fd(p.sim.fds[i])
	if d == nil {
		return false
	}
	f, ok := d.obj.(*file)
	return ok && f.kind == 1
}

func (p *pair) seek(t *rapid.T) {
	i, off := p.slot(t), offset(t)-100
	whence := rapid.IntRange(0, 2).Draw(t, "whence")
	if p.onDirectory(i) {
		off, whence = 0, 0
	}
	p.step(t, fmt.Sprintf("seek(%d, %d, %d)", i, off, whence), func(s *side) result {
		r1, errno := s.call(unix.SYS_LSEEK, s.fds[i], off, whence)
		return result{r1, errno, ""}
	})
}

func (p *pair) truncate(t *rapid.T) {
	i, size := p.slot(t), offset(t)
	p.step(t, fmt.Sprintf("truncate(%d, %d)", i, size), func(s *side) result {
		r1, errno := s.call(unix.SYS_FTRUNCATE, s.fds[i], size)
		return result{r1, errno, ""}
	})
}

func (p *pair) allocate(t *rapid.T) {
	i, off, n := p.slot(t), offset(t), offset(t)
	mode := rapid.SampledFrom([]int{0, 1, 3, 16, 17}).Draw(t, "mode")
	p.step(t, fmt.Sprintf("fallocate(%d, %d, %d, %d)", i, mode, off, n), func(s *side) result {
		r1, errno := s.call(unix.SYS_FALLOCATE, s.fds[i], mode, off, n)
		return result{r1, errno, ""}
	})
}

func (p *pair) copyRange(t *rapid.T) {
	i, j, n := p.slot(t), p.slot(t), rapid.IntRange(0, 9000).Draw(t, "n")
	from, to := offset(t), offset(t)
	nr := rapid.SampledFrom([]uintptr{unix.SYS_COPY_FILE_RANGE, unix.SYS_SENDFILE}).Draw(t, "call")
	if p.onDirectory(i) || p.onDirectory(j) {
		return
	}
	p.step(t, fmt.Sprintf("copy %d(%d at %d, %d at %d, %d)", nr, i, from, j, to, n), func(s *side) result {
		offs := []int64{int64(from), int64(to)}
		var r1 uintptr
		var errno syscall.Errno
		if nr == unix.SYS_SENDFILE {
			r1, errno = s.call(nr, s.fds[j], s.fds[i], unsafe.Pointer(&offs[0]), n)
		} else {
			r1, errno = s.call(nr, s.fds[i], unsafe.Pointer(&offs[0]), s.fds[j], unsafe.Pointer(&offs[1]), n, 0)
		}
		return result{r1, errno, fmt.Sprint(offs)}
	})
}

func (p *pair) list(t *rapid.T) {
	i := p.slot(t)
	size := rapid.SampledFrom([]int{10, 64, 4096}).Draw(t, "size")
	p.step(t, fmt.Sprintf("list(%d, %d)", i, size), func(s *side) result {
		s.call(unix.SYS_LSEEK, s.fds[i], 0, 0)
		r := list(s, s.fds[i], size)
		s.call(unix.SYS_LSEEK, s.fds[i], 0, 0)
		return r
	})
}

func (p *pair) stat(t *rapid.T) {
	path, flags := drawPath(t), rapid.SampledFrom([]int{0, unix.AT_SYMLINK_NOFOLLOW}).Draw(t, "flags")
	p.step(t, fmt.Sprintf("stat(%q, %#x)", path, flags), func(s *side) result {
		return statText(s, unix.SYS_NEWFSTATAT, func(st *syscall.Stat_t) []any {
			return []any{s.fds[0], path, unsafe.Pointer(st), flags}
		})
	})
}

func (p *pair) fstat(t *rapid.T) {
	i := p.slot(t)
	p.step(t, fmt.Sprintf("fstat(%d)", i), func(s *side) result {
		return statText(s, unix.SYS_FSTAT, func(st *syscall.Stat_t) []any {
			return []any{s.fds[i], unsafe.Pointer(st)}
		})
	})
}

func (p *pair) statx(t *rapid.T) {
	path, i := drawPath(t), p.slot(t)
	flags := rapid.SampledFrom([]int{0, unix.AT_SYMLINK_NOFOLLOW, unix.AT_EMPTY_PATH}).Draw(t, "flags")
	if flags == unix.AT_EMPTY_PATH {
		path = ""
	} else {
		i = 0
	}
	p.step(t, fmt.Sprintf("statx(%d, %q, %#x)", i, path, flags), func(s *side) result {
		x := new(unix.Statx_t)
		r1, errno := s.call(unix.SYS_STATX, s.fds[i], path, flags, unix.STATX_ALL, unsafe.Pointer(x))
		if x.Mode&syscall.S_IFMT == syscall.S_IFDIR {
			x.Size = 0
		}
		return result{r1, errno, fmt.Sprintf("%o %d %d", x.Mode, x.Nlink, x.Size)}
	})
}

func (p *pair) readlink(t *rapid.T) {
	path := drawPath(t)
	p.step(t, fmt.Sprintf("readlink(%q)", path), func(s *side) result {
		b := make([]byte, 7)
		r1, errno := s.call(unix.SYS_READLINKAT, s.fds[0], path, b, len(b))
		return result{r1, errno, string(b)}
	})
}

func (p *pair) chmod(t *rapid.T) {
	path, mode := drawPath(t), rapid.SampledFrom([]int{0, 0o644, 0o755, 0o1777}).Draw(t, "mode")
	p.step(t, fmt.Sprintf("chmod(%q, %o)", path, mode), func(s *side) result {
		r1, errno := s.call(unix.SYS_FCHMODAT, s.fds[0], path, mode)
		return result{r1, errno, ""}
	})
}

func (p *pair) access(t *rapid.T) {
	path, mode := drawPath(t), rapid.IntRange(0, 8).Draw(t, "mode")
	p.step(t, fmt.Sprintf("access(%q, %d)", path, mode), func(s *side) result {
		r1, errno := s.call(unix.SYS_FACCESSAT, s.fds[0], path, mode)
		return result{r1, errno, ""}
	})
}

func (p *pair) times(t *rapid.T) {
	path := drawPath(t)
	nsec := rapid.SampledFrom([]int64{0, 5, 999999999, 1000000000, unix.UTIME_OMIT}).Draw(t, "nsec")
	flags := rapid.SampledFrom([]int{0, unix.AT_SYMLINK_NOFOLLOW}).Draw(t, "flags")
	p.step(t, fmt.Sprintf("utimensat(%q, %d, %#x)", path, nsec, flags), func(s *side) result {
		ts := []syscall.Timespec{{Sec: 7, Nsec: nsec}, {Sec: 8, Nsec: nsec}}
		r1, errno := s.call(unix.SYS_UTIMENSAT, s.fds[0], path, unsafe.Pointer(&ts[0]), flags)
		return result{r1, errno, ""}
	})
}

func (p *pair) flags(t *rapid.T) {
	i := p.slot(t)
	p.step(t, fmt.Sprintf("fcntl(%d, F_GETFL)", i), func(s *side) result {
		r1, errno := s.call(unix.SYS_FCNTL, s.fds[i], unix.F_GETFL, 0)
		return result{r1, errno, ""}
	})
}

func (p *pair) lock(t *rapid.T) {
	i := p.slot(t)
	cmd := rapid.SampledFrom([]int{unix.F_OFD_SETLK, unix.F_OFD_GETLK, unix.F_SETLK, unix.F_GETLK}).Draw(t, "cmd")
	lk := syscall.Flock_t{
		Type:   rapid.SampledFrom([]int16{syscall.F_RDLCK, syscall.F_WRLCK, syscall.F_UNLCK}).Draw(t, "type"),
		Whence: rapid.SampledFrom([]int16{0, 0, 1, 2}).Draw(t, "whence"),
		Start:  rapid.Int64Range(-5, 20).Draw(t, "start"),
		Len:    rapid.Int64Range(-5, 20).Draw(t, "len"),
	}
	// Late Linux answers F_OFD_GETLK of F_UNLCK with a lock of the descriptor's own.
	if p.onDirectory(i) || cmd == unix.F_OFD_GETLK && lk.Type == syscall.F_UNLCK {
		return
	}
	p.step(t, fmt.Sprintf("lock(%d, %d, %+v)", i, cmd, lk), func(s *side) result {
		l := new(syscall.Flock_t)
		*l = lk
		r1, errno := s.call(unix.SYS_FCNTL, s.fds[i], cmd, unsafe.Pointer(l))
		if l.Pid > 0 {
			l.Pid = 1
		}
		return result{r1, errno, fmt.Sprintf("%+v", *l)}
	})
}

func (p *pair) flock(t *rapid.T) {
	i := p.slot(t)
	how := rapid.SampledFrom([]int{syscall.LOCK_SH, syscall.LOCK_EX, syscall.LOCK_UN, 7}).Draw(t, "how")
	p.step(t, fmt.Sprintf("flock(%d, %d)", i, how), func(s *side) result {
		r1, errno := s.call(unix.SYS_FLOCK, s.fds[i], how|syscall.LOCK_NB)
		return result{r1, errno, ""}
	})
}

func (p *pair) advise(t *rapid.T) {
	i := p.slot(t)
	p.step(t, fmt.Sprintf("fadvise(%d)", i), func(s *side) result {
		r1, errno := s.call(unix.SYS_FADVISE64, s.fds[i], 0, 0, 0)
		return result{r1, errno, ""}
	})
}
